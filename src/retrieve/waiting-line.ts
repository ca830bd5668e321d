/**
 * Lets so many callers work at a time; the next ones wait in order, at most `waitingMax`, beyond
 * which they are turned away at once: work that piles up is worth nothing when its turn comes.
 */
export class WaitingLine {
  readonly #placesMax: number;
  readonly #waitingMax: number;
  #taken = 0;
  readonly #waiting = new Set<() => void>();

  constructor(placesMax: number, waitingMax: number) {
    this.#placesMax = placesMax;
    this.#waitingMax = waitingMax;
  }

  /**
   * Waits for a place, which `leave` gives back.
   *
   * @returns `full` when too many wait, `aborted` when the signal was first; no place is held then.
   */
  enter(signal: AbortSignal): Promise<"entered" | "full" | "aborted"> {
    if (signal.aborted) return Promise.resolve("aborted");
    if (this.#taken < this.#placesMax) {
      this.#taken += 1;
      return Promise.resolve("entered");
    }
    if (this.#waiting.size >= this.#waitingMax) return Promise.resolve("full");
    return new Promise((resolve) => {
      const abort = () => {
        this.#waiting.delete(admit);
        resolve("aborted");
      };
      const admit = () => {
        signal.removeEventListener("abort", abort);
        resolve("entered");
      };
      signal.addEventListener("abort", abort, { once: true });
      this.#waiting.add(admit);
    });
  }

  leave(): void {
    const [admit] = this.#waiting;
    if (admit === undefined) {
      this.#taken -= 1;
      return;
    }
    // The place goes to the one who waited longest, without becoming free in between.
    this.#waiting.delete(admit);
    admit();
  }
}
