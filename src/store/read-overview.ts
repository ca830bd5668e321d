import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { OUTCOMES } from "../enrich/outcome.ts";
import type {
  AlertDelivery,
  ClassHour,
  FiringClass,
  FiringError,
} from "../enrich/reading-ports.ts";
import { DECISIONS } from "../record/recommendation.ts";
import { contains } from "./contains.ts";
import type { Database } from "./database.ts";

const DELIVERIES_SHOWN = 20;
/** Bodies looked through for those that name an alert, and episodes that are plotted. */
const BODIES_SCANNED = 5000;
const EPISODES_PLOTTED = 20_000;
const HOUR_MS = 3_600_000;

interface ToldRow {
  readonly destination: string;
  readonly firing: string;
  readonly sent_ms: number;
}

interface OwedRow {
  readonly destination: string;
  readonly state: string;
  readonly firing: string;
  readonly created_ms: number;
  readonly attempts: number;
  readonly reason: string;
}

/** Finds what destinations were told, or are to be told, of an alert since a time. */
export async function deliveriesOf(
  { kysely, kind }: Database,
  fingerprint: string,
  sinceMs: number,
): Promise<readonly AlertDelivery[]> {
  const member = JSON.stringify(fingerprint);
  const isMember = sql`(${contains(kind, "firing", member)} or ${contains(kind, "resolved", member)})`;
  const told = await sql<ToldRow>`select destination, firing, sent_ms from (
      select destination, firing, resolved, sent_ms from notification_log
      where sent_ms >= ${sinceMs} order by sent_ms desc limit ${sql.lit(BODIES_SCANNED)}) as scanned
    where ${isMember} order by sent_ms desc limit ${sql.lit(DELIVERIES_SHOWN)}`.execute(kysely);
  const owed =
    await sql<OwedRow>`select destination, state, firing, created_ms, attempts, reason from (
      select destination, state, firing, resolved, created_ms, attempts, reason from deliveries
      where created_ms >= ${sinceMs} order by created_ms desc limit ${sql.lit(BODIES_SCANNED)}) as scanned
    where ${isMember} order by created_ms desc limit ${sql.lit(DELIVERIES_SHOWN)}`.execute(kysely);
  const all = [
    ...told.rows.map((row) => ({
      destination: row.destination,
      state: "told" as const,
      isFiring: row.firing.includes(member),
      atMs: row.sent_ms,
      attempts: 0,
      reason: "",
    })),
    ...owed.rows.map((row) => ({
      destination: row.destination,
      state: row.state === "dead" ? ("dead" as const) : ("waiting" as const),
      isFiring: row.firing.includes(member),
      atMs: row.created_ms,
      attempts: row.attempts,
      reason: row.reason,
    })),
  ];
  return all.sort((one, other) => other.atMs - one.atMs).slice(0, DELIVERIES_SHOWN);
}

interface FiringRow {
  readonly record_id: string | null;
  readonly error_class: string | null;
  readonly decision: string | null;
  readonly outcome: string | null;
  readonly episodes: number;
  readonly first_ms: number;
  readonly last_ms: number;
}

/** Open episodes by what was found in them, most episodes first. */
export async function listFiring(db: Database, max: number): Promise<readonly FiringError[]> {
  const { rows } = await sql<FiringRow>`select record_id, error_class, decision, outcome,
      count(*) as episodes, min(opened_ms) as first_ms, max(opened_ms) as last_ms
    from episodes where status = 'open'
    group by record_id, error_class, decision, outcome
    order by episodes desc, last_ms desc limit ${max}`.execute(db.kysely);
  return Promise.all(
    rows.map(async (row) => ({
      recordId: row.record_id ?? undefined,
      errorClass: row.error_class ?? undefined,
      decision: DECISIONS.find((decision) => decision === row.decision),
      outcome: OUTCOMES.find((outcome) => outcome === row.outcome),
      episodes: row.episodes,
      firstMs: row.first_ms,
      lastMs: row.last_ms,
      lastEpisodeId: await lastOf(db, row),
    })),
  );
}

/** Counts open episodes with a match by class. */
export async function countFiringClasses({ kysely }: Database): Promise<readonly FiringClass[]> {
  const { rows } = await sql<{ error_class: string; episodes: number }>`
    select error_class, count(*) as episodes from episodes
    where status = 'open' and error_class is not null group by error_class`.execute(kysely);
  return rows.map(({ error_class: errorClass, episodes }) => ({ errorClass, episodes }));
}

async function lastOf({ kysely }: Database, row: FiringRow): Promise<string> {
  const { rows } = await sql<{ id: string }>`select id from episodes where status = 'open'
    and ${same("record_id", row.record_id)} and ${same("error_class", row.error_class)}
    and ${same("decision", row.decision)} and ${same("outcome", row.outcome)}
    and opened_ms >= ${row.last_ms} limit 1`.execute(kysely);
  return rows[0]?.id ?? "";
}

// `is not distinct from` finds no index.
function same(column: string, value: string | null): RawBuilder<unknown> {
  return value === null ? sql`${sql.ref(column)} is null` : sql`${sql.ref(column)} = ${value}`;
}

/** Counts episodes by class and hour of opening. */
export async function countByHour(
  { kysely }: Database,
  sinceMs: number,
): Promise<readonly ClassHour[]> {
  const { rows } = await sql<{ error_class: string | null; hour: number; episodes: number }>`
    select error_class, opened_ms / ${sql.lit(HOUR_MS)} as hour, count(*) as episodes from (
      select error_class, opened_ms from episodes where opened_ms >= ${sinceMs}
      order by opened_ms desc limit ${sql.lit(EPISODES_PLOTTED)}) as plotted
    group by error_class, opened_ms / ${sql.lit(HOUR_MS)}`.execute(kysely);
  return rows.map(({ error_class: errorClass, hour, episodes }) => ({
    errorClass: errorClass ?? undefined,
    hour,
    episodes,
  }));
}
