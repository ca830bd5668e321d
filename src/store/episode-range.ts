import type { Alert, TimestampNs } from "../alert/alert.ts";

/** The half-open range of time that an episode or a post covers; without an end it goes on. */
export interface FiringRange {
  readonly startNs: TimestampNs;
  readonly endNs: TimestampNs | undefined;
}

const NS_PER_MS = 1_000_000n;

/** The range that a post of an alert tells of; a resolve without time is taken as of now. */
export function rangeOf(alert: Alert, nowMs: number): FiringRange {
  const endNs =
    alert.status === "firing" ? undefined : (alert.endsAtNs ?? BigInt(nowMs) * NS_PER_MS);
  return { startNs: alert.startsAtNs, endNs };
}

/** Whether a post belongs to the episode; an equal start always does. */
export function overlaps(episode: FiringRange, post: FiringRange): boolean {
  if (post.startNs === episode.startNs) return true;
  const startsBeforeEnd = episode.endNs === undefined || post.startNs < episode.endNs;
  const endsAfterStart = post.endNs === undefined || post.endNs > episode.startNs;
  return startsBeforeEnd && endsAfterStart;
}
