import type { Labels } from "../alert/alert.ts";
import type { Excerpt } from "../log/excerpt.ts";
import { markLines } from "../match/mark-lines.ts";
import { matchExcerpt } from "../match/match-excerpt.ts";
import { parseExcerpt } from "../parse/parse-excerpt.ts";
import type { Match } from "../record/match.ts";
import { redactExcerpt } from "../redact/redact-excerpt.ts";
import type { RedactOptions } from "../redact/redact-options.ts";
import type { LoadedCatalogue } from "./ports.ts";

/** What the explanation of an excerpt depends on besides its text and the alert's labels. */
export interface ExplainOptions {
  readonly loaded: LoadedCatalogue;
  readonly redact: RedactOptions;
  /** Lowest score to report. */
  readonly threshold: number;
}

/** What was recognised in an excerpt. */
export interface Explanation {
  /** Redacted; all that may be shown, logged or kept. */
  readonly excerpt: Excerpt;
  /** Best first. */
  readonly matches: readonly Match[];
}

/** Recognises known errors in an excerpt; pure but for the time it takes. */
export type Explain = (excerpt: Excerpt, labels: Labels) => Explanation;

/**
 * Creates the one way from an excerpt to its matches: redact, mark the lines of interest, parse, match.
 * The webhook, `alertlore match` and the match API all come through here, so that they never differ.
 */
export function createExplainer({ loaded, redact, threshold }: ExplainOptions): Explain {
  return (excerpt, labels) => {
    const redacted = redactExcerpt(excerpt, redact);
    const parsed = parseExcerpt(redacted, markLines(loaded.catalogue, redacted));
    const matches = matchExcerpt(loaded.catalogue, parsed, {
      labels,
      threshold,
      scopes: loaded.scopes,
    });
    return { excerpt: redacted, matches };
  };
}
