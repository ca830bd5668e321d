import type { Recommendation } from "../record/recommendation.ts";
import { reconsider } from "../recommend/reconsider.ts";
import { recommend } from "../recommend/recommend.ts";
import type { AdviceKit } from "./escalate-kept.ts";
import type { EpisodeDetail } from "./reading-ports.ts";
import { readSpread } from "./read-history.ts";

/**
 * The advice on an episode as it holds at this moment: what was given, made more cautious where the
 * alert is over, the error widespread by now, or the advice too old to act on.
 *
 * @returns `undefined` while nothing is known: logs may still come. Whoever asks must not retry.
 */
export async function currentAdvice(
  kit: AdviceKit,
  episode: Pick<EpisodeDetail, "status" | "outcome" | "recordId" | "labels" | "enrichment">,
): Promise<Recommendation | undefined> {
  const { rules } = kit.settings;
  const nowMs = kit.clock.nowMs();
  const given = episode.enrichment?.recommendation;
  const status = episode.status === "open" ? "firing" : "resolved";
  if (given === undefined) {
    if (status === "firing" && episode.outcome !== "no_match") return undefined;
    return recommend({
      ...{ matches: [], labels: episode.labels, status, history: {}, rules, nowMs },
      recordOf: () => undefined,
      provenance: undefined,
    });
  }
  const { recordId } = episode;
  const entry = recordId === undefined ? undefined : kit.records.get(recordId);
  const { widespreadFrom } = rules;
  const wish = recordId === undefined ? undefined : { recordId, entry, widespreadFrom };
  const history = wish === undefined ? {} : await readSpread(kit.history, wish);
  return reconsider(given, { status, history, widespreadFrom, nowMs });
}
