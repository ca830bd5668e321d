import type { LateLook } from "./ports.ts";

/** When the logs of an episode are looked for again, from the first look on. */
export const LATE_DELAYS_MS: readonly number[] = [15_000, 60_000, 300_000];

/** Spreads the looks of alerts that came together; a part of the delay. */
const JITTER = 0.2;

/** The look with its time, if there is one of that number; `random` gives numbers in [0, 1). */
export function timeLook(
  look: Omit<LateLook, "dueMs">,
  random: () => number,
): LateLook | undefined {
  const delayMs = LATE_DELAYS_MS[look.attempt];
  if (delayMs === undefined) return undefined;
  return { ...look, dueMs: Math.round(look.firstMs + delayMs * (1 + JITTER * random())) };
}
