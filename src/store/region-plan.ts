import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { GrafanaPlace } from "../alert/grafana-place.ts";
import type { Database, Tx } from "./database.ts";
import { jsonRows } from "./json-rows.ts";
import { regionMsOf } from "./region-times.ts";
import type { RegionTable } from "./schema.ts";

/** Episodes that were explained longer ago get no region, so that switching it on does not start a storm. */
const PLANNED_BACK_MS = 3_600_000;
/** What was planned longer ago is not looked at again for a storm. */
const FOLDED_BACK_MS = 600_000;
/** Rows in one transaction: others must get their turn. */
const PLANNED_MAX = 1000;
const MINUTE_MS = 60_000;
/** Minutes of making regions that may wait. */
const BACKLOG_MINUTES = 10;
/** A storm is joined by what comes so long after its begin; then a new one begins. */
const STORM_MS = 600_000;

/** Enters what is to be marked and counts to storms what is too much; gives how many that were. */
export async function planRegions(db: Database, nowMs: number, perMinute: number): Promise<number> {
  await enterEpisodes(db, nowMs);
  await reopen(db);
  const surplus = await listSurplus(db, nowMs, perMinute);
  if (surplus.length > 0) await db.write((tx) => foldRegions(tx, surplus, nowMs));
  return surplus.length;
}

async function enterEpisodes(db: Database, nowMs: number): Promise<void> {
  const { rows } = await sql<{
    id: string;
    starts_at: string;
    place: string | null;
    enriched_ms: number;
  }>`select e.id, e.starts_at, e.place, e.enriched_ms
    from episodes e where e.outcome = 'matched' and e.enriched_ms > ${nowMs - PLANNED_BACK_MS}
      and not exists (select 1 from regions r where r.key = e.id)
    order by e.enriched_ms, e.starts_at, e.id limit ${sql.lit(PLANNED_MAX)}`.execute(db.kysely);
  if (rows.length === 0) return;
  const planned = jsonRows(
    db.kind,
    { key: "text", org_id: "bigint", start_ms: "bigint", created_ms: "bigint" },
    rows.map((row) => ({
      key: row.id,
      org_id: orgIdOf(row.place),
      start_ms: regionMsOf(row.starts_at),
      created_ms: row.enriched_ms,
    })),
  );
  await db.write(async (tx) => {
    await sql`insert into regions
        (key, kind, org_id, state, told, attempts, start_ms, due_ms, created_ms)
      select key, 'episode', org_id, 'wanted', '', 0, start_ms, 0, created_ms
      from ${planned} as input where true on conflict (key) do nothing`.execute(tx);
  });
}

function orgIdOf(place: string | null): number {
  return place === null ? 0 : ((JSON.parse(place) as GrafanaPlace).orgId ?? 0);
}

/** An episode that was closed and fires on, however late, has an end to come. */
async function reopen(db: Database): Promise<void> {
  const { rows } = await sql<{ key: string }>`select r.key from regions r
    join episodes e on e.id = r.key
    where r.state = 'closed' and r.kind = 'episode' and e.status = 'open'`.execute(db.kysely);
  if (rows.length === 0) return;
  const keys = rows.map(({ key }) => key).slice(0, PLANNED_MAX);
  await db.write(async (tx) => {
    await tx
      .updateTable("regions")
      .set({ state: "open", due_ms: 0 })
      .where("key", "in", keys)
      .where("state", "=", "closed")
      .execute();
  });
}

type Surplus = Pick<RegionTable, "key" | "org_id" | "start_ms">;

/**
 * In each minute only so many get a region of their own. What stays waits its turn, for instance while Grafana
 * is down, but not behind more than ten minutes of others.
 */
async function listSurplus(
  { kysely }: Database,
  nowMs: number,
  perMinute: number,
): Promise<readonly Surplus[]> {
  const sinceMs = nowMs - FOLDED_BACK_MS;
  const fromMs = sinceMs - (sinceMs % MINUTE_MS);
  const { rows: fast } = await sql<Surplus>`select key, org_id, start_ms from (
      select r.*, row_number() over (partition by r.created_ms / ${sql.lit(MINUTE_MS)}
        order by r.created_ms, r.start_ms, r.key) as place
      from regions r where r.kind = 'episode' and r.created_ms >= ${fromMs}) as ranked
    where place > ${perMinute} and state = 'wanted' and attempts = 0
    order by created_ms, key limit ${sql.lit(PLANNED_MAX)}`.execute(kysely);
  if (fast.length > 0) return fast;
  const { rows: behind } = await sql<Surplus>`select key, org_id, start_ms from regions
    where kind = 'episode' and state = 'wanted' and attempts = 0
    order by created_ms, start_ms, key
    limit ${sql.lit(PLANNED_MAX)} offset ${perMinute * BACKLOG_MINUTES}`.execute(kysely);
  return behind;
}

async function foldRegions(tx: Tx, surplus: readonly Surplus[], nowMs: number): Promise<void> {
  for (const orgId of new Set(surplus.map((region) => region.org_id))) {
    const members = surplus.filter((region) => region.org_id === orgId);
    const startMs = Math.min(...members.map((region) => region.start_ms));
    const storm =
      (await joinStorm(tx, orgId, nowMs)) ?? (await beginStorm(tx, { orgId, startMs, nowMs }));
    await tx
      .updateTable("regions")
      .set({ state: "counted", storm })
      .where(
        "key",
        "in",
        members.map((region) => region.key),
      )
      .execute();
  }
}

async function joinStorm(tx: Tx, orgId: number, nowMs: number): Promise<string | undefined> {
  const storm = await tx
    .selectFrom("regions")
    .select("key")
    .where("kind", "=", "storm")
    .where("org_id", "=", orgId)
    .where("state", "in", ["wanted", "open"])
    .where("created_ms", ">", nowMs - STORM_MS)
    .executeTakeFirst();
  return storm?.key;
}

async function beginStorm(
  tx: Tx,
  { orgId, startMs, nowMs }: { orgId: number; startMs: number; nowMs: number },
): Promise<string> {
  const key = `storm-${randomUUID()}`;
  const begun = { key, kind: "storm", org_id: orgId, state: "wanted", told: "", attempts: 0 };
  const nothing = { storm: null, annotation: null, over_at: null };
  const times = { start_ms: startMs, due_ms: 0, created_ms: nowMs };
  await tx
    .insertInto("regions")
    .values({ ...begun, ...nothing, ...times })
    .execute();
  return key;
}
