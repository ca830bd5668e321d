import type { Clock } from "../enrich/ports.ts";

/** Rest of a sender after a post that was held, as a multiple of the time it was held. */
const REST_AFTER_DONE = 1;
/** Where explaining did not end in time: such holds make a sender with many batches fall behind. */
const REST_AFTER_EXPIRED = 10;
/** Senders that are remembered; more are not held. */
const SENDERS_MAX = 10_000;

/**
 * Says of which senders a post may be held back. One post a sender at a time, then a rest that grows with
 * the time of the hold: a Prometheus sends its batches one after the other, so held each in turn a
 * thousand of them would wait a thousand times, and it drops alerts when its queue is full. A tenth of its
 * time is the most that a sender loses where explaining does not end. Lives as long as the process.
 */
export class SenderHolds {
  /** When a sender may be held again, elapsed milliseconds; `Infinity` while it is. */
  private readonly freeAtMs = new Map<string, number>();
  private readonly clock: Clock;

  /** Nobody is held. */
  constructor(clock: Clock) {
    this.clock = clock;
  }

  /**
   * Begins a hold of a sender's post; `undefined` when it may not be held.
   *
   * @returns Ends the hold: call it once, with whether the explanations came in time.
   */
  begin(sender: string): ((result: "done" | "expired") => void) | undefined {
    const fromMs = this.clock.elapsedMs();
    if (!this.isFree(sender, fromMs)) return undefined;
    this.freeAtMs.set(sender, Number.POSITIVE_INFINITY);
    return (result) => {
      const untilMs = this.clock.elapsedMs();
      const rest = result === "done" ? REST_AFTER_DONE : REST_AFTER_EXPIRED;
      this.freeAtMs.set(sender, untilMs + rest * (untilMs - fromMs));
    };
  }

  private isFree(sender: string, nowMs: number): boolean {
    const freeAtMs = this.freeAtMs.get(sender);
    if (freeAtMs !== undefined) return freeAtMs <= nowMs;
    if (this.freeAtMs.size >= SENDERS_MAX) this.forgetRested(nowMs);
    return this.freeAtMs.size < SENDERS_MAX;
  }

  private forgetRested(nowMs: number): void {
    for (const [sender, freeAtMs] of this.freeAtMs)
      if (freeAtMs <= nowMs) this.freeAtMs.delete(sender);
  }
}
