import type { LogAnswer } from "../enrich/ports.ts";

/** How much is kept for questions that come again. */
export interface SharedAnswersOptions {
  readonly keepMs: number;
  /** UTF-16 units of all kept entries together. */
  readonly charsMax: number;
}

interface Flight {
  readonly answer: Promise<LogAnswer>;
  readonly controller: AbortController;
  askers: number;
}

interface Kept {
  readonly answer: LogAnswer;
  readonly atMs: number;
  readonly chars: number;
}

/**
 * Answers equal questions with one request: those that come while it is under way, and those that come
 * shortly after. Failures are shared while under way and never kept.
 */
export class SharedAnswers {
  readonly #options: SharedAnswersOptions;
  readonly #flights = new Map<string, Flight>();
  readonly #kept = new Map<string, Kept>();
  #chars = 0;

  constructor(options: SharedAnswersOptions) {
    this.#options = options;
  }

  /** Asks unless it is known or asked already. The request ends early only when every asker gave up. */
  async get(
    key: string,
    ask: (signal: AbortSignal) => Promise<LogAnswer>,
    { signal, nowMs }: { readonly signal: AbortSignal; readonly nowMs: () => number },
  ): Promise<LogAnswer> {
    signal.throwIfAborted();
    const kept = this.#find(key, nowMs());
    if (kept !== undefined) return kept;
    const flight = this.#flights.get(key) ?? this.#start(key, ask, nowMs);
    flight.askers += 1;
    let leave: () => void = () => undefined;
    const left = new Promise<never>((_resolve, reject) => {
      leave = () => {
        reject(signal.reason as Error);
      };
      signal.addEventListener("abort", leave, { once: true });
    });
    try {
      return await Promise.race([flight.answer, left]);
    } finally {
      signal.removeEventListener("abort", leave);
      flight.askers -= 1;
      // One that has ended is no longer on the list.
      const isUnderWay = this.#flights.get(key) === flight;
      if (flight.askers === 0 && isUnderWay) flight.controller.abort();
    }
  }

  #start(
    key: string,
    ask: (signal: AbortSignal) => Promise<LogAnswer>,
    nowMs: () => number,
  ): Flight {
    const controller = new AbortController();
    const answer = ask(controller.signal)
      .then((found) => {
        this.#keep(key, found, nowMs());
        return found;
      })
      .finally(() => {
        if (this.#flights.get(key) === flight) this.#flights.delete(key);
      });
    // Nobody may be left to hear of the failure.
    answer.catch(() => undefined);
    const flight: Flight = { answer, controller, askers: 0 };
    controller.signal.addEventListener("abort", () => {
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
    });
    this.#flights.set(key, flight);
    return flight;
  }

  #find(key: string, nowMs: number): LogAnswer | undefined {
    for (const [oldest, { atMs }] of this.#kept) {
      if (nowMs - atMs < this.#options.keepMs) break;
      this.#drop(oldest);
    }
    return this.#kept.get(key)?.answer;
  }

  #keep(key: string, answer: LogAnswer, atMs: number): void {
    const chars = answer.entries.reduce((sum, { text }) => sum + text.length, key.length);
    this.#drop(key);
    this.#kept.set(key, { answer, atMs, chars });
    this.#chars += chars;
    for (const oldest of this.#kept.keys()) {
      if (this.#chars <= this.#options.charsMax) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#chars -= this.#kept.get(key)?.chars ?? 0;
    this.#kept.delete(key);
  }
}
