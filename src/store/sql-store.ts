import { randomBytes, randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Alert } from "../alert/alert.ts";
import type { EpisodeId, Source } from "../alert/episode.ts";
import type {
  AcceptedGroup,
  DeadLetter,
  DeliveryClaim,
  DeliveryFailure,
  DeliveryQueue,
  Enqueued,
  FinishReceipt,
  FinishedGroup,
  GroupJob,
  GroupJournal,
  LateFinds,
  MessageThreads,
  NewGroup,
  Sweeper,
} from "../enrich/delivery-ports.ts";
import type {
  EpisodeSighting,
  EpisodeState,
  EpisodeStore,
  History,
  LateLooks,
  Roles,
} from "../enrich/ports.ts";
import type { EpisodeReader } from "../enrich/reading-ports.ts";
import {
  claimDeliveries,
  listDead,
  loadGroup,
  recordFailure,
  recordSuccess,
  resendDead,
} from "./delivery-table.ts";
import { enqueueDelivery } from "./enqueue-delivery.ts";
import { claimCounts, observeAlerts, readEpisodes } from "./episode-table.ts";
import type { EpisodeSettings } from "./episode-table.ts";
import {
  claimGroups,
  dropUnneeded,
  finishGroup,
  hasQueued,
  insertGroup,
  streamOf,
} from "./group-table.ts";
import { awaitEpisodes, createLateLooks, createThreads, saveLate } from "./late-table.ts";
import { openDatabase } from "./open-database.ts";
import { createHistory } from "./history-table.ts";
import { findUnmatched, listUnmatched } from "./unmatched-table.ts";
import { writeEnrichments } from "./write-enrichments.ts";
import type { Database, Tx } from "./database.ts";
import { listEpisodes, readEpisode } from "./read-episodes.ts";
import { countByHour, countFiringClasses, deliveriesOf, listFiring } from "./read-overview.ts";
import type { RegionBook } from "../enrich/region-ports.ts";
import { createRegionBook } from "./region-table.ts";
import { createRoles } from "./role-table.ts";
import { findStillFiring, rememberMembers } from "./stream-members.ts";
import { sweepDatabase } from "./sweep.ts";
import type { Retention } from "./sweep.ts";

/** Where the store is, and what it keeps. */
export interface SqlStoreOptions extends Retention {
  /** `sqlite:PATH`, `postgres://…` or `memory`. May hold a password; never logged. */
  readonly url: string;
  readonly copyWindowMs: number;
  /** Hears of connections that break while nobody uses them. */
  readonly onFault?: (error: Error) => void;
}

/** Everything that is kept, in SQLite or PostgreSQL. */
export interface SqlStore
  extends
    EpisodeStore,
    History,
    GroupJournal,
    LateFinds,
    LateLooks,
    DeliveryQueue,
    Sweeper,
    Roles,
    EpisodeReader {
  readonly threads: MessageThreads;
  readonly regions: RegionBook;
  close(): Promise<void>;
}

/**
 * Opens the store.
 *
 * @throws {Error} When the database cannot be reached or belongs to another process.
 */
