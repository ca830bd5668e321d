import { excerptOfLines } from "../../src/enrich/explain-case.ts";
import type { Catalogue } from "../../src/match/compile-catalogue.ts";
import { markLines } from "../../src/match/mark-lines.ts";
import { matchExcerpt } from "../../src/match/match-excerpt.ts";
import { EMPTY_SCOPES } from "../../src/match/scope-table.ts";
import { parseExcerpt } from "../../src/parse/parse-excerpt.ts";
import type { Match } from "../../src/record/match.ts";

/** The way of an excerpt through the engine, as `enrich/` goes it. */
export function matchLines(
  catalogue: Catalogue,
  lines: readonly string[],
  threshold: number,
): readonly Match[] {
  const excerpt = excerptOfLines(lines);
  const parsed = parseExcerpt(excerpt, markLines(catalogue, excerpt));
  return matchExcerpt(catalogue, parsed, { labels: {}, threshold, scopes: EMPTY_SCOPES });
}
