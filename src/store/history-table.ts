import DataLoader from "dataloader";
import { sql } from "kysely";
import type { Labels } from "../alert/alert.ts";
import type { History, OpenEpisodes, OpenQuestion } from "../enrich/ports.ts";
import { labelsText } from "./episode-table.ts";
import { jsonRows } from "./json-rows.ts";
import type { Database } from "./database.ts";

/** Questions in one statement. */
const BATCH_MAX = 500;

interface RetryQuestion {
  readonly recordId: string;
  readonly labels: Labels;
  readonly sinceMs: number;
}

/**
 * What episodes tell of an error. All that is asked within a turn of the event loop becomes one
 * statement: a group asks for each of its alerts, and a statement costs far more than what it counts.
 */
export function createHistory(db: Database): History {
  const retries = loaderOf<RetryQuestion, number>((questions) => countRetries(db, questions));
  const open = loaderOf<OpenQuestion, OpenEpisodes>((questions) => countOpen(db, questions));
  return {
    retriesOf: (recordId, labels, sinceMs) => retries.load({ recordId, labels, sinceMs }),
    openEpisodes: (question) => open.load(question),
  };
}

function loaderOf<Question, Answer>(
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): DataLoader<Question, Answer> {
  return new DataLoader(ask, {
    // What the store says changes: an answer is for those who wait, and for nobody after them.
    cache: false,
    maxBatchSize: BATCH_MAX,
    batchScheduleFn: (send) => setImmediate(send),
  });
}

async function countRetries(
  { kysely, kind }: Database,
  questions: readonly RetryQuestion[],
): Promise<readonly number[]> {
  const rows = questions.map(({ recordId, labels, sinceMs }, place) => ({
    ...{ place, record_id: recordId, labels: labelsText(labels), since_ms: sinceMs },
  }));
  const columns = {
    place: "bigint",
    record_id: "text",
    labels: "text",
    since_ms: "bigint",
  } as const;
  const { rows: counts } = await sql<{ place: number; count: number }>`select input.place as place,
      (select count(*) from episodes where episodes.record_id = input.record_id
        and episodes.retry_ms >= input.since_ms and episodes.labels = input.labels) as count
    from ${jsonRows(kind, columns, rows)} as input`.execute(kysely);
  const byPlace = new Map(counts.map(({ place, count }) => [place, count]));
  return questions.map((_, place) => byPlace.get(place) ?? 0);
}

/** The questions of one batch mostly name the same few records and classes: each is counted once. */
async function countOpen(
  db: Database,
  questions: readonly OpenQuestion[],
): Promise<readonly OpenEpisodes[]> {
  const upTo = Math.max(...questions.map((question) => question.upTo));
  const [ofRecord, ofClass] = await Promise.all([
    countFiring(db, "record_id", { values: questions.map(({ recordId }) => recordId), upTo }),
    countFiring(db, "error_class", {
      values: questions.flatMap(({ errorClass }) => errorClass ?? []),
      upTo,
    }),
  ]);
  return questions.map(({ recordId, errorClass }) => ({
    ofRecord: ofRecord.get(recordId) ?? 0,
    ofClass: errorClass === undefined ? 0 : (ofClass.get(errorClass) ?? 0),
  }));
}

async function countFiring(
  { kysely, kind }: Database,
  column: "record_id" | "error_class",
  { values, upTo }: { readonly values: readonly string[]; readonly upTo: number },
): Promise<ReadonlyMap<string, number>> {
  const rows = [...new Set(values)].map((name) => ({ name }));
  if (rows.length === 0) return new Map();
  const { rows: counts } = await sql<{ name: string; count: number }>`select input.name as name,
      (select count(*) from (select 1 from episodes
        where ${sql.ref(`episodes.${column}`)} = input.name and episodes.status = 'open'
        limit ${upTo}) as counted) as count
    from ${jsonRows(kind, { name: "text" }, rows)} as input`.execute(kysely);
  return new Map(counts.map(({ name, count }) => [name, count]));
}
