import type { AlertStatus, Labels } from "../alert/alert.ts";
import type { Provenance } from "../log/excerpt.ts";
import { type CatalogueRecord, isCurated } from "../record/known-error.ts";
import type { Match } from "../record/match.ts";
import type { Decision, Recommendation } from "../record/recommendation.ts";
import { type EpisodeHistory, escalate } from "./escalate.ts";
import { findRule } from "./find-rule.ts";
import type { RetryRules } from "./retry-rules.ts";
import { safeguard } from "./safeguards.ts";
import { type Verdict, verdictOfIgnorance, verdictOfRule } from "./verdict.ts";

/** All that advice is worked out from. */
export interface RecommendationInput {
  /** Best first; empty when nothing was recognised. */
  readonly matches: readonly Match[];
  readonly recordOf: (id: string) => CatalogueRecord | undefined;
  readonly labels: Labels;
  readonly status: AlertStatus;
  /** `undefined` when there was no excerpt. */
  readonly provenance: Provenance | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly nowMs: number;
  readonly history: EpisodeHistory;
  /** As `validateRetryRules` gave them. */
  readonly rules: RetryRules;
}

/**
 * Most cautious first.
 *
 * `do_not_retry` stands above `investigate`: it is the stronger claim. If one of several independent
 * errors is known to come back whatever else is repaired, then so is the failure as a whole, and to
 * answer "look into it" would hide that. Both stop automation, so nothing unsafe follows from the
 * order. A doubtful match cannot use it: a safeguard has turned its verdict into `investigate` before.
 */
const BY_CAUTION: readonly Decision[] = ["do_not_retry", "investigate", "retry_after_fix", "retry"];

/**
 * Turns the matches of one episode and its history into one recommendation.
 *
 * The first rule that fits each match speaks, then the safeguards, which a rule file cannot switch
 * off; only `rests_on` of a rule lifts the one against advice that nobody curated. In a chain the
 * innermost specific cause decides and its wrappers are not asked. Among independent errors the most
 * cautious decision counts, and of equal ones that of the better match. Steps, record and reason are
 * those of the match that decided.
 *
 * Pure, independent of load order and clock but for `nowMs`; never throws.
 */
export function recommend(input: RecommendationInput): Recommendation {
  const verdicts = decidingMatches(input.matches).map((match) => judge(match, input));
  const verdict = mostCautious(verdicts) ?? ignorant(input.rules);
  const { status, history, rules } = input;
  return advise(escalate(verdict, status, history, rules.widespreadFrom), input.nowMs);
}

function ignorant(rules: RetryRules): Verdict {
  return verdictOfIgnorance(rules, "no-match", "No known error was recognised for this alert.");
}

/** Causes and single errors; wrappers only where they are all there is. */
function decidingMatches(matches: readonly Match[]): readonly Match[] {
  const inner = matches.filter((match) => match.role !== "wrapper");
  return inner.length > 0 ? inner : matches;
}

function judge(match: Match, input: RecommendationInput): Verdict {
  const { rules, recordOf, provenance, labels } = input;
  const entry = recordOf(match.recordId);
  if (entry === undefined) {
    const reason = "The record of the recognised error is no longer in the catalogue.";
    return verdictOfIgnorance(rules, "record-gone", reason, match);
  }
  const rule = findRule(rules.rules, { match, entry, labels });
  if (rule === undefined) {
    const reason = "No rule says what to do about this error.";
    return { ...verdictOfIgnorance(rules, "no-rule", reason, match), entry };
  }
  const wrapperCaptures = input.matches
    .filter((other) => other.role === "wrapper" && other !== match)
    .flatMap((other) => other.captures);
  const verdict = verdictOfRule(rule, match, entry);
  return safeguard(verdict, { match, entry }, { provenance, wrapperCaptures, recordOf });
}

function mostCautious(verdicts: readonly Verdict[]): Verdict | undefined {
  return BY_CAUTION.map((decision) =>
    verdicts.find((verdict) => verdict.decision === decision),
  ).find((verdict) => verdict !== undefined);
}

function advise(verdict: Verdict, nowMs: number): Recommendation {
  const { entry, match, restsOn } = verdict;
  const rests = verdict.decision === "retry" && restsOn !== undefined;
  return {
    decision: verdict.decision,
    maxAttempts: verdict.maxAttempts,
    backoff: verdict.backoff,
    steps: entry?.record.solutions ?? [],
    reason: rests ? `${verdict.reason} This rests on: ${restsOn}` : verdict.reason,
    validUntilMs: nowMs + verdict.validForMs,
    basedOn: {
      recordId: match?.recordId,
      rule: verdict.rule,
      curated: entry !== undefined && isCurated(entry),
    },
  };
}
