import { sql } from "kysely";
import type { EpisodeId } from "../alert/episode.ts";
import type { LateEnrichment, MessageThreads } from "../enrich/delivery-ports.ts";
import type { LateLook, LateLooks } from "../enrich/ports.ts";
import { enqueueFollowUp } from "./enqueue-delivery.ts";
import { claimCounts } from "./episode-table.ts";
import { decodeAlert, encodeAlert } from "./group-text.ts";
import { dropUnneeded, readGroups } from "./group-table.ts";
import { jsonRows } from "./json-rows.ts";
import type { Database, DatabaseKind, Tx } from "./database.ts";
import type { LateLookTable } from "./schema.ts";
import { writeEnrichments } from "./write-enrichments.ts";

/** Looks that are kept; the newest are refused, for the oldest are the first to find anything. */
const LOOKS_MAX = 10_000;
/** A look is a few questions to Loki; whoever does not end it in this time is gone. */
const LOOK_LEASE_MS = 60_000;
/** From a notification to the end of the last look for its episodes. */
const AWAITED_MS = 420_000;

/** Keeps later looks in the database: they survive a restart, and any replica takes them. */
export function createLateLooks(db: Database): LateLooks {
  const { kind } = db;
  return {
    plan: (look) => db.write((tx) => insertLook(tx, look)),
    claimDue: (nowMs, looksMax) => db.write((tx) => claimLooks(tx, kind, { nowMs, looksMax })),
    endLook: (look, next) => db.write((tx) => endLook(tx, look, next)),
  };
}

async function insertLook(tx: Tx, look: LateLook): Promise<void> {
  const { episodeId, alert, tenant, attempt, firstMs, dueMs } = look;
  await sql`insert into late_looks (episode_id, alert, tenant, attempt, first_ms, due_ms, lease_ms)
    select cast(${episodeId} as text), cast(${encodeAlert(alert)} as text), cast(${tenant} as text),
      cast(${attempt} as integer), cast(${firstMs} as bigint), cast(${dueMs} as bigint), 0
    where (select count(*) from late_looks) < ${sql.lit(LOOKS_MAX)}
    on conflict (episode_id) do nothing`.execute(tx);
}

async function claimLooks(
  tx: Tx,
  kind: DatabaseKind,
  { nowMs, looksMax }: { nowMs: number; looksMax: number },
): Promise<readonly LateLook[]> {
  const skipLocked = kind === "postgres" ? sql`for update skip locked` : sql``;
  const { rows } = await sql<LateLookTable>`
    update late_looks set lease_ms = ${nowMs + LOOK_LEASE_MS} where episode_id in (
      select episode_id from late_looks where due_ms <= ${nowMs} and lease_ms <= ${nowMs}
      order by due_ms, episode_id limit ${looksMax} ${skipLocked})
    returning *`.execute(tx);
  return rows
    .map((row) => ({
      episodeId: row.episode_id,
      alert: decodeAlert(row.alert),
      tenant: row.tenant,
      attempt: row.attempt,
      firstMs: row.first_ms,
      dueMs: row.due_ms,
    }))
    .toSorted((left, right) => left.dueMs - right.dueMs);
}

// A look that outlived its lease may have been ended by another replica: then the attempt differs.
async function endLook(tx: Tx, look: LateLook, next: LateLook | undefined): Promise<void> {
  if (next !== undefined) {
    await tx
      .updateTable("late_looks")
      .set({ attempt: next.attempt, due_ms: next.dueMs, lease_ms: 0 })
      .where("episode_id", "=", look.episodeId)
      .where("attempt", "=", look.attempt)
      .execute();
    return;
  }
  const { numDeletedRows } = await tx
    .deleteFrom("late_looks")
    .where("episode_id", "=", look.episodeId)
    .where("attempt", "=", look.attempt)
    .executeTakeFirst();
  if (numDeletedRows > 0n) await stopAwaiting(tx, look.episodeId);
}

/** Ends the wait for an episode; gives the streams that waited, each with its latest group. */
async function stopAwaiting(tx: Tx, episodeId: EpisodeId) {
  const waited = await tx
    .deleteFrom("awaited_episodes")
    .where("episode_id", "=", episodeId)
    .returning(["stream", "group_id"])
    .execute();
  await dropUnneeded(
    tx,
    waited.map((row) => row.group_id),
  );
  return waited;
}

