import { expect, test } from "vitest";
import { parseListenAddress } from "../../../src/config/listen-address.ts";

test.each([
  [":9845", undefined, 9845],
  ["127.0.0.1:0", "127.0.0.1", 0],
  ["localhost:65535", "localhost", 65_535],
  ["[::1]:9845", "::1", 9845],
  ["[fe80::1%eth0]:80", "fe80::1%eth0", 80],
])("%s is host %s, port %d", (text, host, port) => {
  expect(parseListenAddress(text)).toEqual({ host, port });
});

test.each([
  "",
  "9845",
  "localhost",
  ":65536",
  ":-1",
  "::1:9845",
  "http://x:1",
  "a b:1",
  "[::1]",
  ":1x",
])("%j is no address", (text) => {
  expect(parseListenAddress(text)).toBeUndefined();
});
