import type { BreakerState } from "../enrich/ports.ts";

/** When a breaker opens, and for how long. */
export interface CircuitBreakerOptions {
  /** Failures in a row that open it. */
  readonly failures: number;
  /** How long it stays open at first; doubled each time the question after it fails too. */
  readonly openMs: number;
  /** Longest that it stays open, also when the other side asks for more. */
  readonly openMsMax: number;
  /** Told at every change. */
  onChange(state: BreakerState): void;
}

/**
 * Keeps questions from a system that does not answer. After some failures in a row it is open, and
 * nothing is asked; then one question is let through, and its fate decides.
 */
export class CircuitBreaker {
  readonly #options: CircuitBreakerOptions;
  #state: BreakerState = "closed";
  #failures = 0;
  #openedTimes = 0;
  #openUntilMs = 0;

  constructor(options: CircuitBreakerOptions) {
    this.#options = options;
  }

  /** Whether a question would be let through. Asks without consequence. */
  allows(nowMs: number): boolean {
    if (this.#state === "half_open") return false;
    return this.#state === "closed" || nowMs >= this.#openUntilMs;
  }

  /** Lets a question through or not; one that is let through must end in one of the three methods below. */
  enter(nowMs: number): boolean {
    if (!this.allows(nowMs)) return false;
    if (this.#state === "open") this.#change("half_open");
    return true;
  }

  succeed(): void {
    this.#failures = 0;
    this.#openedTimes = 0;
    this.#change("closed");
  }

  /** Counts a failure. `waitMs`: how long the other side asked to be left alone; it opens at once then. */
  fail(nowMs: number, waitMs: number | undefined): void {
    this.#failures += 1;
    const isFull = this.#failures >= this.#options.failures;
    if (this.#state === "closed" && !isFull && waitMs === undefined) return;
    // What was under way when it opened fails too, and says nothing new.
    if (this.#state === "open" && waitMs === undefined) return;
    const { openMs, openMsMax } = this.#options;
    const ownMs = openMs * 2 ** Math.min(this.#openedTimes, 20);
    if (this.#state !== "open") this.#openedTimes += 1;
    const untilMs = nowMs + Math.min(openMsMax, Math.max(ownMs, waitMs ?? 0));
    this.#openUntilMs = Math.max(this.#openUntilMs, untilMs);
    this.#change("open");
  }

  /** The question was given up by whoever asked: nothing is known of the other side. */
  giveUp(nowMs: number): void {
    if (this.#state !== "half_open") return;
    this.#openUntilMs = nowMs;
    this.#change("open");
  }

  #change(state: BreakerState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#options.onChange(state);
  }
}
