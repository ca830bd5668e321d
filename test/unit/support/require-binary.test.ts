import { describe, expect, test, vi } from "vitest";
import { findBinary, requireBinary } from "../../support/require-binary.ts";

const context = {
  skip: (note: string): never => {
    throw new Error(`skipped: ${note}`);
  },
};

describe("a program that is not installed", () => {
  test.each([
    ["skips the test with a sentence on a developer's machine", "", /^skipped: promtool is not/],
    ["fails the test under CI=true", "true", /^promtool is not installed .* forbids skipping$/],
  ])("%s", (_sentence, ci, message) => {
    vi.stubEnv("PATH", "/nonexistent");
    vi.stubEnv("CI", ci);
    expect(() => requireBinary(context, "promtool")).toThrow(message);
  });
});

test("the first name that stands in PATH is found", () => {
  expect(findBinary(["no-such-program", "sh"])).toMatch(/\/sh$/);
  expect(findBinary(["no-such-program"])).toBeUndefined();
});
