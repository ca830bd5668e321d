import type { Clock } from "../../enrich/ports.ts";

/** Reads at most once in a while and gives everyone in between the same; what failed is not kept. */
export function shortly<T>(
  clock: Pick<Clock, "elapsedMs">,
  keptMs: number,
  read: () => Promise<T>,
): () => Promise<T> {
  let kept: { readonly value: Promise<T>; readonly untilMs: number } | undefined;
  return () => {
    const nowMs = clock.elapsedMs();
    if (kept !== undefined && nowMs < kept.untilMs) return kept.value;
    const value = read();
    const fresh = { value, untilMs: nowMs + keptMs };
    kept = fresh;
    value.catch(() => {
      if (kept === fresh) kept = undefined;
    });
    return value;
  };
}
