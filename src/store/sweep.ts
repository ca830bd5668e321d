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
/** A delivery that is just being tried when it expires is the worker's to give up. */
const EXPIRY_MARGIN_MS = 60_000;
/** Dead letters that are kept; a destination that refuses everything must not fill the disk. */
const DEAD_MAX = 10_000;
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
  await rememberEnds(db);
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
  await giveUpExpired(db, nowMs);
  await inBatches(
    db,
    () => sql`delete from deliveries where id in (
      select id from deliveries where state = 'dead' and created_ms < ${oldMs} limit ${BATCH})`,
  );
  await sweepRegions(db, { retentionMs }, nowMs);
  await sweepLate(db, { staleAfterMs }, nowMs);
  await inBatches(
    db,
    () => sql`delete from unmatched where id in (
      select id from unmatched where last_ms < ${oldMs} limit ${BATCH})`,
  );
  await inBatches(
    db,
    () => sql`delete from groups where id in (
      select g.id from groups g where g.state = 'done'
        and not exists (select 1 from deliveries d where d.group_id = g.id)
        and not exists (select 1 from awaited_episodes a where a.group_id = g.id) limit ${BATCH})`,
  );
}

/** So that Grafana can still be told of an end when the episode is not kept any more. */
async function rememberEnds(db: Database): Promise<void> {
  await inBatches(
    db,
    () => sql`update regions set over_at = (select e.ends_at from episodes e where e.id = regions.key)
      where key in (select r.key from regions r join episodes e on e.id = r.key
        where r.state in ('wanted', 'open') and e.status <> 'open' and e.ends_at is not null
          and (r.over_at is null or r.over_at <> e.ends_at) limit ${BATCH})`,
  );
}

/** Removes regions as old as episodes; one that is still owed to Grafana only when nobody pays for as long again. */
async function sweepRegions(
  db: Database,
  { retentionMs }: Pick<Retention, "retentionMs">,
  nowMs: number,
): Promise<void> {
  const oldMs = nowMs - retentionMs;
  await inBatches(
    db,
    () => sql`delete from regions where key in (
      select r.key from regions r where r.created_ms < ${oldMs}
        and (r.state in ('closed', 'counted', 'dropped') or r.created_ms < ${oldMs - retentionMs})
        and not exists (select 1 from episodes e where e.id = r.key) limit ${BATCH})`,
  );
}

async function giveUpExpired(db: Database, nowMs: number): Promise<void> {
  // The worker gives up what it tries; this is left of destinations that are not configured any more.
  await inBatches(
    db,
    () => sql`update deliveries set state = 'dead', reason = 'expired', owner = '' where id in (
      select id from deliveries where state = 'pending' and expires_ms < ${nowMs - EXPIRY_MARGIN_MS}
        and lease_ms <= ${nowMs} limit ${BATCH})`,
  );
  const { count } = await db.kysely
    .selectFrom("deliveries")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("state", "=", "dead")
    .executeTakeFirstOrThrow();
  for (let surplus = count - DEAD_MAX; surplus > 0; surplus -= BATCH) {
    const limit = Math.min(BATCH, surplus);
    await db.write((tx) =>
      sql`delete from deliveries where id in (select id from deliveries where state = 'dead'
        order by created_ms limit ${limit})`.execute(tx),
    );
  }
}

async function sweepLate(
  db: Database,
  { staleAfterMs }: Pick<Retention, "staleAfterMs">,
  nowMs: number,
): Promise<void> {
  await inBatches(
    db,
    () => sql`delete from awaited_episodes where (episode_id, stream) in (
      select episode_id, stream from awaited_episodes where until_ms < ${nowMs} limit ${BATCH})`,
  );
  await inBatches(
    db,
    () => sql`delete from late_looks where episode_id in (
      select episode_id from late_looks where due_ms < ${nowMs - staleAfterMs} limit ${BATCH})`,
  );
  await inBatches(
    db,
    () => sql`delete from stream_members where stream in (
      select stream from stream_members where changed_ms < ${nowMs - LOG_KEPT_MS - staleAfterMs} limit ${BATCH})`,
  );
  await inBatches(
    db,
    () => sql`delete from message_threads where (destination, stream) in (
      select destination, stream from message_threads where used_ms < ${nowMs - LOG_KEPT_MS} limit ${BATCH})`,
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
