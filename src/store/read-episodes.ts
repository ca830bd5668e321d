import { sql } from "kysely";
import type { Kysely, RawBuilder } from "kysely";
import type { Labels } from "../alert/alert.ts";
import type { EpisodeId } from "../alert/episode.ts";
import type { KeptExcerpt } from "../enrich/enrichment.ts";
import { OUTCOMES } from "../enrich/outcome.ts";
import type {
  EpisodeCursor,
  EpisodeDetail,
  EpisodeFilter,
  EpisodePage,
  EpisodeSummary,
  LabelWish,
} from "../enrich/reading-ports.ts";
import { DECISIONS } from "../record/recommendation.ts";
import { contains } from "./contains.ts";
import type { Database, DatabaseKind } from "./database.ts";
import { decodeEnrichment } from "./group-text.ts";
import { jsonRows } from "./json-rows.ts";
import type { EpisodeTable, Schema } from "./schema.ts";

/** Episodes looked at for one page: a filter that few fit must not read the whole store. */
const SCANNED_MAX = 10_000;
const NS_PER_MS = 1_000_000n;

/** Lists a page of episodes, the latest opened first. */
export async function listEpisodes(
  { kysely, kind }: Database,
  filter: EpisodeFilter,
  { max, after }: { max: number; after?: EpisodeCursor },
): Promise<EpisodePage> {
  const scanned = sql`from episodes where ${all([
    ...(filter.fromMs === undefined ? [] : [sql`opened_ms >= ${filter.fromMs}`]),
    ...(filter.untilMs === undefined ? [] : [sql`opened_ms < ${filter.untilMs}`]),
    ...(after === undefined ? [] : [sql`(opened_ms, id) < (${after.openedMs}, ${after.id})`]),
  ])} order by opened_ms desc, id desc`;
  const labels = filter.labels ?? [];
  // Labels are not in the index, so they are read only when they are asked for.
  const names = `id, opened_ms, status, outcome, decision, error_class, record_id${labels.length > 0 ? ", labels" : ""}`;
  const { rows } = await sql<{ id: string; opened_ms: number }>`
    select id, opened_ms from (
      select ${sql.raw(names)} ${scanned} limit ${sql.lit(SCANNED_MAX)}) as scanned
    where ${all([...wishesOf(filter), ...labels.map((wish) => labelWish(kind, wish))])}
    order by opened_ms desc, id desc limit ${max + 1}`.execute(kysely);
  const found = rows.slice(0, max);
  const last = found.at(-1);
  const next =
    rows.length > max && last !== undefined
      ? { openedMs: last.opened_ms, id: last.id }
      : await lastScanned(kysely, scanned);
  return { episodes: await readSummaries(kysely, kind, found), next };
}

/** Where the look ended because of its bound; `undefined` when it saw everything. */
async function lastScanned(
  kysely: Kysely<Schema>,
  scanned: RawBuilder<unknown>,
): Promise<EpisodeCursor | undefined> {
  const { rows } = await sql<{ id: string; opened_ms: number }>`select id, opened_ms ${scanned}
    limit 1 offset ${sql.lit(SCANNED_MAX - 1)}`.execute(kysely);
  return rows[0] && { openedMs: rows[0].opened_ms, id: rows[0].id };
}

function all(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`1 = 1` : sql`${sql.join([...conditions], sql` and `)}`;
}

function wishesOf(filter: EpisodeFilter): RawBuilder<unknown>[] {
  const { status, outcome, decision, errorClass, recordId } = filter;
  const wished = { status, outcome, decision, error_class: errorClass, record_id: recordId };
  return Object.entries(wished).flatMap(([column, value]) =>
    value === undefined ? [] : [sql`${sql.ref(column)} = ${value}`],
  );
}

// Labels are kept as JSON with sorted names and no blanks, so a label is a part of the text.
function labelWish(kind: DatabaseKind, { name, value, isEqual }: LabelWish): RawBuilder<unknown> {
  const key = `${JSON.stringify(name)}:`;
  // As in Prometheus: an empty value is a label that is not there.
  const isThere = isEqual === (value !== "");
  const part = value === "" ? `${key}"` : key + JSON.stringify(value);
  const found = contains(kind, "labels", part);
  return isThere ? found : sql`not ${found}`;
}

type SummaryRow = Omit<EpisodeTable, "enrichment" | "retry_ms" | "counted">;

const SUMMARY = sql.raw(
  "id, source, tenant, fingerprint, starts_at, ends_at, labels, status, opened_ms, seen_ms, outcome, record_id, error_class, decision, enriched_ms",
);

async function readSummaries(
  kysely: Kysely<Schema>,
  kind: DatabaseKind,
  found: readonly { id: EpisodeId }[],
): Promise<readonly EpisodeSummary[]> {
  if (found.length === 0) return [];
  const wanted = jsonRows(
    kind,
    { id: "text" },
    found.map(({ id }) => ({ id })),
  );
  const { rows } = await sql<SummaryRow>`select ${SUMMARY} from episodes
    where id in (select wanted.id from ${wanted} as wanted)`.execute(kysely);
  const byId = new Map(rows.map((row) => [row.id, summaryOf(row)]));
  return found.flatMap(({ id }) => byId.get(id) ?? []);
}

function summaryOf(row: SummaryRow): EpisodeSummary {
  return {
    id: row.id,
    source: row.source,
    tenant: row.tenant,
    status: row.status === "open" || row.status === "stale" ? row.status : "resolved",
    labels: JSON.parse(row.labels) as Labels,
    startsMs: msOf(row.starts_at),
    endsMs: row.ends_at === null ? undefined : msOf(row.ends_at),
    openedMs: row.opened_ms,
    seenMs: row.seen_ms,
    outcome: OUTCOMES.find((outcome) => outcome === row.outcome),
    errorClass: row.error_class ?? undefined,
    recordId: row.record_id ?? undefined,
    decision: DECISIONS.find((decision) => decision === row.decision),
  };
}

function msOf(nanoseconds: string): number {
  return Number(BigInt(nanoseconds) / NS_PER_MS);
}

/** Reads one episode with its enrichment and the lines kept of its excerpt. */
export async function readEpisode(
  { kysely }: Database,
  id: EpisodeId,
): Promise<EpisodeDetail | undefined> {
  const row = await kysely
    .selectFrom("episodes")
    .leftJoin("excerpts", "excerpts.episode_id", "episodes.id")
    .selectAll("episodes")
    .select("excerpts.body")
    .where("episodes.id", "=", id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    ...summaryOf(row),
    fingerprint: row.fingerprint,
    enrichedMs: row.enriched_ms ?? undefined,
    enrichment: row.enrichment === null ? undefined : decodeEnrichment(row.enrichment),
    excerpt: row.body === null ? undefined : (JSON.parse(row.body) as KeptExcerpt),
  };
}
