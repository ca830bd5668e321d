import { sql } from "kysely";
import type {
  DeadLetter,
  DeliveryClaim,
  DeliveryFailure,
  StoredGroup,
} from "../enrich/delivery-ports.ts";
import { decodeCarried, encodeCarried, withCarried } from "./carried-alerts.ts";
import { insertDelivery, membersOf, writeSuccess } from "./enqueue-delivery.ts";
import { dropUnneeded, readGroups } from "./group-table.ts";
import { isNews, newMembers } from "./notification-news.ts";
import type { Members } from "./notification-news.ts";
import type { Database, DatabaseKind, Tx } from "./database.ts";
import type { DeliveryTable } from "./schema.ts";

/** Values of the column `late`. */
const LATE = ["no", "follow_up", "news"] as const;

/** Takes what is due for a destination, the longest waiting first. */
export async function claimDeliveries(
  tx: Tx,
  kind: DatabaseKind,
  wish: { destination: string; max: number; nowMs: number; leaseMs: number; token: string },
): Promise<readonly DeliveryClaim[]> {
  const skipLocked = kind === "postgres" ? sql`for update skip locked` : sql``;
  const { rows } = await sql<DeliveryTable>`
    update deliveries set owner = ${wish.token}, lease_ms = ${wish.nowMs + wish.leaseMs},
      attempts = attempts + 1, maybe_taken = case when maybe_taken in (1, 3) then 3 else 2 end
    where id in (
      select id from deliveries
      where state = 'pending' and destination = ${wish.destination}
        and due_ms <= ${wish.nowMs} and lease_ms <= ${wish.nowMs}
      order by due_ms limit ${wish.max} ${skipLocked})
    returning *`.execute(tx);
  return rows.map((row) => ({
    id: row.id,
    destination: row.destination,
    stream: row.stream,
    version: row.version,
    groupId: row.group_id,
    carried: row.carried === "[]" ? "" : row.carried,
    ...membersOf(row),
    plain: row.plain === 1,
    late: LATE[row.late] ?? "no",
    attempts: row.attempts,
    createdMs: row.created_ms,
    expiresMs: row.expires_ms,
    token: row.owner,
  }));
}

/** Reads the group of a delivery with the alerts that it carries on. */
export async function loadGroup(
  { kysely, kind }: Database,
  { groupId, carried }: DeliveryClaim,
): Promise<StoredGroup | undefined> {
  const stored = (await readGroups(kysely, kind, [groupId])).get(groupId);
  if (stored === undefined || carried === "") return stored;
  return withCarried(stored, decodeCarried(carried));
}

async function lockRow(tx: Tx, kind: DatabaseKind, id: string): Promise<DeliveryTable | undefined> {
  const lock = kind === "postgres" ? sql`for update` : sql``;
  const { rows } = await sql<DeliveryTable>`select * from deliveries
    where id = ${id} and state = 'pending' ${lock}`.execute(tx);
  return rows[0];
}

/** Records that a body was taken, and looks whether a newer one that waited still says something. */
export async function recordSuccess(
  tx: Tx,
  kind: DatabaseKind,
  { claim, nowMs, copyWindowMs }: { claim: DeliveryClaim; nowMs: number; copyWindowMs: number },
): Promise<"done" | "newer" | "copy"> {
  const row = await lockRow(tx, kind, claim.id);
  // A follow-up says nothing new of the members, and must not move the window of copies.
  if (claim.late !== "follow_up") await writeSuccess(tx, claim, nowMs);
  if (row === undefined) return "done";
  if (row.version === claim.version) {
    await removeRow(tx, row);
    return "done";
  }
  const last = { firing: claim.firing, resolved: claim.resolved, sentMs: nowMs };
  const told = new Set([...claim.firing, ...claim.resolved]);
  const kept = withoutTold(row, { told, last });
  const says = isNews(last, kept.members, { nowMs, copyWindowMs });
  if (!says && row.late === 0) {
    await removeRow(tx, row);
    return "copy";
  }
  await tx
    .updateTable("deliveries")
    .set({
      firing: JSON.stringify(kept.members.firing),
      resolved: JSON.stringify(kept.members.resolved),
      carried: kept.carried,
      attempts: 0,
      due_ms: nowMs,
      lease_ms: 0,
      owner: "",
      maybe_taken: 0,
      // What was found later came while a body without it was under way.
      late: says ? row.late : 1,
    })
    .where("id", "=", row.id)
    .execute();
  return "newer";
}

