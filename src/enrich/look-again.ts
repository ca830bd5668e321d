import { explainEpisode, keepLate } from "./enrich-alert.ts";
import type { EnrichKit } from "./enrich-alert.ts";
import { planLook } from "./late-logs.ts";
import type { LateLook } from "./ports.ts";

/** What a later look came to; `dropped`: the episode was over, forgotten or explained by then. */
export type LookResult = "found" | "empty" | "failed" | "dropped";

/**
 * Looks once more for the logs of an episode, while it fires and has no match. Lines that are found
 * update the episode; the next notification carries what they say. If there are none, the next look
 * is planned.
 */
export async function lookAgain(kit: EnrichKit, look: LateLook): Promise<LookResult> {
  const [episode] = await kit.episodes.find([look.episodeId]);
  if (episode?.status !== "open" || episode.enrichment?.outcome === "matched") return "dropped";
  const situation = { nowNs: kit.clock.nowNs(), isRepeat: false, tenant: look.tenant };
  const enrichment = await explainEpisode(kit, look.alert, { episode, situation });
  const result = enrichment.logs?.result ?? "dropped";
  if (result === "found" || enrichment.outcome === "matched") {
    await keepLate(kit, enrichment);
    return "found";
  }
  if (result !== "dropped") await planNext(kit, look);
  return result;
}

async function planNext({ lateLooks, random }: EnrichKit, look: LateLook): Promise<void> {
  if (lateLooks === undefined) return;
  await planLook(lateLooks, { ...look, attempt: look.attempt + 1 }, () => random());
}
