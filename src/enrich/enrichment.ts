import type { Annotations } from "../alert/alert.ts";
import type { AnnotationProfile } from "../alert/annotation-profile.ts";
import type { EpisodeId } from "../alert/episode.ts";
import type { Excerpt } from "../log/excerpt.ts";
import type { Match } from "../record/match.ts";
import type { Recommendation } from "../record/recommendation.ts";
import type { Outcome, UpstreamReason } from "./outcome.ts";

export type { AnnotationProfile };

/** What was asked of Loki for an episode; shown to people, so redacted. */
export interface LogTrace {
  readonly result: "found" | "empty" | "failed";
  /** Why it failed. */
  readonly reason?: UpstreamReason;
  /** The last that were asked; empty when none was. */
  readonly queries: readonly string[];
  /** Half-open range in whole milliseconds. */
  readonly startMs: number;
  readonly endMs: number;
  /** Whether the range is shorter than what the alert asked for. */
  readonly clamped: boolean;
}

/** Everything worked out for one episode. */
export interface Enrichment {
  /** Empty when the deadline came before the episode was looked up. */
  readonly episodeId: EpisodeId;
  readonly outcome: Outcome;
  /** Redacted; `undefined` when there was nothing to read. */
  readonly excerpt: Excerpt | undefined;
  /** Absent when Loki was not asked. */
  readonly logs?: LogTrace;
  /** Best first; empty unless the outcome is `matched`. */
  readonly matches: readonly Match[];
  /** Class of the primary match as shown in annotations; `undefined` without one. */
  readonly errorClass: string | undefined;
  readonly recommendation: Recommendation | undefined;
  /** To be merged into an alert's own annotations, by profile; empty objects when nothing is to be said. */
  readonly annotations: Readonly<Record<AnnotationProfile, Annotations>>;
}
