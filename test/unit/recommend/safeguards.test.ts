import { describe, expect, it } from "vitest";
import type { Provenance } from "../../../src/log/excerpt.ts";
import type { CatalogueRecord } from "../../../src/record/known-error.ts";
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

interface RetryCase {
  readonly says: string;
  readonly entry: CatalogueRecord;
  readonly decision: Decision;
  readonly rule: string;
}

describe("recommend never retries on a bold rule alone", () => {
  const retry = { handlingStrategy: "retry" } as const;
  const cases: readonly RetryCase[] = [
    {
      says: "upstream record that says retry",
      entry: buildEntry(retry),
      decision: "retry_after_fix",
      rule: "safeguard:upstream-retry",
    },
    {
      says: "upstream record without solutions",
      entry: buildEntry({ ...retry, solutions: [] }),
      decision: "investigate",
      rule: "safeguard:no-steps",
    },
    {
      says: "upstream record with an overlay",
      entry: buildEntry(retry, "dataset", ["mine"]),
      decision: "retry",
      rule: "bold",
    },
    {
      says: "operator's record",
      entry: buildEntry(retry, "operator"),
      decision: "retry",
      rule: "bold",
    },
    {
      says: "curated record that does not say retry",
      entry: buildEntry({}, "starter"),
      decision: "retry_after_fix",
      rule: "safeguard:unfounded-retry",
    },
    {
      says: "curated disk-full",
      entry: buildEntry({ ...retry, backgroundTag: "disk-full" }, "starter"),
      decision: "retry_after_fix",
      rule: "safeguard:hazard-disk",
    },
    {
      says: "curated quota",
      entry: buildEntry({ ...retry, backgroundTag: "storage-quota-exceeded" }, "starter"),
      decision: "retry_after_fix",
      rule: "safeguard:hazard-quota",
    },
    {
      says: "curated memory",
      entry: buildEntry({ ...retry, tags: ["memory"] }, "starter"),
      decision: "retry_after_fix",
      rule: "safeguard:hazard-memory",
    },
    {
      says: "curated authentication",
      entry: buildEntry({ ...retry, httpStatus: 403 }, "starter"),
      decision: "retry_after_fix",
      rule: "safeguard:hazard-authentication",
    },
    {
      says: "curated corruption",
      entry: buildEntry({ ...retry, tags: ["corruption"] }, "starter"),
      decision: "do_not_retry",
      rule: "safeguard:hazard-corruption",
    },
    {
      says: "curated non-idempotent write",
      entry: buildEntry({ ...retry, tags: ["non-idempotent"] }, "starter"),
      decision: "do_not_retry",
      rule: "safeguard:hazard-non-idempotent-write",
    },
    {
      says: "curated hazard without solutions",
      entry: buildEntry({ ...retry, httpStatus: 401, solutions: [] }, "starter"),
      decision: "investigate",
      rule: "safeguard:no-steps",
    },
  ];

  it.each(cases)("$says: $decision", ({ entry, decision, rule }) => {
    const advice = advise({ recordOf: lookUp(entry) });
    expect([advice.decision, advice.basedOn.rule]).toEqual([decision, rule]);
  });

  it("retries an upstream record under a rule that names what it rests on, and says so", () => {
    const rules = buildRules({
      rules: [
        {
          name: "known",
          match: { family: "timeout" },
          decision: "retry",
          reason: "It passes.",
          rests_on: "Reads only.",
        },
      ],
    });
    const recordOf = lookUp(buildEntry({ backgroundTag: "timeout" }));
    const advice = advise({ rules, recordOf });
    expect(advice.decision).toBe("retry");
    expect(advice.reason).toBe("It passes. This rests on: Reads only.");
    expect(advice.basedOn.curated).toBe(false);
  });

  it.each([
    ["disk-full", "safeguard:hazard-disk"],
    ["permission-denied", "safeguard:hazard-authentication"],
    ["memory-limit", "safeguard:hazard-memory"],
    ["quota-exceeded", "safeguard:hazard-quota"],
    ["data-corruption", "safeguard:hazard-corruption"],
  ])("keeps the safeguard on %s even under such a rule", (family, rule) => {
    const rules = buildRules({
      rules: [
        {
          name: "known",
          match: { family },
          decision: "retry",
          reason: "It passes.",
          rests_on: "Hope.",
        },
      ],
    });
    const advice = advise({ rules, recordOf: lookUp(buildEntry({ backgroundTag: family })) });
    expect(advice.basedOn.rule).toBe(rule);
    expect(advice.decision).not.toBe("retry");
  });

  it("sees a hazard in what the log printed, also in what a wrapper printed", () => {
    const printed = buildMatch({ captures: ["No space left on device"] });
    expect(advise({ matches: [printed] }).decision).toBe("retry_after_fix");
    const wrapper = buildMatch({
      role: "wrapper",
      recordId: "00000000000000bb",
      captures: ["engine 7 stopped: Access Denied"],
    });
    const advice = advise({ matches: [buildMatch({ role: "cause" }), wrapper] });
    expect(advice.basedOn.rule).toBe("safeguard:hazard-authentication");
  });

  it("sees a hazard in an alternative that nothing tells apart", () => {
    const other = buildEntry({ id: "00000000000000bb", backgroundTag: "disk-full" });
    const alternatives = [{ id: "00000000000000bb", repo: "acme/disk", filePath: "a.rs" }];
    const advice = advise({
      matches: [buildMatch({ alternatives })],
      recordOf: lookUp(transient, other),
    });
    expect(advice.basedOn.rule).toBe("safeguard:hazard-disk");
  });
});

describe("recommend on doubtful matches", () => {
  const doubts: readonly (readonly [string, Partial<Match>, Provenance | undefined, string])[] = [
    ["medium confidence", { confidence: "medium", score: 0.7 }, "pinned", "weak-match"],
    ["low confidence", { confidence: "low", score: 0.3 }, "pinned", "weak-match"],
    ["a similar match", { kind: "similar" }, "pinned", "similar-match"],
    ["a widened query", {}, "widened", "widened-query"],
    ["prose", {}, "prose", "prose-only"],
    ["lines from nowhere", {}, undefined, "unknown-source"],
  ];

  it.each(doubts)("investigates on %s", (_says, changes, provenance, rule) => {
    const advice = advise({ matches: [buildMatch(changes)], provenance });
    expect([advice.decision, advice.basedOn.rule]).toEqual(["investigate", `safeguard:${rule}`]);
    expect(advice.backoff).toBeUndefined();
  });

  it.each(doubts)(
    "investigates on %s when the rule says do_not_retry, too",
    (_says, changes, provenance) => {
      const rules = buildRules({
        rules: [{ name: "never", decision: "do_not_retry", reason: "No." }],
      });
      expect(advise({ rules, matches: [buildMatch(changes)], provenance }).decision).toBe(
        "investigate",
      );
    },
  );

  it.each(["excerpt", "query", "rule", "pinned"] as const)("trusts lines from %s", (provenance) => {
    expect(advise({ provenance }).decision).toBe("retry");
  });

  it("trusts a truncated match of high confidence", () => {
    expect(advise({ matches: [buildMatch({ kind: "truncated" })] }).decision).toBe("retry");
  });
});
