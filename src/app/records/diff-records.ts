import type { CatalogueRecord } from "../../record/known-error.ts";
import { summarizeRecord } from "./find-records.ts";
import type { RecordSummary } from "./find-records.ts";

/** A record of which another message is recognised than before. */
export interface ChangedTemplate {
  readonly id: string;
  readonly repo: string;
  readonly before: string;
  readonly after: string;
}

/** What a newer set of records has other than an older one; each list in the order of ids. */
export interface RecordsDiff {
  readonly added: readonly RecordSummary[];
  readonly removed: readonly RecordSummary[];
  /** Message, pattern or language (the extension of the file) differ. */
  readonly changedTemplates: readonly ChangedTemplate[];
  /** Same template, but another field differs. */
  readonly changedOtherwise: number;
  readonly unchanged: number;
}

/** Compares two sets of records, each in the order of ids. */
export function diffRecords(
  before: readonly CatalogueRecord[],
  after: readonly CatalogueRecord[],
): RecordsDiff {
  const older = new Map(before.map((entry) => [entry.record.id, entry]));
  const newer = new Set(after.map(({ record }) => record.id));
  const added: RecordSummary[] = [];
  const changedTemplates: ChangedTemplate[] = [];
  let changedOtherwise = 0;
  let unchanged = 0;
  for (const entry of after) {
    const { id, repo, errorMessage } = entry.record;
    const old = older.get(id);
    if (old === undefined) added.push(summarizeRecord(entry));
    else if (templateOf(old) !== templateOf(entry)) {
      changedTemplates.push({ id, repo, before: old.record.errorMessage, after: errorMessage });
    } else if (JSON.stringify(old.record) !== JSON.stringify(entry.record)) changedOtherwise += 1;
    else unchanged += 1;
  }
  const removed = before.filter(({ record }) => !newer.has(record.id)).map(summarizeRecord);
  return { added, removed, changedTemplates, changedOtherwise, unchanged };
}

/** All that the template of a record is compiled from. */
function templateOf({
  record: { errorMessage, messagePattern, filePath },
}: CatalogueRecord): string {
  return JSON.stringify([errorMessage, messagePattern, /\.[^./]*$/u.exec(filePath)?.[0]]);
}
