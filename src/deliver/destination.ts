import type { Labels } from "../alert/alert.ts";
import type { EnrichedGroup } from "../enrich/ports.ts";

/** One notification to one destination. */
export interface Notification {
  /** The part of the group that goes there; all of it, never only what changed. */
  readonly enriched: EnrichedGroup;
  /** The same for all notifications of one source, receiver and groupKey; 43 characters of base64url. */
  readonly stream: string;
  /** Whether the destination refused the rich form of this body. */
  readonly plain: boolean;
  /** Whether nothing is new but what was found later for alerts that it was told of before. */
  readonly late: boolean;
  /** Whether members of the group that are not in this body still fire, as far as is known. */
  readonly othersFire: boolean;
}

/** A configured output. */
export interface Destination {
  /** Unique; a metric label, so it comes from the configuration only. */
  readonly name: string;
  /** Notifications that are under way at a time. */
  readonly concurrency: number;
  /** Longest that one try may take. */
  readonly timeoutMs: number;
  /** A notification that could not be delivered for so long is given up. */
  readonly expireAfterMs: number;
  /** Name of the destination that gets what was given up; `undefined`: nobody. */
  readonly fallback: string | undefined;
  /** Whether every body goes there, also one that a newer one has made old. */
  readonly every: boolean;
  /** Whether it is told of what was found after it was told of an alert. */
  readonly followsUp: boolean;
  /** Whether a body in which nothing fires ends something there, so that `othersFire` must be known. */
  readonly endsGroups: boolean;
  accepts(labels: Labels): boolean;
  /**
   * Sends a notification once.
   *
   * @throws {DeliveryError} When the destination did not take it.
   */
  deliver(notification: Notification): Promise<void>;
}
