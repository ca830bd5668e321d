import { countEpisode } from "./count-episode.ts";
import { countableOf } from "./enrich-alert.ts";
import type { Countable, EnrichKit } from "./enrich-alert.ts";
import type { Enrichment } from "./enrichment.ts";

/**
 * Keeps what was worked out for an episode past its notification, counts it if it was not counted yet,
 * and has destinations told by their late policy.
 */
export async function keepLate(
  kit: EnrichKit,
  enrichment: Enrichment,
  countable: Countable | undefined = countableOf(kit, enrichment),
): Promise<void> {
  const nowMs = kit.clock.nowMs();
  const isCounted = await kit.lateFinds.saveLate({
    enrichment,
    isCountable: countable !== undefined,
    // In the other modes no alert is changed, so there is nothing to tell.
    follow: (group) => (kit.settings.mode === "on" ? kit.planFollowUps(group, nowMs) : []),
    nowMs,
  });
  if (countable !== undefined && isCounted) {
    countEpisode(kit.counters, enrichment.episodeId, countable);
  }
}
