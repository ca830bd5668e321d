import type { Clock } from "../../src/enrich/ports.ts";

/** A clock that stands still until it is moved. */
export interface ManualClock extends Clock {
  advance(durationMs: number): void;
}

/** Creates one that stands at the time of the sample payloads. */
export function createManualClock(startMs = Date.parse("2026-03-14T09:31:00Z")): ManualClock {
  let nowMs = startMs;
  return {
    nowMs: () => nowMs,
    nowNs: () => BigInt(nowMs) * 1_000_000n,
    elapsedMs: () => nowMs,
    advance(durationMs) {
      nowMs += durationMs;
    },
  };
}
