import type { Labels } from "../alert/alert.ts";
import type { ParsedExcerpt } from "../log/view.ts";
import type { Match } from "../record/match.ts";
import type { Catalogue } from "./compile-catalogue.ts";

export interface MatchContext {
  /** The alert's labels: evidence for the product, never a filter. */
  readonly labels: Labels;
  /** Lowest score to report; 0.5 by default. */
  readonly threshold: number;
}

/** Finds every record whose template occurs in the excerpt, best first. */
export function matchExcerpt(_catalogue: Catalogue, _excerpt: ParsedExcerpt, _context: MatchContext): readonly Match[] {
  return [];
}
