import { describe, expect, it } from "vitest";
import { cutToBytes, utf8Bytes } from "../../../src/annotate/cut-text.ts";

describe("cutToBytes", () => {
  it.each([
    ["abcdef", 6, "abcdef"],
    ["abcdefg", 6, "abc…"],
    ["ab defg", 6, "ab…"],
    ["ääää", 8, "ääää"],
    ["äääää", 8, "ää…"],
    ["😀😀😀", 11, "😀😀…"],
    ["😀😀😀", 10, "😀…"],
    ["😀", 3, "…"],
    ["abcd", 3, "…"],
    ["abcd", 2, ""],
    ["", 0, ""],
  ])("%j to %i bytes gives %j", (text, bytesMax, cut) => {
    expect(cutToBytes(text, bytesMax)).toBe(cut);
  });
});

describe("utf8Bytes", () => {
  it.each(["", "a", "ä", "€", "😀", "a\ud800b", "\udc00\ud800", "x😀\ud83d"])(
    "counts %j as an encoder does",
    (text) => {
      expect(utf8Bytes(text)).toBe(new TextEncoder().encode(text).length);
    },
  );
});
