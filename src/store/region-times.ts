/** The last millisecond that a date in JavaScript can be. */
const TIME_MS_MAX = 8_640_000_000_000_000n;
const NS_PER_MS = 1_000_000n;

/**
 * Milliseconds for Grafana of nanoseconds as the store keeps them, within what a date can be.
 *
 * @returns At least 1: Grafana takes 0 for "now".
 */
export function regionMsOf(ns: string): number {
  const ms = BigInt(ns) / NS_PER_MS;
  if (ms < 1n) return 1;
  return Number(ms > TIME_MS_MAX ? TIME_MS_MAX : ms);
}
