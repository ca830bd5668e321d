import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type {
  CatalogueRecord,
  HandlingStrategy,
  KnownError,
  RecordOrigin,
} from "../../../src/record/known-error.ts";
import type { Provenance } from "../../../src/log/excerpt.ts";
import type { Confidence } from "../../../src/record/match.ts";
import type { Decision } from "../../../src/record/recommendation.ts";
import { findRule } from "../../../src/recommend/find-rule.ts";
import { recommend } from "../../../src/recommend/recommend.ts";
import { reviewRules } from "../../../src/recommend/review-rules.ts";
import type { RetryRule } from "../../../src/recommend/retry-rules.ts";
import { buildEntry, buildMatch, lookUp, shippedRules } from "../../support/advice-builders.ts";
import { allowedValues } from "../../support/record-values.ts";
import { requireShared } from "../../support/shared.ts";

const RULES = shippedRules();

const STRATEGIES = allowedValues("handlingStrategy");
const TYPES = allowedValues("errorType");
const SEVERITIES = allowedValues("severity");
const CONFIDENCES: readonly Confidence[] = ["high", "medium", "low"];
const ORIGINS: readonly RecordOrigin[] = ["dataset", "starter", "operator"];
const PROVENANCES: readonly Provenance[] = [
  ...(["excerpt", "query", "rule", "pinned", "widened", "prose"] as const),
];
const FAMILIES: readonly (string | null)[] = [
  ...["connection-refused", "timeout", "rate-limited", "resource-exhausted", "disk-full"],
  ...["storage-quota-exceeded", "memory-limit", "permission-denied", "record-not-found"],
  ...["invalid-argument", "parse-failure", "internal-invariant-violation", "io-failure"],
  ...["data-corruption", null],
];

function advise(
  entry: CatalogueRecord,
  confidence: Confidence = "high",
  provenance: Provenance = "pinned",
) {
  return recommend({
    matches: [buildMatch({ confidence, recordId: entry.record.id })],
    recordOf: lookUp(entry),
    labels: {},
    status: "firing",
    provenance,
    nowMs: 0,
    history: {},
    rules: RULES,
  });
}

/** Every record that the enums and the usual families can make. */
const KINDS: readonly Partial<KnownError>[] = STRATEGIES.flatMap((handlingStrategy) =>
  TYPES.flatMap((errorType) =>
    SEVERITIES.flatMap((severity) =>
      FAMILIES.map((backgroundTag) => ({ handlingStrategy, errorType, severity, backgroundTag })),
    ),
  ),
);

/** Every combination of confidence and provenance but the certain ones. */
const DOUBTS = CONFIDENCES.flatMap((confidence) =>
  PROVENANCES.map((provenance) => ({ confidence, provenance })),
).filter(
  ({ confidence, provenance }) =>
    confidence !== "high" || provenance === "widened" || provenance === "prose",
);

describe("rules/retry.yaml", () => {
  it("has a rule for every strategy, type, severity and usual family, curated or not", () => {
    const missed = KINDS.flatMap((kind) =>
      ORIGINS.map((origin) => buildEntry(kind, origin))
        .filter(
          (entry) =>
            findRule(RULES.rules, { match: { confidence: "high" }, entry, labels: {} }) ===
            undefined,
        )
        .map(() => kind),
    );
    expect(missed).toEqual([]);
  });

  it("gives an upstream record never a retry, and one without solutions never a retry after a fix", () => {
    for (const kind of KINDS) {
      expect(advise(buildEntry(kind)).decision).not.toBe("retry");
      const bare = advise(buildEntry({ ...kind, solutions: [] })).decision;
      expect(["investigate", "do_not_retry"]).toContain(bare);
    }
  });

  it("gives a retry to curated records that say so, outside the families that forbid it", () => {
    const forbidden = new Set([
      ...["disk-full", "storage-quota-exceeded", "memory-limit", "resource-exhausted"],
      ...["permission-denied", "data-corruption"],
    ]);
    for (const kind of KINDS)
      for (const origin of ORIGINS) {
        const curated = origin !== "dataset";
        const may =
          curated && kind.handlingStrategy === "retry" && !forbidden.has(kind.backgroundTag ?? "");
        expect(
          advise(buildEntry(kind, origin)).decision === "retry",
          JSON.stringify({ kind, origin }),
        ).toBe(may);
      }
  });

  it("investigates below high confidence and on widened lines or prose, whatever the record", () => {
    expect(DOUBTS.length).toBe(14);
    for (const kind of KINDS) {
      const entry = buildEntry(kind, "starter");
      for (const { confidence, provenance } of DOUBTS) {
        expect(advise(entry, confidence, provenance).decision).toBe("investigate");
      }
    }
  });

  it("has no rule that an earlier one leaves nothing to", () => {
    const dead = RULES.rules.filter(
      (rule) => !samplesOf(rule).some((sample) => ruleFor(sample) === rule),
    );
    expect(dead.map((rule) => rule.name)).toEqual([]);
  });

  it("has no rule that the check would call dead", () => {
    expect(reviewRules(RULES.rules).dead).toEqual([]);
  });

  it("gives each rule a full sentence for its reason", () => {
    for (const rule of RULES.rules) expect(rule.reason, rule.name).toMatch(/^[A-Z].{20,}\.$/);
  });

  it("lets no rule rest a retry on anything but curated records", () => {
    for (const rule of RULES.rules) {
      expect(rule.restsOn, rule.name).toBeUndefined();
      if (rule.decision === "retry")
        expect(rule.match, rule.name).toMatchObject({ curated: true, strategy: ["retry"] });
    }
  });
});

