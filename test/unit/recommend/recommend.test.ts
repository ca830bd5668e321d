import { describe, expect, it } from "vitest";
import type { Match } from "../../../src/record/match.ts";
import type { Decision } from "../../../src/record/recommendation.ts";
import { recommend, type RecommendationInput } from "../../../src/recommend/recommend.ts";
import { buildEntry, buildMatch, buildRules, lookUp } from "../../support/advice-builders.ts";

/** Says `retry` to everything: what comes out is what the safeguards leave. */
const BOLD = buildRules({
  rules: [
    { name: "bold", decision: "retry", reason: "Be bold.", max_attempts: 7, valid_for: "10m" },
  ],
});
const transient = buildEntry({ handlingStrategy: "retry" }, "starter");

function advise(changes: Partial<RecommendationInput> = {}) {
  return recommend({
    matches: [buildMatch()],
    recordOf: lookUp(transient),
    labels: {},
    status: "firing",
    provenance: "pinned",
    nowMs: 1_000_000,
    history: {},
    rules: BOLD,
    ...changes,
  });
}

describe("recommend on one match", () => {
  it("gives the rule's decision, repetition, validity and reason for a curated transient error", () => {
    expect(advise()).toEqual({
      decision: "retry",
      maxAttempts: 7,
      backoff: { initialMs: 30_000, factor: 2, maxMs: 300_000, jitter: 0.2 },
      steps: ["Start the engine.", "Replace the engine."],
      reason: "Be bold.",
      validUntilMs: 1_600_000,
      basedOn: { recordId: "00000000000000aa", rule: "bold", curated: true },
    });
  });

  it("investigates when nothing was recognised", () => {
    const advice = advise({ matches: [], provenance: undefined });
    expect(advice.decision).toBe("investigate");
    expect(advice.basedOn).toEqual({
      recordId: undefined,
      rule: "safeguard:no-match",
      curated: false,
    });
    expect(advice.steps).toEqual([]);
    expect(advice.maxAttempts).toBeUndefined();
  });

  it("investigates when the record has left the catalogue", () => {
    const advice = advise({ recordOf: () => undefined });
    expect(advice.basedOn.rule).toBe("safeguard:record-gone");
    expect(advice.decision).toBe("investigate");
  });

  it("investigates when no rule fits", () => {
    const advice = advise({ rules: buildRules({ rules: [] }) });
    expect([advice.decision, advice.basedOn.rule]).toEqual(["investigate", "safeguard:no-rule"]);
  });

  it("lets the first rule that fits decide", () => {
    const rules = buildRules({
      rules: [
        { name: "other", match: { family: "x" }, decision: "retry", reason: "No." },
        { name: "first", decision: "do_not_retry", reason: "First." },
        { name: "second", decision: "retry", reason: "Second." },
      ],
    });
    expect(advise({ rules }).basedOn.rule).toBe("first");
  });
});

