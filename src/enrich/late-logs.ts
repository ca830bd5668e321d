import type { LateLook, LateLooks } from "./ports.ts";

/** When the logs of an episode are looked for again, from the first look on. */
export const LATE_DELAYS_MS: readonly number[] = [15_000, 60_000, 300_000];

/** Spreads the looks of alerts that came together; a part of the delay. */
const JITTER = 0.2;

/** Plans the next look, if there is one; `random` gives numbers in [0, 1). */
export async function planLook(
  looks: LateLooks,
  look: Omit<LateLook, "dueMs">,
  random: () => number,
): Promise<void> {
  const delayMs = LATE_DELAYS_MS[look.attempt];
  if (delayMs === undefined) return;
  await looks.plan({ ...look, dueMs: look.firstMs + delayMs * (1 + JITTER * random()) });
}
