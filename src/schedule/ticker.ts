import type { Logger } from "../enrich/ports.ts";

/** Work that is done again and again. */
export interface Tick {
  readonly name: string;
  /** Pause between the end of one run and the start of the next. */
  readonly everyMs: number;
  run(): Promise<void>;
}

/** Starts ticks; one that fails is logged and comes again. Returns what stops them and waits for the current runs. */
export function startTicks(ticks: readonly Tick[], logger: Logger): () => Promise<void> {
  let isStopped = false;
  const timers = new Map<string, NodeJS.Timeout>();
  const current = new Map<string, Promise<void>>();

  const schedule = (tick: Tick) => {
    if (isStopped) return;
    const timer = setTimeout(() => {
      current.set(
        tick.name,
        tick
          .run()
          .catch((error: unknown) => {
            logger.warn({ tick: tick.name, error }, "scheduled work failed");
          })
          .finally(() => {
            schedule(tick);
          }),
      );
    }, tick.everyMs);
    timer.unref();
    timers.set(tick.name, timer);
  };

  for (const tick of ticks) schedule(tick);
  return async () => {
    isStopped = true;
    for (const timer of timers.values()) clearTimeout(timer);
    await Promise.all(current.values());
  };
}
