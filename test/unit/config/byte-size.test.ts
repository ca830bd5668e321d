import { describe, expect, it } from "vitest";
import { parseByteSize, renderByteSize } from "../../../src/config/byte-size.ts";

describe("parseByteSize", () => {
  it.each([
    ["0B", 0],
    ["300B", 300],
    ["1KiB", 1024],
    ["32MiB", 33_554_432],
    ["2GiB", 2_147_483_648],
  ])("reads %s as %d bytes", (text, bytes) => {
    expect(parseByteSize(text)).toBe(bytes);
  });

  it.each([
    ["", "nothing"],
    ["32", "no unit"],
    ["1KB", "1000 or 1024"],
    ["1M", "1000 or 1024"],
    ["1kib", "lower case"],
    ["1.5KiB", "a fraction"],
    ["-1B", "a sign"],
    ["1 KiB", "a blank"],
    ["9999999999999999GiB", "more than a number holds"],
  ])("refuses %j: %s", (text) => {
    expect(parseByteSize(text)).toBeUndefined();
  });
});

describe("renderByteSize", () => {
  it.each([
    [0, "0B"],
    [300, "300B"],
    [1024, "1KiB"],
    [1025, "1025B"],
    [33_554_432, "32MiB"],
    [2 ** 31, "2GiB"],
  ])("writes %d bytes as %s", (bytes, text) => {
    expect(renderByteSize(bytes)).toBe(text);
  });
});
