import type { Labels } from "../alert/alert.ts";
import type { Excerpt } from "../log/excerpt.ts";
import { explainRecord } from "../match/explain-record.ts";
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

/** Says in sentences why a record was found in an excerpt or why not. */
export type Why = (excerpt: Excerpt, labels: Labels, recordId: string) => readonly string[];

/** Creates the explanation of one record's hit or miss; it goes the same way as `createExplainer`. */
export function createWhy({ loaded, redact, threshold }: ExplainOptions): Why {
  const { catalogue, scopes } = loaded;
  return (excerpt, labels, recordId) => {
    const parsed = parseExcerpt(redactExcerpt(excerpt, redact));
    return explainRecord(catalogue, parsed, { labels, threshold, scopes }, recordId);
  };
}

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
    return { excerpt: redacted, matches: matches.map((match) => nameChanges(match, loaded)) };
  };
}

/** What the operator changed of the record, and what it was taken before, says so beside what speaks for the match. */
function nameChanges(match: Match, { store }: LoadedCatalogue): Match {
  const entry = store.get(match.recordId);
  const changes = [
    ...(entry?.overrides ?? []).map((detail) => ({ name: "override", points: 0, detail })),
    ...(entry?.overlays ?? []).map((detail) => ({ name: "overlay", points: 0, detail })),
  ];
  return changes.length === 0 ? match : { ...match, evidence: [...match.evidence, ...changes] };
}
