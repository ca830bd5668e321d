import type { AlertGroup, Labels } from "../alert/alert.ts";
import type { EpisodeId } from "../alert/episode.ts";
import type { DeliveryClaim, GroupJob } from "../enrich/delivery-ports.ts";
import { readEpisodes } from "./episode-table.ts";
import type { Database, Tx } from "./database.ts";

/** When a member was last told to fire, and its episode, or its labels where none is kept. */
type KnownMember = readonly [seenMs: number, episode: EpisodeId | null, labels?: Labels];
type KnownMembers = Readonly<Record<string, KnownMember>>;

/**
 * Keeps what fires of a stream over all bodies that told of it: one body may lack members that
 * another peer knows, or that are silenced.
 */
export async function rememberMembers(
  tx: Tx,
  { group, sightings }: Pick<GroupJob, "group" | "sightings">,
  at: { stream: string; nowMs: number; staleAfterMs: number },
): Promise<void> {
  const { stream, nowMs, staleAfterMs } = at;
  const row = await tx
    .selectFrom("stream_members")
    .select("members")
    .where("stream", "=", stream)
    .executeTakeFirst();
  const known = new Map(
    row === undefined ? [] : Object.entries(JSON.parse(row.members) as KnownMembers),
  );
  for (const [fingerprint, [seenMs]] of known) {
    if (nowMs - seenMs > staleAfterMs) known.delete(fingerprint);
  }
  for (const [index, alert] of group.alerts.entries()) {
    if (alert.status === "firing") {
      known.set(alert.fingerprint, memberOf(alert, sightings[index]?.id, nowMs));
    } else known.delete(alert.fingerprint);
  }
  if (known.size === 0) {
    if (row !== undefined) {
      await tx.deleteFrom("stream_members").where("stream", "=", stream).execute();
    }
    return;
  }
  const members = JSON.stringify(Object.fromEntries(known));
  await tx
    .insertInto("stream_members")
    .values({ stream, members, changed_ms: nowMs })
    .onConflict((conflict) => conflict.column("stream").doUpdateSet({ members, changed_ms: nowMs }))
    .execute();
}

function memberOf(
  { labels }: AlertGroup["alerts"][number],
  episode: EpisodeId | undefined,
  nowMs: number,
): KnownMember {
  return episode === undefined ? [nowMs, null, labels] : [nowMs, episode];
}

/** The labels of members of the stream that still fire, those of the body left out. */
export async function findStillFiring(
  { kysely, kind }: Database,
  { stream, firing, resolved }: DeliveryClaim,
  { nowMs, staleAfterMs }: { nowMs: number; staleAfterMs: number },
): Promise<readonly Labels[]> {
  const row = await kysely
    .selectFrom("stream_members")
    .select("members")
    // A body of a destination that gets every one has a stream of its own below this one.
    .where("stream", "=", stream.split(":", 1)[0] ?? "")
    .executeTakeFirst();
  if (row === undefined) return [];
  const own = new Set([...firing, ...resolved]);
  const others = Object.entries(JSON.parse(row.members) as KnownMembers)
    .filter(([fingerprint, [seenMs]]) => !own.has(fingerprint) && nowMs - seenMs <= staleAfterMs)
    .map(([, member]) => member);
  const ids = others.flatMap(([, episode]) => (episode === null ? [] : [episode]));
  const episodes = new Map(
    (await readEpisodes(kysely, kind, ids)).map((episode) => [episode.id, episode]),
  );
  return others.flatMap(([, id, labels]) => {
    if (id === null) return labels === undefined ? [] : [labels];
    // Another stream may have told of its resolve.
    const episode = episodes.get(id);
    return episode?.status === "open" ? [episode.labels] : [];
  });
}
