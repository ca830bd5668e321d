import { renderDuration } from "../config/duration.ts";
import type { Match } from "../record/match.ts";
import type { Recommendation } from "../record/recommendation.ts";

/** A match as `alertlore match` and `POST /api/v1/match` write it. */
export interface MatchAnswer {
  readonly id: string;
  readonly repo: string;
  readonly errorMessage: string;
  readonly filePath: string;
  readonly score: number;
  readonly kind: Match["kind"];
  readonly confidence: Match["confidence"];
  readonly role: Match["role"];
  readonly captures: readonly string[];
  readonly line: number;
  readonly alternatives: Match["alternatives"];
  readonly evidence: Match["evidence"];
}

/** A recommendation in the same place; `null` where it says nothing. Durations as Prometheus writes them. */
export interface RecommendationAnswer {
  readonly decision: Recommendation["decision"];
  readonly max_attempts: number | null;
  readonly backoff: {
    readonly initial: string;
    readonly factor: number;
    readonly max: string;
    readonly jitter: number;
  } | null;
  readonly steps: readonly string[];
  readonly reason: string;
  readonly valid_until: string;
  readonly based_on: {
    readonly record: string | null;
    readonly rule: string;
    readonly curated: boolean;
  };
}

/** What was found in one case. */
export interface CaseAnswer {
  readonly id: string;
  /** Best first. */
  readonly matches: readonly MatchAnswer[];
  readonly recommendation: RecommendationAnswer;
}

/** Writes a match with the keys of the outside format. */
export function answerMatch(match: Match): MatchAnswer {
  const { recordId, repo, errorMessage, filePath, score, kind, confidence } = match;
  const { role, captures, line, alternatives, evidence } = match;
  const found = { id: recordId, repo, errorMessage, filePath, score, kind, confidence };
  return { ...found, role, captures, line, alternatives, evidence };
}

/** Writes a recommendation with the keys of the outside format. */
export function answerRecommendation(recommendation: Recommendation): RecommendationAnswer {
  const { decision, maxAttempts, backoff, steps, reason, basedOn } = recommendation;
  return {
    decision,
    max_attempts: maxAttempts ?? null,
    backoff: backoff
      ? {
          initial: renderDuration(backoff.initialMs),
          factor: backoff.factor,
          max: renderDuration(backoff.maxMs),
          jitter: backoff.jitter,
        }
      : null,
    steps,
    reason,
    valid_until: new Date(recommendation.validUntilMs).toISOString(),
    based_on: { record: basedOn.recordId ?? null, rule: basedOn.rule, curated: basedOn.curated },
  };
}
