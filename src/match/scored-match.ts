import { locate } from "../log/mapped-text.ts";
import type { MatchEvidence, MatchRole, MatchSpan } from "../record/match.ts";
import type { FoundTemplate } from "./verify-template.ts";

/** A found template with the record chosen for it, while it is being ranked. */
export interface ScoredMatch {
  readonly found: FoundTemplate;
  /** Index of the record in the catalogue. */
  readonly record: number;
  readonly recordId: string;
  readonly repo: string;
  /** Indexes of the other records that share the template, likelier ones first. */
  others: readonly number[];
  /** Where the literals stand in the excerpt. */
  readonly spans: readonly MatchSpan[];
  evidence: MatchEvidence[];
  score: number;
  role: MatchRole;
  occurrences: number;
  /** How many found wrappers and plain `x: ` links stand before it in its chain. */
  depth: number;
}

/** The places of a found template's literals in the physical lines of the excerpt. */
export function spansOf(found: FoundTemplate): readonly MatchSpan[] {
  return found.literals.map((literal) => {
    const start = locate(found.view, literal.start);
    const last = locate(found.view, Math.max(literal.start, literal.end - 1));
    // A literal that is broken over two lines by its printer is shown up to the break.
    const end =
      last.line === start.line && last.column >= start.column ? last.column + 1 : start.column + 1;
    return { line: start.line, start: start.column, end };
  });
}

/** Whether `inner` lies within `outer`. */
export function spanInside(inner: MatchSpan, outer: MatchSpan): boolean {
  return inner.line === outer.line && inner.start >= outer.start && inner.end <= outer.end;
}
