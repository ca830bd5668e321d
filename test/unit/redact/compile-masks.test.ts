import { describe, expect, it } from "vitest";
import { MaskError, compileMask } from "../../../src/redact/compile-masks.ts";

describe("operators' masks", () => {
  it.each<[pattern: string, text: string, masked: string]>([
    ["ticket-[0-9]+", "see ticket-17, ticket-4.", "see *********, ********."],
    ["(?i)customer \\w+", "for Customer Miller", "for ******** ******"],
    ["secret", "a\nsecret\nb secret", "a\n******\nb ******"],
    ["a.b", "a\nb", "a\nb"],
    ["x", "nothing here", "nothing here"],
    ["ü+", "😀 üü 😀", "😀 ** 😀"],
  ])("%s masks %j", (pattern, text, masked) => {
    expect(compileMask(pattern)(text)).toBe(masked);
  });

  it.each([
    ["(", "is no RE2 expression"],
    ["(?=x)", "is no RE2 expression"],
    ["x*", "matches the empty text"],
    ["x".repeat(1001), "must not be longer than 1000 characters"],
  ])("refuses %s", (pattern, fault) => {
    expect(() => compileMask(pattern)).toThrow(MaskError);
    expect(() => compileMask(pattern)).toThrow(fault);
  });

  it("takes an expression that would not end in a backtracking engine", () => {
    const text = `${"a".repeat(5_000)}!`;
    expect(compileMask("(a+)+$")(text)).toBe(text);
  });
});
