import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Enqueued, NewDelivery } from "../enrich/delivery-ports.ts";
import { alertsToCarry, decodeCarried, encodeCarried } from "./carried-alerts.ts";
import { dropUnneeded, readGroups } from "./group-table.ts";
import { isNeverSeen, isNews, membersToCarry, newMembers } from "./notification-news.ts";
import type { LastSuccess, Members } from "./notification-news.ts";
import type { DatabaseKind, Tx } from "./database.ts";
import type { DeliveryTable } from "./schema.ts";

/** Finds for several alerts of a group come close together, and are told at once. */
const GATHER_MS = 2000;

/** Where a delivery belongs. */
export interface Enqueuing {
  readonly kind: DatabaseKind;
  readonly stream: string;
  readonly groupId: number;
  /** Whether members were cut off, so that a body says less than the group is. */
  readonly isTruncated: boolean;
  readonly nowMs: number;
}

/**
 * Puts what a destination is to be told into the outbox. The outbox holds state, not messages: a
 * body that was not sent yet is replaced by a newer one, which carries on what only the older one said.
 */
export async function enqueueDelivery(
  tx: Tx,
  at: Enqueuing,
  delivery: NewDelivery,
): Promise<Enqueued> {
  if (delivery.every) {
    await insertDelivery(tx, { ...at, stream: `${at.stream}:${at.groupId}` }, delivery);
    return "queued";
  }
  const unsent = await lockPending(tx, at, delivery.destination);
  const last = await readLastSuccess(tx, delivery.destination, at.stream);
  if (unsent !== undefined) return replaceUnsent(tx, at, { delivery, unsent, last });
  if (!isNews(last, delivery, { nowMs: at.nowMs, copyWindowMs: delivery.copyWindowMs })) {
    return "copy";
  }
  await insertDelivery(tx, at, delivery);
  return "queued";
}

async function lockPending(
  tx: Tx,
  { kind, stream }: Enqueuing,
  destination: string,
): Promise<DeliveryTable | undefined> {
  const lock = kind === "postgres" ? sql`for update` : sql``;
  const { rows } = await sql<DeliveryTable>`select * from deliveries
    where destination = ${destination} and stream = ${stream} and state = 'pending' ${lock}`.execute(
    tx,
  );
  return rows[0];
}

/** What a destination last took of a stream. */
async function readLastSuccess(
  tx: Tx,
  destination: string,
  stream: string,
): Promise<LastSuccess | undefined> {
  const row = await tx
    .selectFrom("notification_log")
    .selectAll()
    .where("destination", "=", destination)
    .where("stream", "=", stream)
    .executeTakeFirst();
  return row && { ...membersOf(row), sentMs: row.sent_ms };
}

/** Keeps what a destination took last. */
export async function writeSuccess(
  tx: Tx,
  { destination, stream, firing, resolved }: Members & { destination: string; stream: string },
  nowMs: number,
): Promise<void> {
  // A body of a destination that gets every one has a stream of its own: nothing to compare with.
  if (stream.includes(":")) return;
  await sql`insert into notification_log (destination, stream, firing, resolved, sent_ms)
    values (${destination}, ${stream}, ${JSON.stringify(firing)}, ${JSON.stringify(resolved)}, ${nowMs})
    on conflict (destination, stream) do update
    set firing = excluded.firing, resolved = excluded.resolved, sent_ms = excluded.sent_ms`.execute(
    tx,
  );
}

/** Reads the columns `firing` and `resolved`. */
export function membersOf(row: { firing: string; resolved: string }): Members {
  return {
    firing: JSON.parse(row.firing) as string[],
    resolved: JSON.parse(row.resolved) as string[],
  };
}

interface Replacement {
  readonly delivery: NewDelivery;
  readonly unsent: DeliveryTable;
  readonly last: LastSuccess | undefined;
}

