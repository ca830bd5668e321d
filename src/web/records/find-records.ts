import type { z } from "zod";
import type { RecordStore } from "../../enrich/ports.ts";
import type { CatalogueRecord } from "../../record/known-error.ts";
import { readQuery } from "../json/read-query.ts";
import type { QueryCheck } from "../json/read-query.ts";
import { FACETS } from "./record-index.ts";
import type { RecordIndex } from "./record-index.ts";
import { recordQuery } from "./record-schemas.ts";
import { searchRecords } from "./search-records.ts";
import type { FoundRecords } from "./search-records.ts";

/** The loaded records, with an index that is made when somebody first asks. */
export interface RecordParts {
  readonly records: RecordStore;
  readonly index: () => Promise<RecordIndex>;
}

/** One page of records that fit. */
export interface RecordPage extends Pick<FoundRecords, "total" | "facets"> {
  readonly entries: readonly CatalogueRecord[];
  readonly offset: number;
  /** Where the next page begins; `undefined` on the last one. */
  readonly next: number | undefined;
}

const PAGE_DEFAULT = 30;

/** Reads what records are asked for. */
export function readRecordQuery(query: URLSearchParams): QueryCheck<z.output<typeof recordQuery>> {
  return readQuery(recordQuery, query);
}

/** Finds the page of records that a query asks for. */
export async function findRecords(
  { records, index }: RecordParts,
  wishes: z.output<typeof recordQuery>,
): Promise<RecordPage> {
  const offset = Number(wishes.offset ?? 0);
  const max = Number(wishes.limit ?? PAGE_DEFAULT);
  const facets = Object.fromEntries(
    FACETS.flatMap((facet) => (wishes[facet] === undefined ? [] : [[facet, wishes[facet]]])),
  );
  const found = searchRecords(await index(), { text: wishes.q ?? "", facets }, { offset, max });
  const end = offset + found.ids.length;
  return {
    total: found.total,
    facets: found.facets,
    entries: found.ids.flatMap((id) => records.get(id) ?? []),
    offset,
    next: end < found.total && found.ids.length > 0 ? end : undefined,
  };
}
