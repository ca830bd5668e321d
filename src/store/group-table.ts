import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { AlertGroup } from "../alert/alert.ts";
import type { EpisodeId, Source } from "../alert/episode.ts";
import type { GroupJob, StoredGroup } from "../enrich/delivery-ports.ts";
import type { EpisodeSighting } from "../enrich/ports.ts";
import { readEpisodes } from "./episode-table.ts";
import { decodeGroup, encodeGroup } from "./group-text.ts";
import { jsonRows } from "./json-rows.ts";
import type { DatabaseKind, Tx } from "./database.ts";
import type { GroupTable, Schema } from "./schema.ts";

/** Of each alert: its episode, and whether the post told nothing new. */
type KeptSighting = readonly [id: EpisodeId, repeat: 0 | 1] | null;

/** A group as one row of the table. */
export type GroupRow = Omit<GroupTable, "id"> & { readonly id: number };

/** What identifies the notifications that Alertmanager sends one after the other. */
export function streamOf(source: Source, { receiver, groupKey }: AlertGroup): string {
  return createHash("sha256")
    .update(JSON.stringify([source.name, source.tenant, receiver, groupKey]))
    .digest("base64url");
}

/** Whether a group of the stream that came earlier is not done. */
export async function hasQueued(tx: Tx, stream: string): Promise<boolean> {
  const row = await tx
    .selectFrom("groups")
    .select("id")
    .where("stream", "=", stream)
    .where("state", "=", "queued")
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Keeps a group as a job. An empty owner leaves it to whoever comes first. */
export async function insertGroup(
  tx: Tx,
  job: Omit<GroupJob, "id">,
  lease: { stream: string; owner: string; leaseMs: number },
): Promise<number> {
  const { id } = await tx
    .insertInto("groups")
    .values({
      source: job.source.name,
      tenant: job.source.tenant,
      stream: lease.stream,
      body: encodeGroup(job.group),
      sightings: encodeSightings(job.sightings),
      received_ms: job.receivedMs,
      state: "queued",
      owner: lease.owner,
      lease_ms: lease.leaseMs,
      attempts: job.attempts,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Takes jobs whose lease is over, of each stream only the first. */
export async function claimGroups(
  tx: Tx,
  kind: DatabaseKind,
  wish: { owner: string; max: number; nowMs: number; leaseUntilMs: number },
): Promise<readonly GroupJob[]> {
  const skipLocked = kind === "postgres" ? sql`for update skip locked` : sql``;
  const { rows } = await sql<GroupRow>`
    update groups set owner = ${wish.owner}, lease_ms = ${wish.leaseUntilMs}, attempts = attempts + 1
    where id in (
      select g.id from groups g
      where g.state = 'queued' and g.lease_ms <= ${wish.nowMs} and not exists (
        select 1 from groups earlier
        where earlier.stream = g.stream and earlier.state = 'queued' and earlier.id < g.id)
      order by g.id limit ${wish.max} ${skipLocked})
    returning *`.execute(tx);
  const jobs: GroupJob[] = [];
  for (const row of rows.toSorted((a, b) => a.id - b.id)) jobs.push(await jobOf(tx, kind, row));
  return jobs;
}

/** Marks a job as done; false when it is not the owner's any more. */
export async function finishGroup(tx: Tx, id: number, owner: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("groups")
    .set({ state: "done", owner: "", lease_ms: 0 })
    .where("id", "=", id)
    .where("state", "=", "queued")
    .where("owner", "=", owner)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Removes groups that no delivery needs any more. */
export async function dropUnneeded(tx: Tx, ids: readonly number[]): Promise<void> {
  for (const id of new Set(ids)) {
    await sql`delete from groups where id = ${id} and state = 'done'
      and not exists (select 1 from deliveries where group_id = ${id})
      and not exists (select 1 from awaited_episodes where group_id = ${id})`.execute(tx);
  }
}

/** Reads groups with what is kept for their alerts. */
export async function readGroups(
  db: Kysely<Schema>,
  kind: DatabaseKind,
  ids: readonly number[],
): Promise<ReadonlyMap<number, StoredGroup>> {
  const wanted = jsonRows(
    kind,
    { id: "bigint" },
    [...new Set(ids)].map((id) => ({ id })),
  );
  const { rows } = await sql<GroupRow>`select * from groups
    where id in (select wanted.id from ${wanted} as wanted)`.execute(db);
  const groups = new Map<number, StoredGroup>();
  for (const row of rows) {
    const { group, sightings } = await jobOf(db, kind, row);
    groups.set(row.id, {
      group,
      enrichments: sightings.map((sighting) => sighting?.enrichment),
    });
  }
  return groups;
}

async function jobOf(db: Kysely<Schema>, kind: DatabaseKind, row: GroupRow): Promise<GroupJob> {
  const kept = JSON.parse(row.sightings) as readonly KeptSighting[];
  const ids = kept.flatMap((sighting) => (sighting === null ? [] : [sighting[0]]));
  const episodes = new Map(
    (await readEpisodes(db, kind, ids)).map((episode) => [episode.id, episode]),
  );
  return {
    id: row.id,
    source: { name: row.source, tenant: row.tenant },
    group: decodeGroup(row.body),
    receivedMs: row.received_ms,
    sightings: kept.map((sighting): EpisodeSighting | undefined => {
      const episode = sighting === null ? undefined : episodes.get(sighting[0]);
      return episode && { ...episode, repeat: sighting?.[1] === 1 };
    }),
    attempts: row.attempts,
  };
}

function encodeSightings(sightings: GroupJob["sightings"]): string {
  return JSON.stringify(
    sightings.map((sighting): KeptSighting =>
      sighting === undefined ? null : [sighting.id, sighting.repeat ? 1 : 0],
    ),
  );
}
