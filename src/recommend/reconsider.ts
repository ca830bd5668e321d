import type { AlertStatus } from "../alert/alert.ts";
import type { Recommendation } from "../record/recommendation.ts";
import { type EpisodeHistory, escalate } from "./escalate.ts";
import { overruled, type Verdict } from "./verdict.ts";

/**
 * Looks again at advice that was given, by what is known now. It can only become more cautious: many
 * open episodes, the end of the alert, or the end of its validity make it `investigate`; all else about
 * it is frozen.
 *
 * @returns The advice it was given where nothing changes.
 */
export function reconsider(
  advice: Recommendation,
  now: {
    readonly status: AlertStatus;
    readonly history: EpisodeHistory;
    readonly widespreadFrom: number;
    /** Milliseconds since the Unix epoch. */
    readonly nowMs: number;
  },
): Recommendation {
  const given = verdictOf(advice, now.nowMs);
  const escalated = escalate(given, now.status, now.history, now.widespreadFrom);
  const { decision, rule, reason, maxAttempts, backoff } = endValidity(escalated);
  if (decision === advice.decision && rule === advice.basedOn.rule) return advice;
  return {
    ...advice,
    decision,
    maxAttempts,
    backoff,
    reason,
    basedOn: { ...advice.basedOn, rule },
  };
}

function endValidity(verdict: Verdict): Verdict {
  const repeats = verdict.decision === "retry" || verdict.decision === "retry_after_fix";
  if (!repeats || verdict.validForMs > 0) return verdict;
  const reason = "The advice was given too long ago to act on: look again.";
  return overruled(verdict, "investigate", "expired", reason);
}

function verdictOf(advice: Recommendation, nowMs: number): Verdict {
  const { decision, reason, maxAttempts, backoff, basedOn, validUntilMs } = advice;
  return {
    ...{ decision, reason, maxAttempts, backoff, rule: basedOn.rule },
    validForMs: validUntilMs - nowMs,
    restsOn: undefined,
    match: undefined,
    entry: undefined,
  };
}
