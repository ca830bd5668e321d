import type { Labels } from "../../src/alert/alert.ts";
import { excerptOfLines } from "../../src/enrich/explain-case.ts";
import { type Catalogue, compileCatalogue } from "../../src/match/compile-catalogue.ts";
import { markLines } from "../../src/match/mark-lines.ts";
import { matchExcerpt } from "../../src/match/match-excerpt.ts";
import { EMPTY_SCOPES, type ScopeTable } from "../../src/match/scope-table.ts";
import { parseExcerpt } from "../../src/parse/parse-excerpt.ts";
import type { CatalogueRecord, KnownError } from "../../src/record/known-error.ts";
import type { Match } from "../../src/record/match.ts";
import { buildRecord } from "./build-record.ts";

/** A record of a template for the engine's tests; its id is its number in sixteen hex digits. */
export function buildTemplateRecord(
  number: number,
  errorMessage: string,
  wishes: Partial<KnownError> = {},
): CatalogueRecord {
  const built = buildRecord(number);
  return {
    ...built,
    record: { ...built.record, errorMessage, messagePattern: errorMessage, ...wishes },
  };
}

/** What the matches of some lines depend on besides records. */
export interface MatchWishes {
  readonly labels?: Labels;
  readonly threshold?: number;
  readonly scopes?: ScopeTable;
}

/** Matches lines against a catalogue the way `enrich/` does: mark, parse, match. */
export function matchLines(
  catalogue: Catalogue,
  lines: readonly string[],
  wishes: MatchWishes = {},
): readonly Match[] {
  const excerpt = excerptOfLines(lines);
  return matchExcerpt(catalogue, parseExcerpt(excerpt, markLines(catalogue, excerpt)), {
    labels: wishes.labels ?? {},
    threshold: wishes.threshold ?? 0,
    scopes: wishes.scopes ?? EMPTY_SCOPES,
  });
}

/** Compiles records for a test. */
export function catalogueOf(records: readonly CatalogueRecord[]): Catalogue {
  return compileCatalogue(records, "test");
}