function ruleFor(entry: CatalogueRecord): RetryRule | undefined {
  return findRule(RULES.rules, { match: { confidence: "high" }, entry, labels: {} });
}

/** Records made of a rule's own matchers: every combination of its values. */
function samplesOf(rule: RetryRule): readonly CatalogueRecord[] {
  const { match } = rule;
  const names = (patterns: readonly string[] | undefined) =>
    patterns?.map((one) => one.replace("*", "zz"));
  const statuses = match.httpStatus?.map((one) =>
    typeof one === "number" ? one : Number(one[0]) * 100 + 77,
  );
  const origins: readonly RecordOrigin[] = match.curated === true ? ["starter"] : ["dataset"];
  const kinds = (match.strategy ?? STRATEGIES).flatMap((strategy) =>
    (match.errorType ?? TYPES).flatMap((errorType) =>
      (match.severity ?? SEVERITIES).flatMap((severity) =>
        (names(match.family) ?? [null]).flatMap((backgroundTag) =>
          (statuses ?? [null]).flatMap((httpStatus) =>
            (names(match.tags) ?? [undefined]).map((tag) => ({
              handlingStrategy: strategy === "none" ? null : strategy,
              tags: tag === undefined ? [] : [tag],
              ...{ errorType, severity, backgroundTag, httpStatus },
            })),
          ),
        ),
      ),
    ),
  );
  return kinds.flatMap((kind) => origins.map((origin) => buildEntry(kind, origin)));
}

describe("rules/retry.yaml on the usual families", () => {
  const decisions: readonly (readonly [string, HandlingStrategy | null, Decision, string])[] = [
    ["connection-refused", "retry", "retry_after_fix", "connection-refused"],
    ["broker-unreachable", "retry", "retry_after_fix", "connection-refused"],
    ["timeout", "retry", "retry_after_fix", "timeout"],
    ["connector-start-timeout", "retry", "retry_after_fix", "timeout"],
    ["rate-limited", "retry", "retry_after_fix", "rate-limited"],
    ["cluster-recovering", "retry", "retry_after_fix", "unavailable"],
    ["resource-exhausted", "retry", "retry_after_fix", "resource-exhausted"],
    ["disk-full", "retry", "retry_after_fix", "disk-full"],
    ["storage-quota-exceeded", "retry", "retry_after_fix", "storage-quota-exceeded"],
    ["memory-limit", "retry", "retry_after_fix", "memory-limit"],
    ["query-memory-limit", "retry", "retry_after_fix", "memory-limit"],
    ["permission-denied", "retry", "retry_after_fix", "permission-denied"],
    ["license-invalid", "validation", "retry_after_fix", "licence"],
    ["binlog-misconfigured", "validation", "retry_after_fix", "misconfiguration"],
    ["vnode-mapping-mismatch", "retry", "retry_after_fix", "layout-changed"],
    ["io-failure", "retry", "retry_after_fix", "io-failure"],
    ["io-failure", "try-catch", "investigate", "io-failure-unclear"],
    ["internal-invariant-violation", "retry", "retry_after_fix", "strategy-retry"],
    ["internal-invariant-violation", "validation", "investigate", "internal-invariant-violation"],
    ["record-not-found", "validation", "do_not_retry", "record-not-found"],
    ["topic-not-found", "retry", "do_not_retry", "record-not-found"],
    ["invalid-argument", "retry", "do_not_retry", "invalid-argument"],
    ["parse-failure", "fallback", "do_not_retry", "parse-failure"],
    ["data-corruption", "retry", "do_not_retry", "data-corruption"],
    ["checksum-mismatch", "fallback", "do_not_retry", "data-corruption"],
    ["unique-violation", "try-catch", "do_not_retry", "already-written"],
  ];

  it.each(decisions)(
    "%s with strategy %s upstream: %s",
    (backgroundTag, handlingStrategy, decision, rule) => {
      const advice = advise(buildEntry({ backgroundTag, handlingStrategy }));
      expect([advice.decision, advice.basedOn.rule]).toEqual([decision, rule]);
    },
  );

  it.each<readonly [number, Decision]>([
    [400, "do_not_retry"],
    [401, "retry_after_fix"],
    [403, "retry_after_fix"],
    [404, "do_not_retry"],
    [408, "retry_after_fix"],
    [429, "retry_after_fix"],
    [500, "investigate"],
    [503, "retry_after_fix"],
    [507, "retry_after_fix"],
  ])("status %i upstream: %s", (httpStatus, decision) => {
    expect(advise(buildEntry({ httpStatus, errorType: "http" })).decision).toBe(decision);
  });

  it.each<readonly [string, number]>([
    ["connection-refused", 5],
    ["rate-limited", 5],
    ["cluster-recovering", 5],
    ["timeout", 3],
    ["anything-else", 3],
  ])("curated and transient %s: retry at most %i times", (backgroundTag, attempts) => {
    const advice = advise(buildEntry({ backgroundTag, handlingStrategy: "retry" }, "starter"));
    expect([advice.decision, advice.maxAttempts]).toEqual(["retry", attempts]);
    expect(advice.backoff).toBeDefined();
  });

  it("gives no record of the corpus a retry while it is an upstream one", (context) => {
    const file = requireShared(context, "corpus/records.jsonl");
    const records = readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as KnownError);
    expect(records.length).toBeGreaterThan(40);
    for (const record of records) {
      const entry = { ...buildEntry(), record };
      const { decision } = advise(entry);
      expect(decision, record.errorMessage).not.toBe("retry");
      if (record.handlingStrategy === "retry" && record.solutions.length === 0)
        expect(decision).toBe("investigate");
    }
  });
});
