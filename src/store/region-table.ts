import { sql } from "kysely";
import type { RegionBook, RegionWork } from "../enrich/region-ports.ts";
import type { Database, Tx } from "./database.ts";
import { listDueRegions } from "./due-regions.ts";
import { planRegions } from "./region-plan.ts";
import type { RegionTable } from "./schema.ts";

/** How long the end of a closed region follows that of its episode, which peers may still move. */
const END_MOVES_MS = 600_000;
/** How often the count of a storm is told. */
const STORM_TOLD_MS = 15_000;
/** Requests are counted by the minute; older ones are of no use. */
const REQUESTS_KEPT_MS = 600_000;

/** Creates the book of regions. Only the replica with the role `annotate-regions` works with it. */
export function createRegionBook(db: Database): RegionBook {
  const update = (key: string, change: Partial<RegionTable>) =>
    db.write(async (tx) => {
      await tx.updateTable("regions").set(change).where("key", "=", key).execute();
    });
  return {
    plan: (nowMs, perMinute) => planRegions(db, nowMs, perMinute),
    countMade: (sinceMs) => countMade(db, sinceMs),
    due: (wish) => listDueRegions(db, wish),
    begin: (key, nowMs) => db.write((tx) => beginRequest(tx, key, nowMs)),
    told: (work, annotation, nowMs) => update(work.key, toldChange(work, annotation, nowMs)),
    lost: (key) => update(key, { state: "wanted", annotation: null }),
    defer: (key, dueMs) => db.write((tx) => deferRegion(tx, key, dueMs)),
    drop: (key) => update(key, { state: "dropped" }),
  };
}

async function countMade({ kysely }: Database, sinceMs: number): Promise<number> {
  const { count } = await kysely
    .selectFrom("region_requests")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("sent_ms", ">", sinceMs)
    .executeTakeFirstOrThrow();
  return count;
}

async function beginRequest(tx: Tx, key: string, nowMs: number): Promise<void> {
  await tx
    .deleteFrom("region_requests")
    .where("sent_ms", "<", nowMs - REQUESTS_KEPT_MS)
    .execute();
  await tx.insertInto("region_requests").values({ key, sent_ms: nowMs }).execute();
  await sql`update regions set attempts = attempts + 1 where key = ${key}`.execute(tx);
}

/** What is closed keeps its time for moving. */
async function deferRegion(tx: Tx, key: string, dueMs: number): Promise<void> {
  await sql`update regions set due_ms = case when state = 'closed'
      then cast(${dueMs + END_MOVES_MS} as bigint) else cast(${dueMs} as bigint) end
    where key = ${key}`.execute(tx);
}

function toldChange(work: RegionWork, annotation: string, nowMs: number): Partial<RegionTable> {
  const isStorm = work.about !== undefined && "episodes" in work.about;
  const isOver = work.endMs !== undefined;
  const openDueMs = isStorm ? nowMs + STORM_TOLD_MS : 0;
  return {
    state: isOver ? "closed" : "open",
    annotation,
    told: work.version,
    due_ms: isOver ? nowMs + END_MOVES_MS : openDueMs,
  };
}
