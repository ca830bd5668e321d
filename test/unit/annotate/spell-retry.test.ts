import { describe, expect, it } from "vitest";
import { spellRetry } from "../../../src/annotate/spell-retry.ts";
import { buildRecommendation } from "../../support/advice-builders.ts";

const backoff = { initialMs: 90_000, factor: 2, maxMs: 300_000, jitter: 0.2 };

describe("spellRetry", () => {
  it.each([
    [
      { decision: "retry" as const, maxAttempts: 3, backoff, validUntilMs: 1_773_217_800_123 },
      "retry (max 3, wait 1m30s, until 2026-03-11T08:30:00Z)",
    ],
    [
      {
        decision: "retry_after_fix" as const,
        maxAttempts: 2,
        backoff: { ...backoff, initialMs: 30_000 },
      },
      "retry_after_fix (max 2, wait 30s, until 1970-01-01T00:15:00Z)",
    ],
    [{ decision: "do_not_retry" as const }, "do_not_retry"],
    [{ decision: "investigate" as const }, "investigate"],
    [
      {
        decision: "investigate" as const,
        basedOn: { recordId: "x", rule: "safeguard:widespread", curated: true },
      },
      "investigate (widespread)",
    ],
    [
      {
        decision: "investigate" as const,
        basedOn: { recordId: "x", rule: "safeguard:retried-before", curated: true },
      },
      "investigate (retried before)",
    ],
    [
      { decision: "retry" as const, maxAttempts: 1, validUntilMs: Number.POSITIVE_INFINITY },
      "retry (max 1)",
    ],
    [
      { decision: "retry" as const, maxAttempts: 1, backoff: { ...backoff, initialMs: 0 } },
      "retry (max 1, wait 0s, until 1970-01-01T00:15:00Z)",
    ],
  ])("%j is %j", (changes, spelled) => {
    expect(spellRetry(buildRecommendation(changes))).toBe(spelled);
  });
});
