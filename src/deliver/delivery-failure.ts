import type { DeliveryClaim, DeliveryFailure } from "../enrich/delivery-ports.ts";
import { DeliveryError } from "./delivery-error.ts";
import type { Destination } from "./destination.ts";

/** Waits between tries: as Alertmanager's own, so that a receiver sees nothing unusual. */
const FIRST_WAIT_MS = 500;
const FACTOR = 1.5;
const WAIT_MAX_MS = 60_000;

/**
 * What is to be done about a failed try: wait, send plain text, or give up.
 */
export function failureOf(
  error: unknown,
  around: {
    readonly claim: Pick<DeliveryClaim, "attempts" | "expiresMs" | "plain">;
    readonly destination: Pick<Destination, "name" | "fallback">;
    readonly nowMs: number;
    /** From 0 to 1. */
    readonly random: number;
  },
): DeliveryFailure {
  const { claim, destination, nowMs } = around;
  const { fallback } = destination;
  const known =
    error instanceof DeliveryError
      ? error
      : // A fault of our own in rendering; plain text may still get through.
        new DeliveryError("refused", `destination ${destination.name} could not be served`, {
          permanent: true,
        });
  const common = { reason: known.message, maybeTaken: known.maybeTaken, fallback, nowMs };
  if (known.permanent) {
    const retryAtMs = claim.plain ? undefined : nowMs;
    return { ...common, retryAtMs, plain: true };
  }
  const waitMs = known.retryAfterMs ?? waitOf(claim.attempts, around.random);
  const retryAtMs = nowMs + waitMs > claim.expiresMs ? undefined : nowMs + waitMs;
  return { ...common, retryAtMs, plain: claim.plain };
}

/** Grows with the tries, half of it at random, so that destinations are not asked in step. */
export function waitOf(attempts: number, random: number): number {
  const wholeMs = Math.min(WAIT_MAX_MS, FIRST_WAIT_MS * FACTOR ** Math.min(attempts - 1, 30));
  return Math.round(wholeMs * (0.5 + random / 2));
}
