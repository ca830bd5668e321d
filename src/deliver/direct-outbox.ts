import type { Clock, Counters, DirectOutbox, EnrichedGroup, Logger } from "../enrich/ports.ts";
import { UpstreamError } from "../enrich/outcome.ts";
import type { Destination } from "./destination.ts";
import { filterGroup } from "./filter-group.ts";

/** What the direct way needs of the rest. */
export interface DirectOutboxOptions {
  destinations(): readonly Destination[];
  readonly clock: Clock;
  readonly counters: Counters;
  readonly logger: Logger;
}

/**
 * Delivers within the sender's request and keeps nothing: the way of a group while the store is
 * away and `store.on_failure` is `passthrough`. What a destination did not take, the sender must send
 * again; destinations that took it then get it twice, which is better than not at all.
 */
export function createDirectOutbox(options: DirectOutboxOptions): DirectOutbox {
  return {
    async put(enriched, stream) {
      const failures = await Promise.all(
        options
          .destinations()
          .map((destination) => deliver(options, destination, { enriched, stream })),
      );
      const failed = failures.filter((failure) => failure !== undefined);
      const [first] = failed;
      if (first === undefined) return;
      const names = `${failed.length} of ${failures.length} destinations failed`;
      throw new UpstreamError(first.reason, `${names}: ${first.message}`);
    },
  };
}

async function deliver(
  { clock, counters, logger }: DirectOutboxOptions,
  destination: Destination,
  { enriched, stream }: { enriched: EnrichedGroup; stream: string },
): Promise<UpstreamError | undefined> {
  const accepted = filterGroup(enriched, (labels) => destination.accepts(labels));
  if (accepted === undefined) return undefined;
  const startedMs = clock.elapsedMs();
  const seconds = () => (clock.elapsedMs() - startedMs) / 1000;
  const { name } = destination;
  try {
    // Nobody can be asked what else fires: the body is all that is known.
    const known = { late: false, othersFire: false, plain: false };
    await destination.deliver({ enriched: accepted, stream, ...known });
    counters.delivered(name, "success", seconds());
    return undefined;
  } catch (error) {
    counters.delivered(name, "failure", seconds());
    // A fault of our own at one destination must not hide from the others that they were served.
    const failure =
      error instanceof UpstreamError
        ? error
        : new UpstreamError("refused", `destination ${name} could not be served`, { cause: error });
    const { reason, cause } = failure;
    logger.warn({ destination: name, reason, error: failure.message, cause }, "delivery failed");
    return failure;
  }
}
