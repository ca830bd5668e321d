import { setTimeout as sleep } from "node:timers/promises";
import type { AlertGroup } from "../alert/alert.ts";
import type { Source } from "../alert/episode.ts";
import type { Config } from "../config/config.ts";
import type { Metrics } from "../count/metrics.ts";
import type { Destination } from "../deliver/destination.ts";
import { createDirectOutbox } from "../deliver/direct-outbox.ts";
import { createOutboxWorker } from "../deliver/outbox-worker.ts";
import type { OutboxWorker } from "../deliver/outbox-worker.ts";
import { isChosen } from "../enrich/choose-alert.ts";
import type { EnrichKit } from "../enrich/enrich-alert.ts";
import { UpstreamError } from "../enrich/outcome.ts";
import type { AcceptedGroup, Dispatch } from "../enrich/delivery-ports.ts";
import type { Clock, EnrichedGroup, Logger } from "../enrich/ports.ts";
import { maskGroup } from "../enrich/mask-incoming.ts";
import { presentGroup } from "../enrich/present-group.ts";
import { sourceNameOf } from "../ingest/post-webhook.ts";
import type { TakenGroup } from "../ingest/post-webhook.ts";
import { createJobRunner } from "../schedule/job-runner.ts";
import type { JobRunner } from "../schedule/job-runner.ts";
import { startTicks } from "../schedule/ticker.ts";
import { streamOf } from "../store/group-table.ts";
import { openSqlStore } from "../store/sql-store.ts";
import type { SqlStore } from "../store/sql-store.ts";
import { webhookSourcesOf } from "./webhook-sources-of.ts";

/** What a reload replaces. */
export interface Current {
  readonly config: Config;
  readonly kit: EnrichKit;
  readonly destinations: readonly Destination[];
  /** Takes the later looks for logs that are due. */
  readonly lookAgain: () => Promise<void>;
  /** Brings Grafana's regions up to date. */
  readonly markRegions: () => Promise<void>;
}

/** What lives as long as the process: the store, and what is taken from it and brought back. */
export interface Backbone {
  readonly store: SqlStore;
  /** What destinations are to be told of a group when something was found later. */
  readonly planFollowUps: Dispatch["planFollowUps"];
  /**
   * Takes a group in; durable when it resolves.
   *
   * @throws {UpstreamError} When it could not be kept, so that the sender must try again.
   */
  take(group: AlertGroup, tenant: string): Promise<TakenGroup>;
  /** Starts what runs by itself. */
  start(): void;
  /** Finishes what is under way, for a bounded time, and closes the store. */
  stop(): Promise<void>;
}

/** What the backbone is made of. */
export interface BackboneOptions {
  /** Store and limits; a reload does not change them. */
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly current: () => Current;
}

/** Beyond the deadline: a process that is still alive has long made its second commit by then. */
const LEASE_MARGIN_MS = 10_000;
const TAKE_UP_MS = 1000;
const PUMP_MS = 500;
const REGIONS_MS = 2000;
const SWEEP_MS = 60_000;
const DEPTHS_MS = 5000;
const FIRING_MS = 5000;
/** How long the replica that reports what fires may be silent before another one does. */
const FIRING_LEASE_MS = 30_000;
/** As long as a sender is kept waiting for a store that does not answer. */
const PATIENCE_MS = 10_000;
const TRY_AGAIN_MS = 250;
/** Groups that wait for their second commit; more are refused until there is room. */
const UNFINISHED_MAX = 1000;
const STOP_MS = 8000;
const LEAVE_MS = 500;
/** What a group that met its deadline takes to its second commit. */
const COMMIT_MS = 1000;
/** A sender that comes faster than groups are finished waits so long for its acknowledgement. */
const ROOM_MS = 1500;

/**
 * Opens the store and composes what works on it.
 *
 * @throws {Error} When the store cannot be opened.
 */
export async function createBackbone(options: BackboneOptions): Promise<Backbone> {
  const { config, clock, logger, metrics } = options;
  const { url, retentionMs, episodesMax } = config.store;
  const store = await openSqlStore({
    url: url.reveal(),
    staleAfterMs: config.episode.staleAfterMs,
    copyWindowMs: config.delivery.copyWindowMs,
    retentionMs,
    episodesMax,
    onFault: (error) => {
      logger.warn({ error }, "connection to the store broke");
    },
  });
  const destinations = () => options.current().destinations;
  const worker = createOutboxWorker({
    queue: store,
    destinations,
    present: (group, kept) => presentGroup(options.current().kit.settings, group, kept),
    copyWindowMs: () => options.current().config.delivery.copyWindowMs,
    clock,
    counters: metrics.counters,
    logger,
    random: () => Math.random(),
  });
  const runner = createJobRunner({
    kit: () => ({
      ...options.current().kit,
      journal: store,
      dispatch: worker,
      deadlineMs: options.current().config.webhook.deadlineMs,
    }),
    leaseMs: config.webhook.deadlineMs + LEASE_MARGIN_MS,
  });
  const direct = createDirectOutbox({
    destinations,
    clock,
    counters: metrics.counters,
    logger,
  });
  const parts: Parts = { options, store, runner, worker, direct };
  let stopTicks = () => Promise.resolve();
  return {
    store,
    planFollowUps: (group, nowMs) => worker.planFollowUps(group, nowMs),
    take: (group, tenant) => takeGroup(parts, maskedGroup(options, group), tenant),
    start() {
      stopTicks = startTicks(ticksOf(parts), logger);
      void runner.takeUp();
      void worker.pump();
    },
    async stop() {
      await stopTicks();
      const settled = runner.settle().then(() => worker.stop());
      await Promise.race([settled, sleep(STOP_MS)]);
      await Promise.race([leaveRoles(store, logger), sleep(LEAVE_MS)]);
      await store.close();
    },
  };
}

