import { sql } from "kysely";
import type { Database } from "./database.ts";

/** How long and how much is kept. */
export interface Retention {
  readonly staleAfterMs: number;
  /** Closed episodes and dead letters that are older are removed. */
  readonly retentionMs: number;
  /** Beyond it the closed episodes seen longest ago are removed earlier. */
  readonly episodesMax: number;
}

/** As long as Alertmanager keeps its own log by default: a repeat interval cannot be longer. */
const LOG_KEPT_MS = 120 * 3_600_000;
/** Rows in one transaction: others must get their turn. */
const BATCH = 500;
const NS_PER_MS = "000000";

/** Closes stale episodes and removes what is too old, in small transactions. */
export async function sweepDatabase(
  db: Database,
  { staleAfterMs, retentionMs, episodesMax }: Retention,
  nowMs: number,
): Promise<void> {
  const staleMs = nowMs - staleAfterMs;
  const oldMs = nowMs - retentionMs;
  await inBatches(
    db,
    () => sql`update episodes set status = 'stale', ends_at = cast(seen_ms as text) || ${NS_PER_MS}
      where id in (select id from episodes where status = 'open' and seen_ms < ${staleMs} limit ${BATCH})`,
  );
  for (const status of ["resolved", "stale"]) {
    await inBatches(
      db,
      () => sql`delete from episodes where id in (
        select id from episodes where status = ${status} and seen_ms < ${oldMs} limit ${BATCH})`,
    );
  }
  await removeSurplus(db, episodesMax);
  await inBatches(
    db,
    () => sql`delete from notification_log where (destination, stream) in (
      select destination, stream from notification_log where sent_ms < ${nowMs - LOG_KEPT_MS} limit ${BATCH})`,
  );
  await inBatches(
    db,
    () => sql`delete from deliveries where id in (
      select id from deliveries where state = 'dead' and created_ms < ${oldMs} limit ${BATCH})`,
  );
  await inBatches(
    db,
    () => sql`delete from unmatched where id in (
      select id from unmatched where last_ms < ${oldMs} limit ${BATCH})`,
  );
  await inBatches(
    db,
    () => sql`delete from groups where id in (
      select g.id from groups g where g.state = 'done'
        and not exists (select 1 from deliveries d where d.group_id = g.id) limit ${BATCH})`,
  );
}

async function removeSurplus(db: Database, episodesMax: number): Promise<void> {
  const { count } = await db.kysely
    .selectFrom("episodes")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  let surplus = count - episodesMax;
  while (surplus > 0) {
    const limit = Math.min(BATCH, surplus);
    const removed = await db.write(async (tx) => {
      const result = await sql`delete from episodes where id in (
        select id from episodes where status <> 'open' order by seen_ms limit ${limit})`.execute(
        tx,
      );
      return Number(result.numAffectedRows ?? 0n);
    });
    // Only open ones are left: they are what the store is for.
    if (removed === 0) return;
    surplus -= removed;
  }
}

async function inBatches(db: Database, statement: () => ReturnType<typeof sql>): Promise<void> {
  for (;;) {
    const changed = await db.write(async (tx) => {
      const { numAffectedRows } = await statement().execute(tx);
      return numAffectedRows ?? 0n;
    });
    if (changed < BigInt(BATCH)) return;
  }
}
