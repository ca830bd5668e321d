import type { AlertGroup } from "../alert/alert.ts";
import type { Enrichment } from "../enrich/enrichment.ts";
import type { DeliveryClaim, DeliveryQueue, Dispatch } from "../enrich/delivery-ports.ts";
import type { Clock, Counters, EnrichedGroup, Logger } from "../enrich/ports.ts";
import { DeliveryError } from "./delivery-error.ts";
import type { Destination } from "./destination.ts";
import { failureOf } from "./delivery-failure.ts";
import { filterGroup } from "./filter-group.ts";
import { planDeliveries } from "./plan-deliveries.ts";

/** What the worker needs of the rest. */
export interface OutboxWorkerOptions {
  readonly queue: DeliveryQueue;
  /** Those in force; asked anew each time, so that a reload takes effect. */
  destinations(): readonly Destination[];
  /** A stored group as it may go out. */
  present(group: AlertGroup, kept: readonly (Enrichment | undefined)[]): EnrichedGroup;
  copyWindowMs(): number;
  readonly clock: Clock;
  readonly counters: Counters;
  readonly logger: Logger;
  /** From 0 to 1, for jitter. */
  readonly random: () => number;
}

/** Sends what the outbox owes. */
export interface OutboxWorker extends Dispatch {
  /** Looks for deliveries that are due, also those of other processes. */
  pump(): Promise<void>;
  /** Begins nothing new and waits for what is under way. */
  stop(): Promise<void>;
}

/** A claim outlives one try by this, so that its outcome can be recorded. */
const LEASE_MARGIN_MS = 20_000;
/** Groups kept at hand between their second commit and their delivery. */
const AT_HAND_MAX = 64;
/** How long a success is tried to be recorded: until then nobody else may send it. */
const RECORD_TRY_MS = 250;

interface Worker {
  readonly options: OutboxWorkerOptions;
  readonly underWay: Map<string, number>;
  readonly pumping: Map<string, Promise<void>>;
  readonly pumpAgain: Set<string>;
  readonly atHand: Map<number, EnrichedGroup>;
  isStopped: boolean;
}

/** Creates the worker. It starts no timer: `pump` is called by a tick, and by whoever has put something in. */
export function createOutboxWorker(options: OutboxWorkerOptions): OutboxWorker {
  const worker: Worker = {
    options,
    underWay: new Map(),
    pumping: new Map(),
    pumpAgain: new Set(),
    atHand: new Map(),
    isStopped: false,
  };
  const pumpAll = () =>
    Promise.all(options.destinations().map((destination) => pump(worker, destination)));
  return {
    plan: (group, nowMs) =>
      planDeliveries(options.destinations(), {
        group,
        nowMs,
        copyWindowMs: options.copyWindowMs(),
      }),
    planFollowUps: (group, nowMs) =>
      planDeliveries(
        options.destinations().filter((destination) => destination.followsUp),
        { group, nowMs, copyWindowMs: options.copyWindowMs() },
      ),
    wake(groupId, enriched) {
      keepAtHand(worker.atHand, groupId, enriched);
      void pumpAll();
    },
    async pump() {
      await pumpAll();
    },
    async stop() {
      worker.isStopped = true;
      await Promise.all(worker.pumping.values());
      while ([...worker.underWay.values()].some((count) => count > 0)) await pause(20);
    },
  };
}

function keepAtHand(atHand: Map<number, EnrichedGroup>, id: number, enriched: EnrichedGroup): void {
  atHand.set(id, enriched);
  for (const oldest of atHand.keys()) {
    if (atHand.size <= AT_HAND_MAX) return;
    atHand.delete(oldest);
  }
}

/** One claim at a time for each destination; whoever asks meanwhile is served by a second look. */
function pump(worker: Worker, destination: Destination): Promise<void> {
  const { name } = destination;
  const current = worker.pumping.get(name);
  if (current !== undefined) {
    worker.pumpAgain.add(name);
    return current;
  }
  const next = claimAndSend(worker, destination)
    .catch((error: unknown) => {
      worker.options.logger.warn({ destination: name, error }, "deliveries could not be claimed");
    })
    .finally(() => {
      worker.pumping.delete(name);
      if (worker.pumpAgain.delete(name)) void pump(worker, destination);
    });
  worker.pumping.set(name, next);
  return next;
}

