import { describe, expect, it } from "vitest";
import { createLineLookup, locateJson, locateKey } from "../../../src/catalogue/locate-json.ts";

describe("locateJson", () => {
  it.each([
    ["[]", []],
    [' [ {"a":1},\n {"b":[2,{}]} , 3 ]', [3, 13, 28]],
    ['["a,]","b\\"]",null]', [1, 7, 14]],
    ['{"a":[1]}', []],
    ["7", []],
  ])("finds the members of %s", (text, members) => {
    expect(locateJson(text)).toEqual({ brokenAt: undefined, members });
  });

  it.each([
    ["", 0],
    ["[1,]", 3],
    ["[1 2]", 3],
    ['{"a" 1}', 5],
    ['{"a":1,}', 7],
    ["{a:1}", 1],
    ['["a', 3],
    ['["a\nb"]', 3],
    ['["\\q"]', 2],
    ['["\\u12x4"]', 2],
    ["[01]", 2],
    ["[tru]", 1],
    ["{} {}", 3],
    ['{"a":1', 6],
    ["[".repeat(100_000), 500],
  ])("finds where text %# breaks", (text, offset) => {
    expect(locateJson(text).brokenAt).toBe(offset);
  });

  it("keeps the members that stand before the break", () => {
    expect(locateJson('[{"a":1}, {"b":').members).toEqual([1, 10]);
  });
});

describe("locateKey", () => {
  const text = '[{"a": {"b": 1}, "b": 2, "c\\u0064": 3}]';
  it.each([
    ["a", 2],
    ["b", 17],
    ["missing", 1],
  ])("finds %s of the object itself, not of one within", (key, offset) => {
    expect(locateKey(text, 1, key)).toBe(offset);
  });

  it("gives the place of the object where it is broken or none", () => {
    expect(locateKey('{"a" 1', 0, "b")).toBe(0);
    expect(locateKey("7", 0, "b")).toBe(0);
  });
});

describe("createLineLookup", () => {
  it.each([
    [0, 1],
    [2, 1],
    [3, 2],
    [4, 3],
    [5, 3],
    [99, 3],
  ])("offset %d is on line %d", (offset, line) => {
    expect(createLineLookup("ab\n\ncd")(offset)).toBe(line);
  });
});
