import path from "node:path";
import { loadRecords } from "../../src/catalogue/load-records.ts";
import type { RecordOrigin } from "../../src/record/known-error.ts";
import { buildRecord } from "./build-record.ts";
import type { RecordWishes } from "./build-record.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

/** A record as it stands in a file. */
export const bare = (number: number, wishes?: RecordWishes) => buildRecord(number, wishes).record;
/** An answer of ErrLookup's API. */
export const answer = (number: number, datasetVersion = "2026-01-01T00:00:00.000Z") => ({
  record: bare(number),
  datasetVersion,
});
export const json = (value: unknown) => JSON.stringify(value);
/** JSON Lines. */
export const lines = (...values: unknown[]) => values.map((value) => `${json(value)}\n`).join("");
/** Id of the record with a number. */
export const id = (number: number) => number.toString(16).padStart(16, "0");

/** Loads one file or folder. */
export async function loadPath(target: string, origin: RecordOrigin = "dataset") {
  const loaded = await loadRecords([{ path: target, origin }]);
  return { ...loaded, ids: loaded.records.map(({ record }) => record.id) };
}

/** Loads files written for the test: their folder, or the one that is named. */
export async function loadFiles(files: Readonly<Record<string, string | Uint8Array>>, name = "") {
  const folder = createTemporaryFolder(files);
  return { ...(await loadPath(path.join(folder, name))), folder };
}
