import { describe, expect, it } from "vitest";
import { validateRetryRules } from "../../../src/recommend/validate-retry-rules.ts";

const RULE = { name: "a", decision: "investigate", reason: "Because." };
const rule = (changes: object) => ({ rules: [{ ...RULE, ...changes }] });

describe("validateRetryRules finds", () => {
  it.each<readonly [string, unknown, string, string]>([
    ["an empty file", null, "", "expected a mapping, got null"],
    ["a list", [], "", "expected a mapping, got a list"],
    ["no rules", {}, "rules", "expected a list of rules, got nothing"],
    ["an unknown key", { rules: [], rule: [] }, "rule", "unknown key; expected one of defaults"],
    ["a rule that is a text", { rules: ["x"] }, "rules[0]", 'expected a mapping, got "x"'],
    ["no name", rule({ name: undefined }), "rules[0].name", "got nothing"],
    [
      "a name like a safeguard",
      rule({ name: "safeguard:no-match" }),
      "rules[0].name",
      "lower-case words",
    ],
    ["a name of capitals", rule({ name: "Disk" }), "rules[0].name", "lower-case words"],
    ["a taken name", { rules: [RULE, RULE] }, "rules[1].name", 'the name "a" is taken by rules[0]'],
    [
      "an unknown decision",
      rule({ decision: "Retry" }),
      "rules[0].decision",
      'expected one of retry, retry_after_fix, do_not_retry, investigate, got "Retry"',
    ],
    ["no decision", rule({ decision: undefined }), "rules[0].decision", "got nothing"],
    ["no reason", rule({ reason: undefined }), "rules[0].reason", "expected a sentence"],
    ["a blank reason", rule({ reason: " \n" }), "rules[0].reason", "empty text"],
    ["a reason over two lines", rule({ reason: "a\nb" }), "rules[0].reason", "on one line"],
    [
      "a reason of 501 characters",
      rule({ reason: "x".repeat(501) }),
      "rules[0].reason",
      "at most 500",
    ],
    ["a misspelt matcher", rule({ match: { famly: "x" } }), "rules[0].match.famly", "unknown key"],
    [
      "a matcher named like a prototype member",
      rule({ match: { constructor: "x" } }),
      "rules[0].match.constructor",
      "unknown key",
    ],
    [
      "a family that is a number",
      rule({ match: { family: ["x", 5] } }),
      "rules[0].match.family[1]",
      "got 5",
    ],
    ["an empty list", rule({ match: { tags: [] } }), "rules[0].match.tags", "at least one value"],
    [
      "an unknown strategy",
      rule({ match: { strategy: "again" } }),
      "rules[0].match.strategy",
      'got "again"',
    ],
    [
      "an unknown type",
      rule({ match: { error_type: ["panic", "oops"] } }),
      "rules[0].match.error_type[1]",
      'got "oops"',
    ],
    [
      "an unknown severity",
      rule({ match: { severity: "fatal" } }),
      "rules[0].match.severity",
      'got "fatal"',
    ],
    [
      "a status out of range",
      rule({ match: { http_status: [600] } }),
      "rules[0].match.http_status[0]",
      "got 600",
    ],
    [
      "a status in quotes",
      rule({ match: { http_status: "503" } }),
      "rules[0].match.http_status",
      'got "503"',
    ],
    [
      "a status of no hundred",
      rule({ match: { http_status: "9xx" } }),
      "rules[0].match.http_status",
      'got "9xx"',
    ],
    [
      "a record id that YAML read as a number",
      rule({ match: { record: 1e15 } }),
      "rules[0].match.record",
      "in quotes",
    ],
    [
      "labels that are a list",
      rule({ match: { labels: ["a"] } }),
      "rules[0].match.labels",
      "a list",
    ],
    [
      "a label value that is a mapping",
      rule({ match: { labels: { "a b": { c: 1 } } } }),
      'rules[0].match.labels["a b"]',
      "a mapping",
    ],
    [
      "an unknown confidence",
      rule({ match: { confidence: "sure" } }),
      "rules[0].match.confidence",
      "high",
    ],
    [
      "curated as a text",
      rule({ match: { curated: "yes" } }),
      "rules[0].match.curated",
      "true or false",
    ],
    [
      "attempts below one",
      rule({ decision: "retry", max_attempts: 0 }),
      "rules[0].max_attempts",
      "from 1 to 10",
    ],
    [
      "broken attempts",
      rule({ decision: "retry", max_attempts: 1.5 }),
      "rules[0].max_attempts",
      "whole number",
    ],
    [
      "attempts that go with nothing",
      rule({ max_attempts: 2 }),
      "rules[0].max_attempts",
      "not with investigate",
    ],
    [
      "a backoff that goes with nothing",
      rule({ decision: "do_not_retry", backoff: {} }),
      "rules[0].backoff",
      "not with do_not_retry",
    ],
    [
      "a backoff without unit",
      rule({ decision: "retry", backoff: { initial: 30 } }),
      "rules[0].backoff.initial",
      "duration",
    ],
    [
      "a negative wait",
      rule({ decision: "retry", backoff: { initial: "-1s" } }),
      "rules[0].backoff.initial",
      "duration",
    ],
    [
      "a wait over a day",
      rule({ decision: "retry", backoff: { max: "25h" } }),
      "rules[0].backoff.max",
      "from 1s to 1d",
    ],
    [
      "a backoff that shrinks",
      rule({ decision: "retry", backoff: { factor: 0.5 } }),
      "rules[0].backoff.factor",
      "from 1 to 10",
    ],
    [
      "too much jitter",
      rule({ decision: "retry", backoff: { jitter: 2 } }),
      "rules[0].backoff.jitter",
      "from 0 to 1",
    ],
    [
      "a maximum below the start",
      rule({ decision: "retry", backoff: { initial: "10m" } }),
      "rules[0].backoff",
      "max must not be below initial",
    ],
    ["a validity of no time", rule({ valid_for: "0s" }), "rules[0].valid_for", "from 1m to 1d"],
    [
      "a validity that is not a number",
      rule({ valid_for: Number.NaN }),
      "rules[0].valid_for",
      "got NaN",
    ],
    [
      "a foundation for a careful decision",
      rule({ match: { family: "timeout" }, rests_on: "Trust." }),
      "rules[0].rests_on",
      "the decision retry only",
    ],
    [
      "a foundation under everything",
      rule({ decision: "retry", rests_on: "Trust." }),
      "rules[0].rests_on",
      "needs a matcher",
    ],
    [
      "a foundation under a wildcard",
      rule({ decision: "retry", match: { family: ["timeout", "*"] }, rests_on: "Trust." }),
      "rules[0].rests_on",
      "needs a matcher",
    ],
    [
      "a foundation under a strategy",
      rule({
        decision: "retry",
        match: { strategy: "retry", severity: "error" },
        rests_on: "Trust.",
      }),
      "rules[0].rests_on",
      "needs a matcher",
    ],
    [
      "an empty foundation",
      rule({ decision: "retry", match: { family: "timeout" }, rests_on: "" }),
      "rules[0].rests_on",
      "empty text",
    ],
    ["a wave of one", { widespread_from: 1, rules: [] }, "widespread_from", "from 2"],
    [
      "odd defaults",
      { defaults: { valid_for: "1y" }, rules: [] },
      "defaults.valid_for",
      'got "1y"',
    ],
  ])("%s", (_says, parsed, path, message) => {
    const { rules, faults } = validateRetryRules(parsed);
    expect(rules).toBeUndefined();
    expect(faults).toContainEqual({ path, message: expect.stringContaining(message) as string });
  });

  it("all faults at once", () => {
    const parsed = {
      widespread_from: "x",
      rules: [{ name: "A" }, { ...RULE, match: { tags: 1, curated: 1 } }],
    };
    expect(validateRetryRules(parsed).faults.map((one) => one.path)).toEqual([
      ...["widespread_from", "rules[0].name", "rules[0].decision", "rules[0].reason"],
      ...["rules[1].match.tags", "rules[1].match.curated"],
    ]);
  });

  it("nothing that is long or breaks the line of a message", () => {
    const { faults } = validateRetryRules(rule({ decision: "x\n".repeat(9999) }));
    expect(faults[0]?.message).not.toContain("\n");
    expect(faults[0]?.message.length).toBeLessThan(200);
  });
});

