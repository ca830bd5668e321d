import type { Labels } from "../alert/alert.ts";
import type { Excerpt } from "../log/excerpt.ts";
import { recommend } from "../recommend/recommend.ts";
import type { RetryRules } from "../recommend/retry-rules.ts";
import type { Match } from "../record/match.ts";
import type { Recommendation } from "../record/recommendation.ts";
import type { Explain } from "./explain-excerpt.ts";
import type { Clock, RecordStore } from "./ports.ts";

/** What the explanation of a case needs. */
export interface CaseKit {
  readonly explain: Explain;
  readonly records: RecordStore;
  readonly rules: RetryRules;
  readonly clock: Clock;
}

/** What was found in lines that no alert came with. */
export interface ExplainedCase {
  /** Redacted. */
  readonly excerpt: Excerpt;
  /** Best first. */
  readonly matches: readonly Match[];
  /** As for an alert that fires now and has no history. */
  readonly recommendation: Recommendation;
}

/** Lines of one stream as an alert's own excerpt. */
export function excerptOfLines(lines: readonly string[]): Excerpt {
  const entries = lines.map((text) => ({ timestampNs: undefined, text, stream: "" }));
  return { entries, provenance: "excerpt", cut: false };
}

/** Explains lines of one stream; they are taken as an alert's own excerpt. */
export function explainCase(
  { explain, records, rules, clock }: CaseKit,
  lines: readonly string[],
  labels: Labels,
): ExplainedCase {
  const { excerpt, matches } = explain(excerptOfLines(lines), labels);
  const recommendation = recommend({
    matches,
    recordOf: (id) => records.get(id),
    labels,
    status: "firing",
    provenance: lines.length === 0 ? undefined : "excerpt",
    nowMs: clock.nowMs(),
    history: {},
    rules,
  });
  return { excerpt, matches, recommendation };
}
