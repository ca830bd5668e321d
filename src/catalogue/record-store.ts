import type { RecordStore } from "../enrich/ports.ts";
import type { CatalogueRecord } from "../record/known-error.ts";

/** Keeps loaded records in memory, by id. The records must not be changed afterwards. */
export function createRecordStore(
  records: readonly CatalogueRecord[],
  datasetVersion: string,
): RecordStore {
  const byId = new Map(records.map((entry) => [entry.record.id, entry]));
  return {
    get: (id) => byId.get(id),
    size: byId.size,
    datasetVersion,
    records: () => records,
  };
}
