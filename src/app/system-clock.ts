import type { Clock } from "../enrich/ports.ts";

const NS_PER_MS = 1_000_000n;

/** The machine's own clock. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  nowNs: () => BigInt(Date.now()) * NS_PER_MS,
  elapsedMs: () => performance.now(),
};
