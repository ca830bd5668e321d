/** Wait after the first failure. */
const FIRST_MS = 5_000;
const PAUSE_MS_MAX = 3_600_000;
/** Share of a wait that is random, so that many replicas do not ask at the same moment. */
const JITTER = 0.2;

/**
 * How long to wait before a URL is asked again: the interval after a success; after failures in a row
 * 5 s, doubled each time, up to an hour. Both vary by a fifth.
 * `random` is in [0, 1).
 */
export function syncPauseMs(failures: number, intervalMs: number, random: number): number {
  const base = failures === 0 ? intervalMs : Math.min(FIRST_MS * 2 ** (failures - 1), PAUSE_MS_MAX);
  return Math.round(base * (1 - JITTER + 2 * JITTER * random));
}
