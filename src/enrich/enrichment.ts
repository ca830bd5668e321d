import type { Annotations } from "../alert/alert.ts";
import type { AnnotationProfile } from "../alert/annotation-profile.ts";
import type { EpisodeId } from "../alert/episode.ts";
import type { Excerpt, Provenance } from "../log/excerpt.ts";
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

/** A physical line of an excerpt, as kept to be shown. */
export interface KeptLine {
  /** Index from 0 in the excerpt, as matches count lines. */
  readonly line: number;
  /** Column (UTF-16) of the excerpt's line at which `text` begins: a very long line is cut to a window. */
  readonly column: number;
  /** Milliseconds since the Unix epoch; `undefined` for a line that came without a time. */
  readonly timeMs: number | undefined;
  readonly text: string;
}

/** The lines of an excerpt that are kept with the episode: those of matches and what stands round them. */
export interface KeptExcerpt {
  readonly provenance: Provenance;
  /** Of the excerpt that was read; `lines` are fewer. */
  readonly linesTotal: number;
  /** Whether the excerpt itself was cut when it was taken. */
  readonly cut: boolean;
  readonly lines: readonly KeptLine[];
}

/** The line of an excerpt without a match that looks most like an error. */
export interface UnmatchedText {
  /** Its message with what varies as `{}`: equal for texts of one kind, at most 300 characters. */
  readonly shape: string;
  /** The line as it was logged, redacted, at most 600 characters. */
  readonly sample: string;
}

/** Everything worked out for one episode. */
export interface Enrichment {
  /** Empty when the deadline came before the episode was looked up. */
  readonly episodeId: EpisodeId;
  readonly outcome: Outcome;
  /** Redacted; `undefined` when there was nothing to read. */
  readonly excerpt: Excerpt | undefined;
  /** What of it is kept to be shown; absent on an enrichment that is read back. */
  readonly kept?: KeptExcerpt;
  /** Absent unless the outcome is `no_match`, and on an enrichment that is read back. */
  readonly unmatched?: UnmatchedText;
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
