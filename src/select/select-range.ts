import type { Alert, TimestampNs } from "../alert/alert.ts";

/** How far around an alert its log lines are looked for. */
export interface RangeOptions {
  /** What the rule waits before it fires; an alert does not say it. */
  readonly forMs: number;
  /** Before that. */
  readonly lookbackMs: number;
  /** Lines are written this much later than they happen, and clocks differ. */
  readonly lagMs: number;
  /** Longest range; above 0. */
  readonly rangeMsMax: number;
}

/** What else the range depends on. */
export interface RangeSituation {
  readonly nowNs: TimestampNs;
  /** Whether the alert was seen before, so that its latest activity is what matters. */
  readonly isRepeat: boolean;
  /** How far back the rule looks at each evaluation. */
  readonly ruleRangeMs: number;
  /** How much earlier than its evaluation the rule looks. */
  readonly offsetMs: number;
}

/** Half-open, `[startNs, endNs)`; never empty, inverted or before the epoch. */
export interface TimeRange {
  readonly startNs: TimestampNs;
  readonly endNs: TimestampNs;
  /** Whether it is shorter than what the alert asked for. */
  readonly clamped: boolean;
}

const NS_PER_MS = 1_000_000n;

/**
 * Chooses the range of log lines to read for one alert, in nanoseconds since the Unix epoch.
 *
 * From `startsAt`, less what the rule waits and looks back and the lookback, to `endsAt` or now,
 * whichever is earlier, plus the lag. A repeat looks at the time before now instead of `startsAt`. A
 * range that is too long keeps its start, for the first error says more than the last; a repeat's keeps
 * its end. An offset of the
 * rule moves all of it. A `startsAt` that cannot be (zero, in the future) counts as now.
 */
export function selectRange(
  { startsAtNs, endsAtNs }: Pick<Alert, "startsAtNs" | "endsAtNs">,
  { nowNs, isRepeat, ruleRangeMs, offsetMs }: RangeSituation,
  { forMs, lookbackMs, lagMs, rangeMsMax }: RangeOptions,
): TimeRange {
  const lastNs = endsAtNs !== undefined && isWithin(endsAtNs, nowNs) ? endsAtNs : nowNs;
  const anchorNs = isWithin(startsAtNs, lastNs) && !isRepeat ? startsAtNs : lastNs;
  const beforeNs = nsOf(forMs + ruleRangeMs + lookbackMs);
  const shiftNs = nsOf(offsetMs);
  const startNs = notBeforeEpoch(anchorNs - beforeNs - shiftNs);
  const wantedNs = lastNs + nsOf(lagMs) - shiftNs;
  const maxNs = nsOf(rangeMsMax);
  const clamped = wantedNs - startNs > maxNs;
  if (clamped && isRepeat) return { startNs: wantedNs - maxNs, endNs: wantedNs, clamped };
  const endNs = clamped ? startNs + maxNs : wantedNs;
  // At least a millisecond, whatever the settings: an empty range is asked in vain.
  return { startNs, endNs: endNs > startNs ? endNs : startNs + NS_PER_MS, clamped };
}

function isWithin(timestampNs: bigint, lastNs: bigint): boolean {
  return timestampNs > 0n && timestampNs <= lastNs;
}

function nsOf(durationMs: number): bigint {
  return BigInt(Math.round(durationMs)) * NS_PER_MS;
}

function notBeforeEpoch(timestampNs: bigint): bigint {
  return timestampNs > 0n ? timestampNs : 0n;
}