describe("recommend on several matches", () => {
  const rules = buildRules({
    rules: (["retry", "retry_after_fix", "do_not_retry", "investigate"] as const).map(
      (decision) => ({
        name: decision.replaceAll("_", "-"),
        match: { tags: [decision.replaceAll("_", "-")] },
        decision,
        reason: `${decision}.`,
      }),
    ),
  });
  const ids: Readonly<Record<Decision, string>> = {
    retry: "00000000000000a1",
    retry_after_fix: "00000000000000a2",
    do_not_retry: "00000000000000a3",
    investigate: "00000000000000a4",
  };
  const recordOf = lookUp(
    ...Object.entries(ids).map(([decision, id]) =>
      buildEntry(
        { id, handlingStrategy: "retry", tags: [decision.replaceAll("_", "-")] },
        "starter",
      ),
    ),
  );
  const match = (decision: Decision, role: Match["role"], changes: Partial<Match> = {}) =>
    buildMatch({ recordId: ids[decision], role, ...changes });

  it.each([
    [
      "the cause decides over its wrapper",
      [match("retry", "cause"), match("do_not_retry", "wrapper")],
      "retry",
    ],
    [
      "also when the wrapper ranks first",
      [match("do_not_retry", "wrapper"), match("retry", "cause")],
      "retry",
    ],
    [
      "a single error decides over a wrapper",
      [match("retry", "wrapper"), match("retry_after_fix", "single")],
      "retry_after_fix",
    ],
    [
      "wrappers alone are independent",
      [match("retry", "wrapper"), match("do_not_retry", "wrapper")],
      "do_not_retry",
    ],
    [
      "do_not_retry over investigate",
      [match("investigate", "single"), match("do_not_retry", "single")],
      "do_not_retry",
    ],
    [
      "investigate over retry_after_fix",
      [match("retry_after_fix", "single"), match("investigate", "cause")],
      "investigate",
    ],
    [
      "retry_after_fix over retry",
      [match("retry", "cause"), match("retry_after_fix", "cause")],
      "retry_after_fix",
    ],
    [
      "a doubtful one makes a retry uncertain",
      [match("retry", "single"), match("retry", "single", { confidence: "medium" })],
      "investigate",
    ],
    [
      "a doubtful do_not_retry is only a doubt",
      [match("retry", "single"), match("do_not_retry", "single", { kind: "similar" })],
      "investigate",
    ],
    [
      "a weak wrapper does not matter",
      [match("retry", "cause"), match("retry", "wrapper", { confidence: "low" })],
      "retry",
    ],
  ] as const)("%s", (_says, matches, decision) => {
    const advice = advise({ rules, recordOf, matches: [...matches] });
    expect(advice.decision).toBe(decision);
  });

  it("names the record that decided, the better match among equals", () => {
    const matches = [match("retry", "single"), match("do_not_retry", "single")];
    expect(advise({ rules, recordOf, matches }).basedOn.recordId).toBe(ids.do_not_retry);
    const equals = [match("retry", "single", { score: 0.95 }), match("retry", "cause")];
    expect(advise({ rules, recordOf, matches: equals }).decision).toBe("retry");
  });
});

describe("recommend on status and history", () => {
  const never = buildRules({ rules: [{ name: "never", decision: "do_not_retry", reason: "No." }] });
  const rules = buildRules({
    widespread_from: 20,
    rules: [{ name: "bold", decision: "retry", reason: "Be bold." }],
  });

  it.each([
    ["a resolved alert", { status: "resolved" as const }, "resolved"],
    ["the 20th open episode of a record", { history: { openEpisodesOfRecord: 20 } }, "widespread"],
    ["500 open episodes of a class", { history: { openEpisodesOfClass: 500 } }, "widespread"],
    ["a retry that did not last", { history: { retriesOnSameLabels: 1 } }, "retried-before"],
  ])("investigates on %s", (_says, changes, rule) => {
    const advice = advise({ rules, ...changes });
    expect([advice.decision, advice.basedOn.rule]).toEqual(["investigate", `safeguard:${rule}`]);
    expect(advice.maxAttempts).toBeUndefined();
  });

  it("still retries below these numbers", () => {
    const history = { retriesOnSameLabels: 0, openEpisodesOfRecord: 19, openEpisodesOfClass: 19 };
    expect(advise({ rules, history }).decision).toBe("retry");
  });

  it("says how often and how many", () => {
    const again = advise({ rules, history: { retriesOnSameLabels: 3 } });
    expect(again.reason).toContain("3 times");
    expect(advise({ rules, history: { retriesOnSameLabels: 1 } }).reason).toContain("once");
    expect(advise({ rules, history: { openEpisodesOfRecord: 41 } }).reason).toMatch(
      /^Widespread: 41 /,
    );
  });

  it("keeps do_not_retry whatever the history, but not for a resolved alert", () => {
    const history = { retriesOnSameLabels: 3, openEpisodesOfRecord: 500 };
    expect(advise({ rules: never, history }).basedOn.rule).toBe("never");
    expect(advise({ rules: never, status: "resolved" }).decision).toBe("investigate");
  });

  it("calls an unknown error widespread only by its number", () => {
    const advice = advise({ rules, matches: [], history: { retriesOnSameLabels: 2 } });
    expect(advice.basedOn.rule).toBe("safeguard:no-match");
  });
});
