import { explainEpisode } from "./enrich-alert.ts";
import type { EnrichKit } from "./enrich-alert.ts";
import { keepLate } from "./keep-late.ts";
import { timeLook } from "./late-logs.ts";
import type { EpisodeState, LateLook } from "./ports.ts";

/** What a later look came to; `dropped`: the episode was over, forgotten or explained by then. */
export type LookResult = "found" | "empty" | "failed" | "dropped";

/**
 * Looks once more for the logs of an episode, while it fires and has no match. Lines that are found
 * update the episode, and destinations are told by their late policy. If there are none, the next look
 * is planned.
 *
 * @throws {Error} When the store is away; the look is then handed out again.
 */
export async function lookAgain(kit: EnrichKit, look: LateLook): Promise<LookResult> {
  const [episode] = await kit.episodes.find([look.episodeId]);
  const isOpen = episode?.status === "open" && episode.enrichment?.outcome !== "matched";
  return isOpen ? lookFor(kit, episode, look) : giveUp(kit, look);
}

async function lookFor(kit: EnrichKit, episode: EpisodeState, look: LateLook): Promise<LookResult> {
  const situation = { nowNs: kit.clock.nowNs(), isRepeat: false, tenant: look.tenant };
  const enrichment = await explainEpisode(kit, look.alert, { episode, situation });
  const result = enrichment.logs?.result;
  if (result === "found" || enrichment.outcome === "matched") {
    await keepLate(kit, enrichment);
    if (enrichment.outcome === "matched") kit.counters.matchedLate("late_logs");
    return "found";
  }
  if (result === undefined) return giveUp(kit, look);
  const next = timeLook({ ...look, attempt: look.attempt + 1 }, () => kit.random());
  await kit.lateLooks?.endLook(look, next);
  return result;
}

async function giveUp({ lateLooks }: EnrichKit, look: LateLook): Promise<"dropped"> {
  await lateLooks?.endLook(look, undefined);
  return "dropped";
}