interface Parts {
  readonly options: BackboneOptions;
  readonly store: SqlStore;
  readonly runner: JobRunner;
  readonly worker: OutboxWorker;
  readonly direct: ReturnType<typeof createDirectOutbox>;
}

function ticksOf({ options, store, runner, worker }: Parts) {
  const { clock, metrics } = options;
  return [
    { name: "jobs", everyMs: TAKE_UP_MS, run: () => runner.takeUp() },
    { name: "outbox", everyMs: PUMP_MS, run: () => worker.pump() },
    { name: "late looks", everyMs: TAKE_UP_MS, run: () => options.current().lookAgain() },
    { name: "regions", everyMs: REGIONS_MS, run: () => options.current().markRegions() },
    { name: "sweep", everyMs: SWEEP_MS, run: () => store.sweep(clock.nowMs()) },
    {
      name: "depths",
      everyMs: DEPTHS_MS,
      run: async () => {
        metrics.outboxDepths(await store.depths());
      },
    },
    { name: "firing", everyMs: FIRING_MS, run: () => reportFiring(store, metrics, clock) },
  ];
}

/** So that another replica need not wait for the claims to end. */
async function leaveRoles(store: SqlStore, logger: Logger): Promise<void> {
  try {
    await store.leaveRole("report-firing");
    await store.leaveRole("annotate-regions");
  } catch (error) {
    logger.warn({ error }, "another replica takes over a little later");
  }
}

/** Every replica would report the same episodes, and a sum over them would count each several times. */
async function reportFiring(store: SqlStore, metrics: Metrics, clock: Clock): Promise<void> {
  const isReporter = await store.holdRole("report-firing", clock.nowMs(), FIRING_LEASE_MS);
  metrics.episodesFiring(isReporter ? await store.countFiringClasses() : undefined);
}

function maskedGroup({ current }: BackboneOptions, group: AlertGroup): AlertGroup {
  const { config, kit } = current();
  return config.redact.incoming ? maskGroup(group, kit.settings.redact) : group;
}

async function takeGroup(parts: Parts, group: AlertGroup, tenant: string): Promise<TakenGroup> {
  const { options, runner } = parts;
  if (runner.unfinished >= UNFINISHED_MAX) {
    throw new UpstreamError("throttled", "too many groups wait to be enriched");
  }
  await runner.room(ROOM_MS);
  const accepted = await acceptPatiently(parts, group, tenant);
  if (accepted === undefined) return passThrough(parts, group, tenant);
  const { job, isNext } = accepted;
  const enriching = isNext ? runner.run(job) : Promise.resolve(undefined);
  const { deadlineMs } = options.current().config.webhook;
  const duplicates = job.sightings.filter((sighting) => sighting?.repeat === true).length;
  options.metrics.counters.alertsRepeated(duplicates);
  return {
    duplicates,
    async enriched(): Promise<EnrichedGroup> {
      const late = sleep(deadlineMs + COMMIT_MS, undefined, { ref: false });
      return (await Promise.race([enriching, late])) ?? bareGroup(group);
    },
  };
}

function bareGroup(group: AlertGroup): EnrichedGroup {
  return { group, enrichments: group.alerts.map(() => undefined) };
}

/** The first commit; `undefined` when the store stayed away. */
async function acceptPatiently(
  { options, store }: Parts,
  group: AlertGroup,
  tenant: string,
): Promise<AcceptedGroup | undefined> {
  const { clock, logger } = options;
  const receivedMs = clock.nowMs();
  const { kit, config } = options.current();
  const incoming = {
    source: sourceOf(options.current(), group, tenant),
    group,
    receivedMs,
    leaseMs: config.webhook.deadlineMs + LEASE_MARGIN_MS,
    observes: (alert: AlertGroup["alerts"][number]) => isChosen(alert.labels, kit.settings),
  };
  for (;;) {
    try {
      return await store.accept(incoming);
    } catch (error) {
      logger.warn({ error }, "the store did not take a group");
      if (clock.nowMs() - receivedMs > PATIENCE_MS) return undefined;
      await sleep(TRY_AGAIN_MS);
    }
  }
}

function sourceOf(
  { config, kit }: Pick<Current, "config" | "kit">,
  group: AlertGroup,
  tenant: string,
): Source {
  const name = sourceNameOf(group, webhookSourcesOf(config));
  return { ...kit.settings.source, name, ...(tenant !== "" && { tenant }) };
}

async function passThrough(
  { options, direct }: Parts,
  group: AlertGroup,
  tenant: string,
): Promise<TakenGroup> {
  const { config, kit } = options.current();
  if (config.store.onFailure === "refuse") {
    kit.counters.storeFailed("refused");
    throw new UpstreamError("unreachable", "the store did not take the group");
  }
  kit.counters.storeFailed("passed_through");
  const enriched = bareGroup(group);
  await direct.put(enriched, streamOf(sourceOf({ config, kit }, group, tenant), group));
  return { duplicates: 0, enriched: () => Promise.resolve(enriched) };
}
