import type { CatalogueRecord } from "../../record/known-error.ts";

/** A record with where it comes from, for those who may not know the nouns. */
export type CatalogueEntry = CatalogueRecord;

/** One record in short. */
export interface RecordSummary {
  readonly id: string;
  readonly repo: string;
  readonly errorMessage: string;
  readonly errorClass: string | null;
  readonly severity: string;
  readonly filePath: string;
  readonly origin: string;
  readonly overlays: readonly string[];
}

/** Says the most needed of a record. */
export function summarizeRecord({ record, origin, overlays }: CatalogueRecord): RecordSummary {
  const { id, repo, errorMessage, errorClass, severity, filePath } = record;
  return { id, repo, errorMessage, errorClass, severity, filePath, origin, overlays };
}

/** Chooses records by repository, with its case; all when it is `undefined`. */
export function filterByRepo(
  records: readonly CatalogueRecord[],
  repo: string | undefined,
): readonly CatalogueRecord[] {
  return repo === undefined ? records : records.filter(({ record }) => record.repo === repo);
}

/**
 * Finds the records that hold every word of a text, in any of the fields that people know an error by.
 * Those that hold more of them in their message come first, then by id.
 */
export function searchRecords(
  records: readonly CatalogueRecord[],
  text: string,
): readonly CatalogueRecord[] {
  const words = text
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== "");
  const found = records.flatMap((entry) => {
    const whole = searchedText(entry);
    if (!words.every((word) => whole.includes(word))) return [];
    const message = entry.record.errorMessage.toLowerCase();
    return [{ entry, inMessage: words.filter((word) => message.includes(word)).length }];
  });
  // The sort is stable, and records come in the order of ids.
  return found.sort((left, right) => right.inMessage - left.inMessage).map(({ entry }) => entry);
}

function searchedText({ record }: CatalogueRecord): string {
  const { id, repo, errorCode, errorMessage, errorClass, filePath, documentation, tags } = record;
  const fields = [id, repo, errorCode, errorMessage, errorClass, filePath, documentation, ...tags];
  return fields.join("\n").toLowerCase();
}
