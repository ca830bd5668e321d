import type { LabelMatcher } from "../alert/label-matcher.ts";
import type { Source } from "../alert/episode.ts";
import type { AnnotationSettings } from "../annotate/annotation-settings.ts";
import type { ExploreSettings } from "../annotate/render-explore-link.ts";
import type { RedactOptions } from "../redact/redact-options.ts";
import type { RetryRules } from "../recommend/retry-rules.ts";
import type { SelectOptions } from "../select/select-excerpt.ts";
import type { LogSettings } from "./find-logs.ts";

/** `shadow` works everything out and counts, but changes no alert; `off` only hands alerts on. */
export type EnrichMode = "on" | "shadow" | "off";

/** What the operator chose for the way of an alert. */
export interface EnrichSettings {
  readonly source: Source;
  readonly mode: EnrichMode;
  /** Alerts that are enriched: those for which one list holds; all when empty. */
  readonly match: readonly (readonly LabelMatcher[])[];
  /** Alerts that are not, whatever `match` says. */
  readonly skip: readonly (readonly LabelMatcher[])[];
  readonly select: SelectOptions;
  /** How log lines are asked for. */
  readonly logs: LogSettings;
  /** How log lines are linked to; `undefined`: they are not. */
  readonly explore: ExploreSettings | undefined;
  /** Where people reach the pages, without a final slash; `undefined`: nothing links to them. */
  readonly pagesUrl: string | undefined;
  /** What is masked in the queries that are kept and linked to. */
  readonly redact: RedactOptions;
  readonly rules: RetryRules;
  readonly annotate: AnnotationSettings;
  /** Whether the summary is also appended to the alert's `description`. */
  readonly appendToDescription: boolean;
}