describe("validateRetryRules reads", () => {
  it("defaults for what a rule leaves out, field by field", () => {
    const { rules } = validateRetryRules({
      defaults: { max_attempts: 4, backoff: { initial: "5s" }, valid_for: "1h30m" },
      rules: [{ ...RULE, decision: "retry", backoff: { max: "1m" } }],
    });
    expect(rules?.rules[0]).toMatchObject({
      maxAttempts: 4,
      backoff: { initialMs: 5000, factor: 2, maxMs: 60_000, jitter: 0.2 },
      validForMs: 5_400_000,
    });
    expect(rules?.validForMs).toBe(5_400_000);
  });

  it("a single value as a list of one, and folded text without its line feed", () => {
    const { rules } = validateRetryRules(rule({ reason: "Because.\n", match: { family: "io" } }));
    expect(rules?.rules[0]).toMatchObject({ reason: "Because.", match: { family: ["io"] } });
  });

  it("no attempts where nothing is repeated", () => {
    const { rules } = validateRetryRules(rule({}));
    expect(rules?.rules[0]).toMatchObject({ maxAttempts: undefined, backoff: undefined });
  });

  it("a rule that names what its retry rests on", () => {
    const changes = { decision: "retry", match: { http_status: 503 }, rests_on: "It is a read." };
    expect(validateRetryRules(rule(changes)).rules?.rules[0]?.restsOn).toBe("It is a read.");
  });
});
