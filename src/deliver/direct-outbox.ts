import { createHash } from "node:crypto";
import { UpstreamError } from "../enrich/outcome.ts";
import type { Clock, Counters, EnrichedGroup, Logger, Outbox } from "../enrich/ports.ts";
import type { Destination } from "./destination.ts";

/** What the outbox needs of the rest. */
export interface DirectOutboxOptions {
  readonly destinations: readonly Destination[];
  readonly clock: Clock;
  readonly counters: Counters;
  readonly logger: Logger;
}

/** Half-delivered bodies that are remembered; beyond it the oldest is forgotten and sent again. */
const REMEMBERED_MAX = 10_000;
/** Longer than any back-off of Alertmanager, far shorter than its repeat interval. */
const REMEMBERED_MS = 10 * 60_000;

/**
 * Delivers within the sender's request and keeps nothing: what a destination did not take, the
 * sender must send again.
 *
 * A body that some destinations took while others failed goes only to the failed ones when it comes
 * again unchanged.
 */
export function createDirectOutbox(options: DirectOutboxOptions): Outbox {
  const taken = createTakenBodies(options.clock);
  return {
    async put(enriched) {
      const outcomes = await Promise.all(
        options.destinations.map((destination) =>
          deliver(options, destination, { enriched, taken }),
        ),
      );
      const failures = outcomes.flatMap((outcome) => outcome.failure ?? []);
      const keys = outcomes.flatMap((outcome) => outcome.takenKey ?? []);
      const [failure] = failures;
      if (failure === undefined) {
        taken.forget(keys);
        return;
      }
      taken.remember(keys);
      const names = `${failures.length} of ${outcomes.length} destinations failed`;
      throw new UpstreamError(failure.reason, `${names}: ${failure.message}`);
    },
  };
}

interface DeliveryOutcome {
  readonly failure?: UpstreamError;
  /** Key of a body that the destination has taken, now or before. */
  readonly takenKey?: string;
}

async function deliver(
  { clock, counters, logger }: DirectOutboxOptions,
  destination: Destination,
  { enriched, taken }: { enriched: EnrichedGroup; taken: TakenBodies },
): Promise<DeliveryOutcome> {
  const body = destination.render(enriched);
  if (body === undefined) return {};
  const takenKey = createHash("sha256").update(`${destination.name}\n${body}`).digest("base64");
  if (taken.has(takenKey)) return { takenKey };
  const startedMs = clock.elapsedMs();
  const seconds = () => (clock.elapsedMs() - startedMs) / 1000;
  try {
    await destination.send(body);
    counters.delivered(destination.name, "success", seconds());
    return { takenKey };
  } catch (error) {
    counters.delivered(destination.name, "failure", seconds());
    const failure = asUpstreamError(error, destination.name);
    const { reason, cause } = failure;
    logger.warn(
      { destination: destination.name, reason, error: failure.message, cause },
      "delivery failed",
    );
    return { failure };
  }
}

// A fault of our own at one destination must not hide from the others that they were served.
function asUpstreamError(error: unknown, name: string): UpstreamError {
  if (error instanceof UpstreamError) return error;
  return new UpstreamError("refused", `destination ${name} could not be served`, { cause: error });
}

interface TakenBodies {
  has(key: string): boolean;
  remember(keys: readonly string[]): void;
  forget(keys: readonly string[]): void;
}

function createTakenBodies(clock: Clock): TakenBodies {
  const takenMs = new Map<string, number>();
  return {
    has: (key) => clock.nowMs() - (takenMs.get(key) ?? -Infinity) < REMEMBERED_MS,
    remember(keys) {
      for (const key of keys) {
        takenMs.delete(key);
        takenMs.set(key, clock.nowMs());
      }
      for (const key of takenMs.keys()) {
        if (takenMs.size <= REMEMBERED_MAX) break;
        takenMs.delete(key);
      }
    },
    forget(keys) {
      for (const key of keys) takenMs.delete(key);
    },
  };
}
