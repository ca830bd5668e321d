import { describe, expect, it } from "vitest";
import { compileExpression, MATCHED_CHARS_MAX } from "../../../src/alert/anchored-expression.ts";
import { ExpressionError } from "../../../src/alert/parse-expression.ts";

describe("compileExpression", () => {
  it.each([
    ["", ["", "!a"]],
    ["abc", ["abc", "!xabc", "!abcx", "!ab"]],
    ["Watchdog|InfoInhibitor", ["Watchdog", "InfoInhibitor", "!WatchdogInfoInhibitor"]],
    ["a|", ["a", "", "!b"]],
    ["rw-.*", ["rw-", "rw-meta-0", "!xrw-"]],
    ["a+", ["a", "aaa", "!", "!ab"]],
    ["a?b", ["b", "ab", "!aab"]],
    ["a*?b+?", ["b", "aabb", "!a"]],
    ["(foo|bar)*baz", ["baz", "foobarbaz", "!fobaz"]],
    ["(?:a|b)c", ["ac", "bc", "!c"]],
    ["(?P<x>a)(?<y>b)", ["ab"]],
    ["a{2}", ["aa", "!a", "!aaa"]],
    ["a{2,}", ["aa", "aaaa", "!a"]],
    ["a{0,2}", ["", "aa", "!aaa"]],
    ["a{0}b", ["b", "!ab"]],
    ["x{,3}", ["x{,3}", "!xxx"]],
    ["a{b", ["a{b"]],
    ["(a*)*", ["", "aaa", "!b"]],
    ["(){3}a", ["a"]],
    ["[abc]", ["a", "c", "!d", "!ab"]],
    ["[a-c0-9]+", ["b7", "!d"]],
    ["[^a-c]", ["d", "\n", "!a"]],
    ["[]a]+", ["]a", "!b"]],
    ["[^]a]", ["b", "!]", "!a"]],
    ["[a-]+", ["a-", "!b"]],
    [String.raw`[\d\-.]+`, ["1-2.3", "!a"]],
    [String.raw`[\W]`, ["-", "!a", "!_"]],
    ["[[:alpha:]_]+", ["aZ_", "!1"]],
    ["[[:^digit:]]", ["a", "!1"]],
    [String.raw`\d{3}-\w+`, ["123-a_1", "!12-a"]],
    [String.raw`\s\S\D`, [" ab", "!aab", "! a1"]],
    [String.raw`\.\*\\\/`, [String.raw`.*\/`, "!a"]],
    [String.raw`\x41\x{1F600}`, ["A😀"]],
    [String.raw`a\tb\n`, ["a\tb\n"]],
    [".", ["a", "😀", "!\n", "!ab"]],
    ["(?s).", ["\n"]],
    ["(?s:.).", ["\na", "!a\n"]],
    ["(?i)Watch[D-F]og", ["WATCHdOG", "watchEog", "!watchgog"]],
    ["a(?i)b(?-i)c", ["aBc", "!ABc", "!aBC"]],
    ["(?i:é)", ["É"]],
    ["(?i)[^a]", ["b", "!A"]],
    ["^abc$", ["abc"]],
    ["a^b", ["!ab"]],
    ["(^|x)a(b|$)", ["a", "xab", "!ya"]],
    [String.raw`\Aab\z`, ["ab"]],
    [String.raw`.*\bfoo\b.*`, ["a foo b", "foo", "!afoo"]],
    [String.raw`a\Bb`, ["ab"]],
    ["日本.*", ["日本語"]],
  ])("%s fits what it says", (source, texts) => {
    const expression = compileExpression(source);
    for (const text of texts) {
      const isRefused = text.startsWith("!");
      const given = isRefused ? text.slice(1) : text;
      expect(expression.matches(given), JSON.stringify(given)).toBe(!isRefused);
    }
  });

  it.each([
    ["(", "this ( is not closed, at character 1"],
    ["ab)", "this ) closes nothing, at character 3"],
    ["a[b", "this [ is not closed, at character 2"],
    ["*a", "there is nothing before this *, at character 1"],
    ["a|+", "there is nothing before this +, at character 3"],
    ["a**", "this repeats a repetition, at character 3"],
    ["a{2}{3}", "this repeats a repetition, at character 5"],
    ["a{1001}", "a count must be at most 1000 and in order, at character 2"],
    ["a{3,2}", "a count must be at most 1000 and in order, at character 2"],
    ["(?=a)", "no group of this kind is supported, at character 1"],
    ["(?<!a)", "no group of this kind is supported, at character 1"],
    [String.raw`(a)\1`, "no such escape is supported, at character 4"],
    [String.raw`\p{L}`, "no such escape is supported, at character 1"],
    ["a\\", "no such escape is supported, at character 2"],
    ["[z-a]", "this is no range, at character 3"],
    [String.raw`[\d-z]`, "this is no range, at character 4"],
    ["(a{1000}){1000}", "the expression is too large"],
    ["(".repeat(200), "groups are nested too deep"],
  ])("refuses %s: %s", (source, message) => {
    const compile = () => compileExpression(source);
    expect(compile).toThrow(ExpressionError);
    expect(compile).toThrow(message);
  });

  it("takes empty parts a thousand times a thousand times without end in sight", () => {
    expect(compileExpression("(((((){1000}){1000}){1000}){1000})").matches("")).toBe(true);
  });

  it("follows expressions that ruin a backtracking engine", () => {
    const text = "a".repeat(MATCHED_CHARS_MAX);
    expect(compileExpression("(a+)+b").matches(text)).toBe(false);
    expect(compileExpression("(a|a)*").matches(text)).toBe(true);
    expect(compileExpression(".*.*.*.*x").matches(text)).toBe(false);
  });

  it("fits no text above its limit", () => {
    const text = "a".repeat(MATCHED_CHARS_MAX);
    expect(compileExpression(".*").matches(text)).toBe(true);
    expect(compileExpression(".*").matches(`${text}a`)).toBe(false);
  });
});