export async function openSqlStore(options: SqlStoreOptions): Promise<SqlStore> {
  const db = await openDatabase(options.url, options.onFault);
  try {
    const secret = await readSecret(db);
    if (db.kind === "sqlite") await takeLeasesBack(db);
    return createStore(db, options, secret);
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** The secret of this store; made up by whoever opens it first. */
async function readSecret(db: Database): Promise<string> {
  return db.write(async (tx) => {
    await sql`insert into secrets (name, value) values ('episode_id', ${randomBytes(32).toString("hex")})
      on conflict (name) do nothing`.execute(tx);
    const { value } = await tx
      .selectFrom("secrets")
      .select("value")
      .where("name", "=", "episode_id")
      .executeTakeFirstOrThrow();
    return value;
  });
}

// The file has one process at a time, so whoever held a lease is gone.
async function takeLeasesBack(db: Database): Promise<void> {
  await db.write(async (tx) => {
    await tx.updateTable("groups").set({ lease_ms: 0 }).where("state", "=", "queued").execute();
    await tx
      .updateTable("deliveries")
      .set({ lease_ms: 0 })
      .where("state", "=", "pending")
      .execute();
    await tx.updateTable("late_looks").set({ lease_ms: 0 }).execute();
    await tx.deleteFrom("role_claims").execute();
  });
}

function createStore(db: Database, options: SqlStoreOptions, secret: string): SqlStore {
  const settings: EpisodeSettings = { kind: db.kind, secret, staleAfterMs: options.staleAfterMs };
  return {
    ...createEpisodeStore(db, settings),
    ...createHistory(db),
    ...createJournal(db, settings),
    ...createLateLooks(db),
    saveLate: (late) => db.write((tx) => saveLate(tx, db.kind, late)),
    ...createQueue(db, options),
    threads: createThreads(db),
    regions: createRegionBook(db),
    ...createRoles(db),
    ...createReader(db),
    sweep: (nowMs) => sweepDatabase(db, options, nowMs),
    close: () => db.close(),
  };
}

function createReader(db: Database): EpisodeReader {
  return {
    listEpisodes: (filter, page) => listEpisodes(db, filter, page),
    readEpisode: (id) => readEpisode(db, id),
    deliveriesOf: (fingerprint, sinceMs) => deliveriesOf(db, fingerprint, sinceMs),
    listFiring: (max) => listFiring(db, max),
    countFiringClasses: () => countFiringClasses(db),
    countByHour: (sinceMs) => countByHour(db, sinceMs),
    listUnmatched: (page) => listUnmatched(db.kysely, page),
    findUnmatched: (id) => findUnmatched(db.kysely, id),
  };
}

function createEpisodeStore(db: Database, settings: EpisodeSettings): EpisodeStore {
  return {
    observe(source: Source, alerts: readonly Alert[], nowMs: number) {
      return db.write(async (tx): Promise<readonly (EpisodeSighting | undefined)[]> => {
        await lockSource(tx, db, source);
        return observeAlerts(tx, settings, { source, alerts, nowMs });
      });
    },
    find(ids: readonly EpisodeId[]): Promise<readonly EpisodeState[]> {
      return readEpisodes(db.kysely, db.kind, ids);
    },
  };
}

/**
 * Lets one group of a source in at a time, over all replicas: two copies of a group that come
 * together must not open an episode each, and groups of one stream get their order here.
 */
async function lockSource(tx: Tx, { kind }: Database, source: Source): Promise<void> {
  if (kind !== "postgres") return;
  const key = JSON.stringify([source.name, source.tenant]);
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 9845))`.execute(tx);
}

function createJournal(db: Database, settings: EpisodeSettings): GroupJournal {
  const owner = randomUUID();
  return {
    accept: (incoming) => db.write((tx) => acceptGroup(tx, { db, settings, owner }, incoming)),
    claimJobs: ({ max, nowMs, leaseMs }): Promise<readonly GroupJob[]> =>
      db.write((tx) =>
        claimGroups(tx, db.kind, { owner, max, nowMs, leaseUntilMs: nowMs + leaseMs }),
      ),
    finish: (finished) => db.write((tx) => finishJob(tx, { db, settings, owner }, finished)),
  };
}

async function acceptGroup(
  tx: Tx,
  { db, settings, owner }: { db: Database; settings: EpisodeSettings; owner: string },
  { source, group, receivedMs, leaseMs, observes }: NewGroup,
): Promise<AcceptedGroup> {
  await lockSource(tx, db, source);
  const stream = streamOf(source, group);
  const isNext = !(await hasQueued(tx, stream));
  const observed = group.alerts.filter(observes);
  const seen = await observeAlerts(tx, settings, { source, alerts: observed, nowMs: receivedMs });
  const byAlert = new Map(observed.map((alert, index) => [alert, seen[index]]));
  const sightings = group.alerts.map((alert) => byAlert.get(alert));
  const job = { source, group, receivedMs, sightings, attempts: isNext ? 1 : 0 };
  const lease = isNext ? { owner, leaseMs: receivedMs + leaseMs } : { owner: "", leaseMs: 0 };
  const id = await insertGroup(tx, job, { stream, ...lease });
  return { job: { ...job, id }, isNext };
}

async function finishJob(
  tx: Tx,
  { db, settings, owner }: { db: Database; settings: EpisodeSettings; owner: string },
  { job, enrichments, countable, deliveries, awaited, nowMs }: FinishedGroup,
): Promise<FinishReceipt | undefined> {
  if (!(await finishGroup(tx, job.id, owner))) return undefined;
  await writeEnrichments(tx, db.kind, { enrichments, nowMs });
  const counted = await claimCounts(tx, db.kind, countable);
  const stream = streamOf(job.source, job.group);
  const isTruncated = job.group.truncatedAlerts > 0;
  const at = { kind: db.kind, stream, groupId: job.id, isTruncated, nowMs };
  const enqueued: Enqueued[] = [];
  for (const delivery of deliveries) enqueued.push(await enqueueDelivery(tx, at, delivery));
  await rememberMembers(tx, job, { stream, nowMs, staleAfterMs: settings.staleAfterMs });
  const wait = { stream, groupId: job.id, episodes: awaited, nowMs };
  if (await awaitEpisodes(tx, db.kind, wait)) {
    const late = tx.updateTable("deliveries").set({ late: 2 }).where("group_id", "=", job.id);
    await late.execute();
  }
  await dropUnneeded(tx, [job.id]);
  return { counted, enqueued, hasNext: await hasQueued(tx, stream) };
}

function createQueue(db: Database, { copyWindowMs, staleAfterMs }: SqlStoreOptions): DeliveryQueue {
  const { kind } = db;
  return {
    claim: (wish) => db.write((tx) => claimDeliveries(tx, kind, { ...wish, token: randomUUID() })),
    load: (claim: DeliveryClaim) => loadGroup(db, claim),
    stillFiring: (claim, nowMs) => findStillFiring(db, claim, { nowMs, staleAfterMs }),
    succeed: (claim: DeliveryClaim, nowMs: number) =>
      db.write((tx) => recordSuccess(tx, kind, { claim, nowMs, copyWindowMs })),
    fail: (claim: DeliveryClaim, failure: DeliveryFailure) =>
      db.write((tx) => recordFailure(tx, kind, { claim, failure })),
    deadLetters: (max): Promise<readonly DeadLetter[]> => listDead(db, { max }),
    deadLetter: async (id) => (await listDead(db, { max: 1, id }))[0],
    resend: (id, nowMs, expiresMs) => db.write((tx) => resendDead(tx, { id, nowMs, expiresMs })),
    async depths() {
      const rows = await db.kysely
        .selectFrom("deliveries")
        .select((eb) => ["destination", "state", eb.fn.countAll<number>().as("count")])
        .groupBy(["destination", "state"])
        .execute();
      return rows.map(({ destination, state, count }) => ({
        destination,
        state: state === "dead" ? ("dead" as const) : ("pending" as const),
        count,
      }));
    },
  };
}
