import { setTimeout as sleep } from "node:timers/promises";

/** How long to ask, how often, and what for: `what` ends the sentence "gave up waiting for …". */
export interface EventuallyOptions {
  readonly what: string;
  readonly limitMs?: number;
  readonly everyMs?: number;
}

/**
 * Asks until the answer is not `undefined`. A throwing probe counts as "not yet"; its last error is
 * the cause of the final one.
 *
 * @throws {Error} When the limit (20 s) has passed.
 */
export async function eventually<T>(
  probe: () => T | undefined | Promise<T | undefined>,
  { what, limitMs = 20_000, everyMs = 50 }: EventuallyOptions,
): Promise<T> {
  const giveUpAt = performance.now() + limitMs;
  let cause: unknown;
  while (performance.now() < giveUpAt) {
    try {
      const answer = await probe();
      if (answer !== undefined) return answer;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    await sleep(everyMs);
  }
  throw new Error(`gave up waiting for ${what} after ${limitMs} ms`, { cause });
}