async function replaceUnsent(
  tx: Tx,
  at: Enqueuing,
  { delivery, unsent, last }: Replacement,
): Promise<Enqueued> {
  const before = { ...membersOf(unsent), maybeTaken: unsent.maybe_taken !== 0 };
  if (unsent.lease_ms > at.nowMs && tellsNothingBeside(before, delivery)) return "copy";
  const carriedFingerprints = membersToCarry(last, before, delivery);
  const isForgotten = carriedFingerprints.size === 0 && !at.isTruncated;
  if (isForgotten && isNeverSeen(last, before, delivery)) {
    await tx.deleteFrom("deliveries").where("id", "=", unsent.id).execute();
    await dropUnneeded(tx, [unsent.group_id]);
    // What comes again of it is a copy, and not the resolve of a firing that others were told of.
    const { destination, firing, resolved } = delivery;
    await writeSuccess(tx, { destination, stream: at.stream, firing, resolved }, at.nowMs);
    return "dropped";
  }
  const carried = await collectCarried(tx, at, { unsent, fingerprints: carriedFingerprints });
  const ofStatus = (status: string) =>
    carried.filter(({ alert }) => alert.status === status).map(({ alert }) => alert.fingerprint);
  await tx
    .updateTable("deliveries")
    .set({
      group_id: at.groupId,
      version: unsent.version + 1,
      late: unsent.late === 0 ? 0 : 2,
      firing: JSON.stringify([...delivery.firing, ...ofStatus("firing")]),
      resolved: JSON.stringify([...delivery.resolved, ...ofStatus("resolved")]),
      carried: encodeCarried(carried),
      plain: 0,
      created_ms: at.nowMs,
      expires_ms: delivery.expiresMs,
    })
    .where("id", "=", unsent.id)
    .execute();
  await dropUnneeded(tx, [unsent.group_id]);
  return "replaced";
}

/** Whether a body that is being sent at this moment says all that its successor would. */
function tellsNothingBeside(underWay: Members, successor: Members): boolean {
  const { firing, resolved } = newMembers(underWay, successor);
  return firing.length === 0 && resolved.length === 0;
}

async function collectCarried(
  tx: Tx,
  { kind }: Enqueuing,
  { unsent, fingerprints }: { unsent: DeliveryTable; fingerprints: ReadonlySet<string> },
) {
  if (fingerprints.size === 0) return [];
  const groups = await readGroups(tx, kind, [unsent.group_id]);
  const stored = groups.get(unsent.group_id);
  const own = stored === undefined ? [] : alertsToCarry(stored, fingerprints);
  const ownFingerprints = new Set(own.map(({ alert }) => alert.fingerprint));
  const earlier = decodeCarried(unsent.carried).filter(
    ({ alert: { fingerprint } }) =>
      fingerprints.has(fingerprint) && !ownFingerprints.has(fingerprint),
  );
  return [...earlier, ...own];
}

/**
 * Puts what was found later into the outbox, for a destination that was told of the group without it.
 * A body that waits is read anew when it is sent, so it says it anyway.
 */
export async function enqueueFollowUp(tx: Tx, at: Enqueuing, delivery: NewDelivery): Promise<void> {
  const unsent = await lockPending(tx, at, delivery.destination);
  if (unsent !== undefined) {
    await tx
      .updateTable("deliveries")
      .set({ late: unsent.late === 0 ? 2 : unsent.late, version: unsent.version + 1 })
      .where("id", "=", unsent.id)
      .execute();
    return;
  }
  const last = await readLastSuccess(tx, delivery.destination, at.stream);
  // Whoever took nothing of the group is owed nothing more of it.
  if (last === undefined && !delivery.every) return;
  const stream = delivery.every ? `${at.stream}:${randomUUID()}` : at.stream;
  await insertDelivery(tx, { ...at, stream }, delivery, { late: 1, waitMs: GATHER_MS });
}

/** Adds a pending delivery that is due at once. */
export async function insertDelivery(
  tx: Tx,
  { stream, groupId, nowMs }: Omit<Enqueuing, "kind" | "isTruncated">,
  { destination, firing, resolved, expiresMs }: NewDelivery,
  {
    carried = "[]",
    late = 0,
    waitMs = 0,
  }: { carried?: string; late?: number; waitMs?: number } = {},
): Promise<void> {
  await tx
    .insertInto("deliveries")
    .values({
      id: randomUUID(),
      destination,
      stream,
      state: "pending",
      group_id: groupId,
      version: 1,
      firing: JSON.stringify(firing),
      resolved: JSON.stringify(resolved),
      carried,
      plain: 0,
      attempts: 0,
      due_ms: nowMs + waitMs,
      owner: "",
      lease_ms: 0,
      maybe_taken: 0,
      created_ms: nowMs,
      expires_ms: expiresMs,
      reason: "",
      late,
    })
    .execute();
}
