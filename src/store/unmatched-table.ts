import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Enrichment } from "../enrich/enrichment.ts";
import type { UnmatchedCluster } from "../enrich/reading-ports.ts";
import { jsonRows } from "./json-rows.ts";
import type { DatabaseKind, Tx } from "./database.ts";
import type { Schema, UnmatchedTable } from "./schema.ts";

/** Shapes that are kept; of more, those seen longest ago go. */
const CLUSTERS_MAX = 2000;
/** Removed at a time, so that not every new shape has to look. */
const EVICTED = 100;
const SAMPLES_MAX = 3;

interface Cluster {
  readonly shape: string;
  readonly samples: readonly string[];
  readonly episodes: number;
  readonly last_episode: string;
}

const COLUMNS = {
  id: "text",
  shape: "text",
  samples: "text",
  episodes: "bigint",
  last_episode: "text",
} as const;

/** Counts texts without a match, each once for its episode: when it has no enrichment yet. */
export async function writeUnmatched(
  tx: Tx,
  kind: DatabaseKind,
  { enrichments, nowMs }: { enrichments: readonly Enrichment[]; nowMs: number },
): Promise<void> {
  const found = await withoutOutcome(
    tx,
    kind,
    enrichments.filter(({ unmatched }) => unmatched !== undefined),
  );
  if (found.length === 0) return;
  const rows = [...clustersOf(found)].map(([id, cluster]) => ({
    ...cluster,
    id,
    samples: JSON.stringify(cluster.samples),
  }));
  // In one order everywhere: two replicas that count the same shapes must not wait for each other.
  rows.sort((one, other) => (one.id < other.id ? -1 : 1));
  await makeRoom(tx, rows.length);
  const input = jsonRows(kind, COLUMNS, rows);
  await sql`insert into unmatched (id, shape, samples, episodes, first_ms, last_ms, last_episode)
    select id, shape, samples, episodes, ${nowMs}, ${nowMs}, last_episode from ${input} as input where true
    on conflict (id) do update set episodes = unmatched.episodes + excluded.episodes,
      last_ms = excluded.last_ms, last_episode = excluded.last_episode`.execute(tx);
}

async function withoutOutcome(
  tx: Tx,
  kind: DatabaseKind,
  enrichments: readonly Enrichment[],
): Promise<readonly Enrichment[]> {
  if (enrichments.length === 0) return [];
  const ids = enrichments.map(({ episodeId }) => ({ id: episodeId }));
  const { rows } = await sql<{ id: string }>`select id from episodes
    where outcome is null and id in (select wanted.id from ${jsonRows(kind, { id: "text" }, ids)} as wanted)`.execute(
    tx,
  );
  const fresh = new Set(rows.map(({ id }) => id));
  return enrichments.filter(({ episodeId }) => fresh.has(episodeId));
}

function clustersOf(enrichments: readonly Enrichment[]): ReadonlyMap<string, Cluster> {
  const clusters = new Map<string, Cluster>();
  for (const { unmatched, episodeId } of enrichments) {
    if (unmatched === undefined) continue;
    const { shape, sample } = unmatched;
    const id = createHash("sha256").update(shape).digest("hex").slice(0, 16);
    const known = clusters.get(id);
    clusters.set(id, {
      shape,
      samples: [...new Set([...(known?.samples ?? []), sample])].slice(0, SAMPLES_MAX),
      episodes: (known?.episodes ?? 0) + 1,
      last_episode: episodeId,
    });
  }
  return clusters;
}

async function makeRoom(tx: Tx, wanted: number): Promise<void> {
  const { count } = await tx
    .selectFrom("unmatched")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  const surplus = count + wanted - CLUSTERS_MAX;
  if (surplus <= 0) return;
  await sql`delete from unmatched where id in (
    select id from unmatched order by last_ms limit ${surplus + EVICTED})`.execute(tx);
}

/** Reads clusters: those that most episodes showed first. */
export async function listUnmatched(
  db: Kysely<Schema>,
  { max, offset }: { max: number; offset: number },
): Promise<readonly UnmatchedCluster[]> {
  const rows = await db
    .selectFrom("unmatched")
    .selectAll()
    .orderBy("episodes", "desc")
    .orderBy("last_ms", "desc")
    .orderBy("id")
    .limit(max)
    .offset(offset)
    .execute();
  return rows.map(clusterOf);
}

/** Reads one cluster. */
export async function findUnmatched(
  db: Kysely<Schema>,
  id: string,
): Promise<UnmatchedCluster | undefined> {
  const row = await db.selectFrom("unmatched").selectAll().where("id", "=", id).executeTakeFirst();
  return row && clusterOf(row);
}

function clusterOf(row: UnmatchedTable): UnmatchedCluster {
  return {
    id: row.id,
    shape: row.shape,
    samples: JSON.parse(row.samples) as string[],
    episodes: row.episodes,
    firstMs: row.first_ms,
    lastMs: row.last_ms,
    lastEpisodeId: row.last_episode,
  };
}
