const MINUTE_MS = 60_000;

/** Allows at most so many uses in any 60 seconds, however they fall. */
export class MinuteBudget {
  readonly #usedAtMs: Float64Array;
  #next = 0;

  /**
   * Creates one that is unused.
   *
   * @param usesMax - At least 1; takes 8 bytes each.
   */
  constructor(usesMax: number) {
    this.#usedAtMs = new Float64Array(usesMax).fill(-Infinity);
  }

  /** Takes one use; `false` when none is left. */
  take(nowMs: number): boolean {
    const oldestMs = this.#usedAtMs[this.#next] ?? nowMs;
    if (nowMs - oldestMs < MINUTE_MS) return false;
    this.#usedAtMs[this.#next] = nowMs;
    this.#next = (this.#next + 1) % this.#usedAtMs.length;
    return true;
  }
}
