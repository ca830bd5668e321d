import { describe, expect, it } from "vitest";
import { fitsWildcard } from "../../../src/recommend/fit-wildcard.ts";

describe("fitsWildcard", () => {
  it.each([
    ["timeout", "timeout", true],
    ["timeout", "timeouts", false],
    ["timeout", "Timeout", false],
    ["*-timeout", "connector-start-timeout", true],
    ["*-timeout", "timeout", false],
    ["disk-*", "disk-", true],
    ["disk-*", "adisk-full", false],
    ["*", "", true],
    ["a*a", "a", false],
    ["a*b*c", "a-b-b-c", true],
    ["a*bc*c", "abc", false],
    ["*quota*", "storage-quota-exceeded", true],
    ["a.c", "abc", false],
    ["**", "x", true],
  ])("pattern %j on %j is %j", (pattern, text, fits) => {
    expect(fitsWildcard(pattern, text)).toBe(fits);
  });
});
