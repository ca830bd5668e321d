import type { AlertStatus, Labels } from "../alert/alert.ts";
import type { Provenance } from "../log/excerpt.ts";
import type { CatalogueRecord } from "../record/known-error.ts";
import type { Match } from "../record/match.ts";
import type { Recommendation } from "../record/recommendation.ts";
import type { RetryRules } from "./retry-rules.ts";

/** What happened before; a number that is missing is not known and escalates nothing. */
export interface EpisodeHistory {
  /** Earlier firings on equal labels that got `retry` for the primary record within the window. */
  readonly retriesOnSameLabels?: number;
  /** Open episodes whose primary match is the same record, this one included. */
  readonly openEpisodesOfRecord?: number;
  /** Open episodes whose primary match is of the same class, this one included. */
  readonly openEpisodesOfClass?: number;
}

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
  readonly rules: RetryRules;
}

/** Turns the matches and the episode's history into one recommendation. Pure; never throws. */
export function recommend(input: RecommendationInput): Recommendation {
  return {
    decision: "investigate",
    maxAttempts: undefined,
    backoff: undefined,
    steps: [],
    reason: "Not known.",
    validUntilMs: input.nowMs + input.rules.validForMs,
    basedOn: { recordId: undefined, rule: "safeguard:no-match", curated: false },
  };
}
