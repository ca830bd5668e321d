import type { Annotations, Labels, TimestampNs } from "../alert/alert.ts";
import type { AnnotationProfile } from "../alert/annotation-profile.ts";
import type { CatalogueRecord } from "../record/known-error.ts";
import type { Match } from "../record/match.ts";
import type { Recommendation } from "../record/recommendation.ts";

/** What became of the alert, in the words of `error_outcome`; `skipped` renders nothing. */
export type AnnotatedOutcome =
  "matched" | "no_match" | "no_logs" | "logs_failed" | "deadline" | "skipped";

/** Settings of the operator. */
export interface AnnotationSettings {
  /** Put before every key; letters, digits and `_`, starting with a letter, at most 32 characters. */
  readonly prefix: string;
  /** Whether `error_outcome` is written when nothing was recognised. */
  readonly outcomeWithoutMatch: boolean;
}

export const ANNOTATION_DEFAULTS: AnnotationSettings = {
  prefix: "error_",
  outcomeWithoutMatch: false,
};

/** Links that exist; absent ones write no key. */
export interface AnnotationLinks {
  /** The episode's or record's page of Alertlore, absolute. */
  readonly page?: string;
  /** Explore link to the log lines, absolute. */
  readonly logs?: string;
}

/** All that annotations are made from. Texts of records and logs are taken for hostile. */
export interface AnnotationInput {
  readonly outcome: AnnotatedOutcome;
  /** Best first; the first is the primary match. */
  readonly matches: readonly Match[];
  readonly recordOf: (id: string) => CatalogueRecord | undefined;
  readonly recommendation: Recommendation | undefined;
  /** The alert's labels: they say where the error was seen. */
  readonly labels: Labels;
  /** Redacted lines that show the primary match, in order; may be empty. */
  readonly logLines: readonly string[];
  /** Time of the last of these lines; `undefined` when the lines came without a time. */
  readonly lastSeenNs: TimestampNs | undefined;
  readonly links: AnnotationLinks;
  readonly settings: AnnotationSettings;
}

/** Renders the annotations of one firing alert for every profile. Pure; never throws. */
export function renderAnnotations(
  _input: AnnotationInput,
): Readonly<Record<AnnotationProfile, Annotations>> {
  return { compact: {}, full: {} };
}
