import type { CatalogueRecord } from "../record/known-error.ts";
import type { Match } from "../record/match.ts";
import type { Backoff, Decision } from "../record/recommendation.ts";
import type { RetryRule, RetryRules } from "./retry-rules.ts";

/** A decision on its way through the safeguards. */
export interface Verdict {
  readonly decision: Decision;
  /** Name of the rule, or `safeguard:` and a name; rule names have no colon. */
  readonly rule: string;
  readonly reason: string;
  readonly maxAttempts: number | undefined;
  readonly backoff: Backoff | undefined;
  readonly validForMs: number;
  readonly restsOn: string | undefined;
  /** The match that is judged, with its record; `undefined` where there is none. */
  readonly match: Match | undefined;
  readonly entry: CatalogueRecord | undefined;
}

/** Everything but a rule that can have the last word; `docs/recommendations.md` explains each. */
export const SAFEGUARD_NAMES = [
  ...(["no-match", "record-gone", "no-rule"] as const),
  ...(["hazard-disk", "hazard-quota", "hazard-memory", "hazard-authentication"] as const),
  ...(["hazard-corruption", "hazard-non-idempotent-write"] as const),
  ...(["upstream-retry", "unfounded-retry", "no-steps"] as const),
  ...(["similar-match", "weak-match", "widened-query", "prose-only", "unknown-source"] as const),
  ...(["resolved", "widespread", "retried-before", "expired"] as const),
] as const;

/** One of them. */
export type SafeguardName = (typeof SAFEGUARD_NAMES)[number];

/** Prefix of what decided when no rule of the table did. */
const SAFEGUARD = "safeguard:";

/** How often, and how apart, when the table's rule does not say. */
const NO_REPETITION = { maxAttempts: undefined, backoff: undefined } as const;

/** What a rule says about a match. */
export function verdictOfRule(rule: RetryRule, match: Match, entry: CatalogueRecord): Verdict {
  const { decision, maxAttempts, backoff, validForMs, reason, restsOn } = rule;
  return {
    ...{ decision, maxAttempts, backoff, validForMs, reason, restsOn, match, entry },
    rule: rule.name,
  };
}

/** `investigate` where there is nothing that a rule could be asked about. */
export function verdictOfIgnorance(
  rules: RetryRules,
  name: SafeguardName,
  reason: string,
  match?: Match,
): Verdict {
  return {
    ...NO_REPETITION,
    decision: "investigate",
    rule: SAFEGUARD + name,
    reason,
    validForMs: rules.validForMs,
    restsOn: undefined,
    match,
    entry: undefined,
  };
}

/** The same verdict made more cautious by a safeguard. */
export function overruled(
  verdict: Verdict,
  decision: Decision,
  name: SafeguardName,
  reason: string,
): Verdict {
  const repetition = decision === "retry_after_fix" ? {} : NO_REPETITION;
  return { ...verdict, ...repetition, decision, rule: SAFEGUARD + name, reason };
}
