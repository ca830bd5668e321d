import { finishGroup } from "../enrich/finish-group.ts";
import type { GroupKit } from "../enrich/finish-group.ts";
import type { GroupJob } from "../enrich/delivery-ports.ts";
import type { EnrichedGroup } from "../enrich/ports.ts";

/** What the runner needs of the rest. */
export interface JobRunnerOptions {
  /** The kit in force; asked anew for each job, so that a reload takes effect. */
  readonly kit: () => GroupKit;
  /** How long a job belongs to this process. */
  readonly leaseMs: number;
}

/** Takes accepted groups the rest of their way, a few at a time, oldest first. */
export interface JobRunner {
  /**
   * Runs a job of this process.
   *
   * @returns The enriched group, or `undefined` when it was not possible here and now.
   */
  run(job: GroupJob): Promise<EnrichedGroup | undefined>;
  /** Takes up jobs that nobody works on. */
  takeUp(): Promise<void>;
  /**
   * Waits until a job would begin soon, at most for the time given: a sender that is faster than we are
   * is slowed down, so that what it sent does not meet its deadline in our queue.
   */
  room(limitMs: number): Promise<void>;
  /** Jobs that wait or are worked on. */
  readonly unfinished: number;
  /** Waits until nothing is worked on. */
  settle(): Promise<void>;
}

/** Groups worked on at a time: enough to hide waiting for logs, few enough to finish in order. */
const GROUPS_AT_ONCE = 8;
const RETRY_MS = 250;
/** Groups that may wait for a place before their senders have to. */
const WAITING_MAX = 4;

/** Creates the runner. It starts no timer: `takeUp` is called by a tick. */
export function createJobRunner(options: JobRunnerOptions): JobRunner {
  const waiting: (() => void)[] = [];
  const senders: (() => void)[] = [];
  let running = 0;

  const next = () => {
    while (running < GROUPS_AT_ONCE) {
      const start = waiting.shift();
      if (start === undefined) break;
      running += 1;
      start();
    }
    if (waiting.length < WAITING_MAX) senders[0]?.();
  };

  const runner: JobRunner = {
    run: (job) =>
      new Promise((resolve) => {
        waiting.push(() => {
          void finishPatiently(options, job).then((done) => {
            running -= 1;
            resolve(done?.enriched);
            next();
            if (done?.hasNext === true) void runner.takeUp();
          });
        });
        next();
      }),
    async takeUp() {
      const { journal, clock, logger } = options.kit();
      const max = GROUPS_AT_ONCE - waiting.length;
      if (max <= 0) return;
      try {
        const claim = { max, nowMs: clock.nowMs(), leaseMs: options.leaseMs };
        for (const job of await journal.claimJobs(claim)) void runner.run(job);
      } catch (error) {
        logger.warn({ error }, "the store did not say which groups wait");
      }
    },
    room(limitMs) {
      if (waiting.length < WAITING_MAX && senders.length === 0) return Promise.resolve();
      return new Promise((resolve) => {
        const enter = () => {
          clearTimeout(timer);
          senders.splice(senders.indexOf(enter), 1);
          resolve();
        };
        const timer = setTimeout(enter, limitMs);
        senders.push(enter);
      });
    },
    get unfinished() {
      return waiting.length + running;
    },
    async settle() {
      while (waiting.length + running > 0) await pause(20);
    },
  };
  return runner;
}

// A store that is away for a moment is waited for as long as the job is ours.
async function finishPatiently({ kit, leaseMs }: JobRunnerOptions, job: GroupJob) {
  const startedMs = kit().clock.elapsedMs();
  for (;;) {
    const current = kit();
    try {
      return await finishGroup(current, job);
    } catch (error) {
      const isOver = current.clock.elapsedMs() - startedMs > leaseMs;
      current.logger.warn({ job: job.id, error, isOver }, "group could not be finished");
      if (isOver) return undefined;
      await pause(RETRY_MS);
    }
  }
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}