async function claimAndSend(worker: Worker, destination: Destination): Promise<void> {
  const { name, concurrency, timeoutMs } = destination;
  const free = concurrency - (worker.underWay.get(name) ?? 0);
  if (worker.isStopped || free <= 0) return;
  const { queue, clock } = worker.options;
  const claims = await queue.claim({
    destination: name,
    max: free,
    nowMs: clock.nowMs(),
    leaseMs: timeoutMs + LEASE_MARGIN_MS,
  });
  for (const claim of claims) {
    worker.underWay.set(name, (worker.underWay.get(name) ?? 0) + 1);
    void serve(worker, destination, claim).finally(() => {
      worker.underWay.set(name, (worker.underWay.get(name) ?? 1) - 1);
      void pump(worker, destination);
    });
  }
}

async function serve(worker: Worker, destination: Destination, claim: DeliveryClaim) {
  const { clock, counters, logger } = worker.options;
  const { name } = destination;
  const startedMs = clock.elapsedMs();
  try {
    await send(worker, destination, claim);
    counters.delivered(name, "success", (clock.elapsedMs() - startedMs) / 1000);
  } catch (error) {
    counters.delivered(name, "failure", (clock.elapsedMs() - startedMs) / 1000);
    await recordFailure(worker, destination, { claim, error });
    return;
  }
  await recordPersistently(worker, destination, async () => {
    const how = await worker.options.queue.succeed(claim, clock.nowMs());
    if (how === "copy") counters.deliveryEnded(name, "copy");
    if (how === "done") worker.atHand.delete(claim.groupId);
  });
  logger.debug({ destination: name, attempts: claim.attempts }, "delivered");
}

async function send(worker: Worker, destination: Destination, claim: DeliveryClaim): Promise<void> {
  const enriched = await loadEnriched(worker, claim);
  const accepted = filterGroup(enriched, (labels) => destination.accepts(labels));
  // After a reload nothing of it may go there any more: then there is nothing to send.
  if (accepted === undefined) return;
  const [stream = ""] = claim.stream.split(":", 1);
  await destination.deliver({
    enriched: accepted,
    // Bodies that are kept apart from the group's others are of the same group there.
    stream,
    plain: claim.plain,
    late: claim.late === "follow_up",
    othersFire: await doOthersFire(worker, destination, { claim, accepted }),
  });
}

async function doOthersFire(
  { options: { queue, clock } }: Worker,
  destination: Destination,
  { claim, accepted }: { claim: DeliveryClaim; accepted: EnrichedGroup },
): Promise<boolean> {
  const isOver = accepted.group.alerts.every((alert) => alert.status === "resolved");
  if (!destination.endsGroups || !isOver) return false;
  const others = await askStore(() => queue.stillFiring(claim, clock.nowMs()));
  return others.some((labels) => destination.accepts(labels));
}

async function loadEnriched(
  { atHand, options }: Worker,
  claim: DeliveryClaim,
): Promise<EnrichedGroup> {
  const isWhole = claim.carried === "" && claim.late === "no";
  const ready = isWhole ? atHand.get(claim.groupId) : undefined;
  if (ready !== undefined) return ready;
  const stored = await askStore(() => options.queue.load(claim));
  if (stored === undefined) {
    throw new DeliveryError("refused", "the group of the delivery is gone", { permanent: true });
  }
  return options.present(stored.group, stored.enrichments);
}

// A store that is away for a moment says nothing of the body: it is tried again as it is.
async function askStore<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const message = "the store did not say what is to be delivered";
    throw new DeliveryError("unreachable", message, { cause: error });
  }
}

async function recordFailure(
  worker: Worker,
  destination: Destination,
  { claim, error }: { claim: DeliveryClaim; error: unknown },
): Promise<void> {
  const { queue, clock, counters, logger, random } = worker.options;
  const failure = failureOf(error, { claim, destination, nowMs: clock.nowMs(), random: random() });
  const { name } = destination;
  const { reason, retryAtMs, plain } = failure;
  logger.warn(
    { destination: name, reason, attempts: claim.attempts, dead: retryAtMs === undefined, plain },
    "delivery failed",
  );
  await recordPersistently(worker, destination, async () => {
    if ((await queue.fail(claim, failure)) === "dead") counters.deliveryEnded(name, "dead");
  });
}

// What is not recorded would be sent again as soon as the lease is over.
async function recordPersistently(
  { options: { clock, logger } }: Worker,
  { name, timeoutMs }: Destination,
  record: () => Promise<void>,
): Promise<void> {
  const untilMs = clock.elapsedMs() + timeoutMs + LEASE_MARGIN_MS;
  for (;;) {
    try {
      await record();
      return;
    } catch (error) {
      const isOver = clock.elapsedMs() > untilMs;
      logger.warn({ destination: name, error, isOver }, "outcome of a delivery was not recorded");
      if (isOver) return;
      await pause(RECORD_TRY_MS);
    }
  }
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}
