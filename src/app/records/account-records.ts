import type { SkippedRecord } from "../../catalogue/load-records.ts";
import { compileCatalogue } from "../../match/compile-catalogue.ts";
import type { GatheredRecords } from "../gather-records.ts";

/** What becomes of a record that was found in a source. */
export type RecordFate = "used" | "vague" | "muted" | "overridden" | "skipped";

/** A record that is not used, and why. */
export interface UnusedRecord {
  /** `null` for one without a sound id. */
  readonly id: string | null;
  readonly fate: Exclude<RecordFate, "used">;
  readonly reason: string;
  readonly loadedFrom: string;
}

/** Where every record of every source went. */
export interface RecordAccount {
  readonly datasetVersion: string;
  /** All records found; the sum of the five that follow. */
  readonly total: number;
  readonly used: number;
  readonly vague: number;
  readonly muted: number;
  readonly overridden: number;
  readonly skipped: number;
  /** Whole files that could not be read; their records are not in the total. */
  readonly brokenFiles: readonly { readonly file: string; readonly reason: string }[];
  /** URLs of which nothing has been fetched yet. */
  readonly missing: readonly string[];
  /** Used records that an overlay changed. */
  readonly overlaid: number;
  /** Used and vague records by repository, in the order of names. */
  readonly repos: Readonly<Record<string, number>>;
  /** How many of each fate have which reason; the most frequent first. */
  readonly reasons: readonly {
    readonly fate: string;
    readonly reason: string;
    readonly records: number;
  }[];
  readonly unused: readonly UnusedRecord[];
}

/** Accounts for every record that was found. */
export function accountRecords(gathered: GatheredRecords): RecordAccount {
  const { records, overridden, muted, skipped, missing, datasetVersion } = gathered;
  const vague = listVague(gathered);
  const left = skipped.filter(isOneRecord).map(skippedRecord);
  const unused = [
    ...vague,
    ...muted.map(({ id, loadedFrom, mute }) => ({
      id,
      fate: "muted" as const,
      reason: mute,
      loadedFrom,
    })),
    ...overridden.map(({ id, loadedFrom, by }) => {
      return { id, fate: "overridden" as const, reason: `by ${by}`, loadedFrom };
    }),
    ...left,
  ];
  return {
    datasetVersion,
    total: records.length + muted.length + overridden.length + left.length,
    used: records.length - vague.length,
    vague: vague.length,
    muted: muted.length,
    overridden: overridden.length,
    skipped: left.length,
    brokenFiles: skipped
      .filter((each) => !isOneRecord(each))
      .map(({ file, faults }) => {
        return { file, reason: faults[0]?.message ?? "" };
      }),
    missing,
    overlaid: records.filter(({ overlays }) => overlays.length > 0).length,
    repos: countRepos(gathered),
    reasons: countReasons(unused),
    unused,
  };
}

/** The records whose template is too vague to find anything by, in the order of ids. */
export function listVague({ records, datasetVersion }: GatheredRecords): readonly UnusedRecord[] {
  const places = new Map(records.map((entry) => [entry.record.id, entry.loadedFrom]));
  return compileCatalogue(records, datasetVersion).vague.map(({ recordId, reason }) => {
    return { id: recordId, fate: "vague", reason, loadedFrom: places.get(recordId) ?? "" };
  });
}

function isOneRecord({ index }: SkippedRecord): boolean {
  return index !== undefined;
}

function skippedRecord({ id, file, index, faults }: SkippedRecord): UnusedRecord {
  const [fault] = faults;
  const reason = `${fault?.field ?? ""} ${fault?.message ?? ""}`.trim();
  return { id: id ?? null, fate: "skipped", reason, loadedFrom: `${file}[${index ?? 0}]` };
}

function countRepos({ records }: GatheredRecords): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const { record } of records) counts.set(record.repo, (counts.get(record.repo) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([left], [right]) => (left < right ? -1 : 1)));
}

function countReasons(unused: readonly UnusedRecord[]): RecordAccount["reasons"] {
  const counts = new Map<string, { fate: string; reason: string; records: number }>();
  for (const { fate, reason } of unused) {
    const key = `${fate} ${reason}`;
    const count = counts.get(key) ?? { fate, reason, records: 0 };
    count.records += 1;
    counts.set(key, count);
  }
  return [...counts.values()].sort((left, right) => right.records - left.records);
}