// What the newer body carried on from this one has now been told.
function withoutTold(
  row: DeliveryTable,
  { told, last }: { told: ReadonlySet<string>; last: Members },
) {
  const carried = decodeCarried(row.carried);
  const members = membersOf(row);
  const fresh = newMembers(last, members);
  const isFresh = new Set([...fresh.firing, ...fresh.resolved]);
  const kept = carried.filter(({ alert }) => isFresh.has(alert.fingerprint));
  const gone = new Set(
    carried
      .map(({ alert }) => alert.fingerprint)
      .filter((fingerprint) => told.has(fingerprint) && !isFresh.has(fingerprint)),
  );
  return {
    carried: encodeCarried(kept),
    members: {
      firing: members.firing.filter((fingerprint) => !gone.has(fingerprint)),
      resolved: members.resolved.filter((fingerprint) => !gone.has(fingerprint)),
    },
  };
}

async function removeRow(tx: Tx, row: DeliveryTable): Promise<void> {
  await tx.deleteFrom("deliveries").where("id", "=", row.id).execute();
  await dropUnneeded(tx, [row.group_id]);
}

/** Records that a body was not taken: it waits, or is dead and perhaps goes elsewhere. */
export async function recordFailure(
  tx: Tx,
  kind: DatabaseKind,
  { claim, failure }: { claim: DeliveryClaim; failure: DeliveryFailure },
): Promise<"waiting" | "dead"> {
  const row = await lockRow(tx, kind, claim.id);
  if (row === undefined || row.owner !== claim.token) return "waiting";
  // A newer body has a fate of its own, but not sooner than the destination may be asked again.
  const isOld = row.version !== claim.version;
  const dueMs = failure.retryAtMs ?? (isOld ? failure.nowMs : undefined);
  await tx
    .updateTable("deliveries")
    .set({
      ...afterFailure(row, failure),
      state: dueMs === undefined ? "dead" : "pending",
      due_ms: dueMs ?? failure.nowMs,
      plain: isOld ? row.plain : Number(failure.plain),
    })
    .where("id", "=", row.id)
    .execute();
  if (dueMs !== undefined) return "waiting";
  await sendElsewhere(tx, row, failure);
  return "dead";
}

function afterFailure(row: DeliveryTable, { maybeTaken, reason }: DeliveryFailure) {
  return {
    lease_ms: 0,
    owner: "",
    // What an earlier try left open stays open.
    maybe_taken: maybeTaken || row.maybe_taken === 3 ? 1 : 0,
    reason: reason.slice(0, 500),
  };
}

async function sendElsewhere(
  tx: Tx,
  row: DeliveryTable,
  { fallback, nowMs }: DeliveryFailure,
): Promise<void> {
  if (fallback === undefined) return;
  // A stream of its own, for what the fallback is told anyway is compared under the plain one.
  const at = { stream: `${row.stream}:${row.id}`, groupId: row.group_id, nowMs };
  const lifeMs = row.expires_ms - row.created_ms;
  const delivery = {
    destination: fallback,
    ...membersOf(row),
    expiresMs: nowMs + lifeMs,
    copyWindowMs: 0,
    every: true,
  };
  await insertDelivery(tx, at, delivery, { carried: row.carried, late: row.late });
}

/** The deliveries that were given up, the latest first; or the one with an id. */
export async function listDead(
  db: Database,
  { max, id }: { max: number; id?: string },
): Promise<readonly DeadLetter[]> {
  const rows = await db.kysely
    .selectFrom("deliveries")
    .innerJoin("groups", "groups.id", "deliveries.group_id")
    .select(["deliveries.id", "destination", "reason", "deliveries.attempts", "created_ms", "body"])
    .where("deliveries.state", "=", "dead")
    .$if(id !== undefined, (query) => query.where("deliveries.id", "=", id ?? ""))
    .orderBy("created_ms", "desc")
    .limit(max)
    .execute();
  return rows.map((row) => {
    const { groupKey, receiver } = JSON.parse(row.body) as { groupKey: string; receiver: string };
    const { id, destination, reason, attempts, created_ms: createdMs } = row;
    return { id, destination, groupKey, receiver, reason, attempts, createdMs };
  });
}

/** Makes a dead delivery pending again, unless a newer body of the same stream is on its way or was taken. */
export async function resendDead(
  tx: Tx,
  { id, nowMs, expiresMs }: { id: string; nowMs: number; expiresMs: number },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update deliveries set state = 'pending', attempts = 0, plain = 0, due_ms = ${nowMs},
      expires_ms = ${expiresMs}, lease_ms = 0, owner = ''
    where id = ${id} and state = 'dead' and not exists (
      select 1 from deliveries other where other.destination = deliveries.destination
        and other.stream = deliveries.stream and other.state = 'pending')`.execute(tx);
  return numAffectedRows > 0n;
}
