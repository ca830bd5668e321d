import { expect, test } from "vitest";
import { nearestName } from "../../../src/config/nearest-name.ts";

const known = ["listen_address", "external_url", "max_body_size", "auth", "url", "url_file"];

test.each([
  ["listen_addres", "listen_address"],
  ["listenaddress", "listen_address"],
  ["externalUrl", "external_url"],
  ["max_bodysize", "max_body_size"],
  ["uth", "auth"],
  ["urls", "url"],
  ["URL_file", undefined],
  ["colour", undefined],
  ["x", undefined],
  ["", undefined],
  ["listen_address".repeat(20), undefined],
])("%s most likely means %s", (name, nearest) => {
  expect(nearestName(name, known)).toBe(nearest);
});
