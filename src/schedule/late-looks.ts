import type { LookResult } from "../enrich/look-again.ts";
import type { Clock, Counters, LateLook, LateLooks, Logger } from "../enrich/ports.ts";

/** What the ticker needs. */
export interface LateLooksTickerOptions {
  readonly looks: LateLooks;
  look(look: LateLook): Promise<LookResult>;
  /** Whether the source of logs would be asked now. */
  isAvailable(): boolean;
  /** Looks in any 60 seconds, whatever the number of episodes. */
  readonly looksPerMinute: number;
  readonly clock: Clock;
  readonly counters: Counters;
  readonly logger: Logger;
}

/** Looks claimed at a time: a claim that dies with the process is lost, so few are held. */
const LOOKS_AT_ONCE = 4;
const MINUTE_MS = 60_000;

/**
 * Creates what is called every second or so: it takes the looks that are due, as many as the budget
 * leaves, and none while the source is down; those wait. Calls that overlap do nothing.
 */
export function createLateLooksTicker(options: LateLooksTickerOptions): () => Promise<void> {
  const { clock, looksPerMinute } = options;
  let startedMs: number[] = [];
  let isRunning = false;
  return async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      for (;;) {
        const nowMs = clock.nowMs();
        startedMs = startedMs.filter((atMs) => nowMs - atMs < MINUTE_MS);
        const left = Math.min(LOOKS_AT_ONCE, looksPerMinute - startedMs.length);
        if (left <= 0 || !options.isAvailable()) return;
        const due = await options.looks.claimDue(nowMs, left);
        if (due.length === 0) return;
        startedMs.push(...due.map(() => nowMs));
        await Promise.all(due.map((look) => lookOnce(options, look)));
      }
    } finally {
      isRunning = false;
    }
  };
}

async function lookOnce(options: LateLooksTickerOptions, look: LateLook): Promise<void> {
  try {
    options.counters.lateLogs(await options.look(look));
  } catch (error) {
    options.counters.lateLogs("failed");
    options.logger.error({ episode: look.episodeId, error }, "later look for logs broke off");
  }
}