/** Keeps what was worked out too late, and what destinations are owed of it; true when it is to be counted. */
export async function saveLate(
  tx: Tx,
  kind: DatabaseKind,
  { enrichment, isCountable, follow, nowMs }: LateEnrichment,
): Promise<boolean> {
  const { episodeId } = enrichment;
  // First of all, for it locks the episode: whoever finishes a group of it meanwhile waits, or is seen.
  await writeEnrichments(tx, kind, { enrichments: [enrichment], nowMs });
  const counted = await claimCounts(tx, kind, isCountable ? [episodeId] : []);
  await tx.deleteFrom("late_looks").where("episode_id", "=", episodeId).execute();
  if (enrichment.outcome === "matched") await followUp(tx, kind, { episodeId, follow, nowMs });
  await stopAwaiting(tx, episodeId);
  return counted.length > 0;
}

async function followUp(
  tx: Tx,
  kind: DatabaseKind,
  { episodeId, follow, nowMs }: { episodeId: EpisodeId } & Pick<LateEnrichment, "follow" | "nowMs">,
): Promise<void> {
  const waited = await tx
    .selectFrom("awaited_episodes")
    .select(["stream", "group_id"])
    .where("episode_id", "=", episodeId)
    .orderBy("stream")
    .execute();
  const groups = await readGroups(
    tx,
    kind,
    waited.map((row) => row.group_id),
  );
  for (const { stream, group_id: groupId } of waited) {
    const group = groups.get(groupId)?.group;
    if (group === undefined) continue;
    const at = { kind, stream, groupId, isTruncated: group.truncatedAlerts > 0, nowMs };
    for (const delivery of follow(group)) await enqueueFollowUp(tx, at, delivery);
  }
}

/**
 * Says which episodes of a stream wait for an explanation, in place of what an earlier group said.
 * Gives true when one of them got it just before: then what goes out must be read back.
 */
export async function awaitEpisodes(
  tx: Tx,
  kind: DatabaseKind,
  wait: { stream: string; groupId: number; episodes: readonly EpisodeId[]; nowMs: number },
): Promise<boolean> {
  const { stream, groupId, nowMs } = wait;
  const before = await tx
    .deleteFrom("awaited_episodes")
    .where("stream", "=", stream)
    .returning("group_id")
    .execute();
  await dropUnneeded(
    tx,
    before.map((row) => row.group_id),
  );
  if (wait.episodes.length === 0) return false;
  const wanted = jsonRows(
    kind,
    { id: "text" },
    [...new Set(wait.episodes)].map((id) => ({ id })),
  );
  const lock = kind === "postgres" ? sql`for update` : sql``;
  const { rows } = await sql<{
    id: string;
    outcome: string | null;
  }>`select id, outcome from episodes
    where id in (select wanted.id from ${wanted} as wanted) order by id ${lock}`.execute(tx);
  const open = rows.filter((row) => row.outcome !== "matched");
  if (open.length > 0) {
    await tx
      .insertInto("awaited_episodes")
      .values(
        open.map(({ id }) => ({
          episode_id: id,
          stream,
          group_id: groupId,
          until_ms: nowMs + AWAITED_MS,
        })),
      )
      .execute();
  }
  return open.length < rows.length;
}

/** Remembers where messages stand. */
export function createThreads(db: Database): MessageThreads {
  return {
    async find(destination, stream) {
      const row = await db.kysely
        .selectFrom("message_threads")
        .select("thread")
        .where("destination", "=", destination)
        .where("stream", "=", stream)
        .executeTakeFirst();
      return row?.thread;
    },
    keep: ({ destination, stream }, thread, nowMs) =>
      db.write(async (tx) => {
        if (thread === undefined) {
          await tx
            .deleteFrom("message_threads")
            .where("destination", "=", destination)
            .where("stream", "=", stream)
            .execute();
          return;
        }
        await sql`insert into message_threads (destination, stream, thread, used_ms)
          values (${destination}, ${stream}, ${thread}, ${nowMs})
          on conflict (destination, stream) do update
          set thread = excluded.thread, used_ms = excluded.used_ms`.execute(tx);
      }),
  };
}
