import type { EpisodeId } from "../alert/episode.ts";
import type { Countable } from "./enrich-alert.ts";
import type { Counters } from "./ports.ts";

/** Counts an episode once the store gave the claim to: its recommendation, and its error unless it is a guess. */
export function countEpisode(
  counters: Counters,
  episodeId: EpisodeId,
  { record, decision }: Countable,
): void {
  counters.recommended(decision, episodeId);
  if (record !== undefined) counters.matchedError(record, decision, episodeId);
}
