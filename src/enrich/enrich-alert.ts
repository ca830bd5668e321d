import type { Alert } from "../alert/alert.ts";
import { renderAnnotations } from "../annotate/render-annotations.ts";
import { resolveAnnotations } from "../annotate/resolve-annotations.ts";
import type { Excerpt } from "../log/excerpt.ts";
import { recommend } from "../recommend/recommend.ts";
import type { EpisodeHistory } from "../recommend/escalate.ts";
import { classOf } from "../record/known-error.ts";
import type { Match } from "../record/match.ts";
import type { Recommendation } from "../record/recommendation.ts";
import { selectExcerpt } from "../select/select-excerpt.ts";
import { isChosen } from "./choose-alert.ts";
import type { Enrichment } from "./enrichment.ts";
import type { Explain, Explanation } from "./explain-excerpt.ts";
import type { Outcome } from "./outcome.ts";
import type {
  Clock,
  Counters,
  EpisodeState,
  EpisodeStore,
  History,
  Logger,
  RecordStore,
} from "./ports.ts";
import type { EnrichSettings } from "./settings.ts";
import { findShownLines } from "./shown-lines.ts";

/** All that the way of an alert needs; swapped as one at a reload. */
export interface EnrichKit {
  readonly settings: EnrichSettings;
  readonly explain: Explain;
  /** The records behind what `explain` finds. */
  readonly records: RecordStore;
  readonly episodes: EpisodeStore;
  readonly history: History;
  readonly counters: Counters;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What became of one alert. */
export interface AlertResult {
  readonly outcome: Outcome;
  /** `undefined` when nothing is known of the alert's error. */
  readonly enrichment: Enrichment | undefined;
  /** Whether the alert told nothing new. */
  readonly repeat: boolean;
}

/** Result of an alert that is only handed on. */
const SKIPPED: AlertResult = { outcome: "skipped", enrichment: undefined, repeat: false };

/**
 * Works out one alert's enrichment, or finds the one that its episode already has.
 *
 * A stored match is kept whatever comes later, so that a notification does not change its advice from
 * one repeat to the next; without a match every repeat looks again, for its logs or the catalogue may
 * have changed.
 */
export async function enrichAlert(kit: EnrichKit, alert: Alert): Promise<AlertResult> {
  if (!isChosen(alert.labels, kit.settings)) return SKIPPED;
  const episode = await kit.episodes.observe(kit.settings.source, alert, kit.clock.nowMs());
  if (episode === undefined) return SKIPPED;
  const stored = episode.enrichment;
  const { repeat } = episode;
  if (alert.status === "resolved") {
    if (stored === undefined) return { ...SKIPPED, repeat };
    const annotations = resolveAnnotations(stored.annotations, kit.settings.annotate.prefix);
    return { outcome: stored.outcome, enrichment: { ...stored, annotations }, repeat };
  }
  if (stored?.outcome === "matched") return { outcome: "matched", enrichment: stored, repeat };
  const enrichment = await explainEpisode(kit, alert, episode);
  await kit.episodes.saveEnrichment(enrichment, kit.clock.nowMs());
  await countEpisode(kit, enrichment);
  return { outcome: enrichment.outcome, enrichment, repeat };
}

async function explainEpisode(
  kit: EnrichKit,
  alert: Alert,
  episode: EpisodeState,
): Promise<Enrichment> {
  const { settings } = kit;
  const excerpt = selectExcerpt(alert, settings.select);
  const explanation = excerpt && kit.explain(excerpt, alert.labels);
  const primary = explanation?.matches[0];
  if (explanation === undefined || primary === undefined) {
    const outcome = explanation === undefined ? "no_logs" : "no_match";
    return enrichmentWithoutMatch(settings, alert, {
      outcome,
      episode,
      excerpt: explanation?.excerpt,
    });
  }
  const recommendation = await adviseEpisode(kit, alert, explanation);
  return enrichmentOf(kit, alert, { episode, explanation, primary, recommendation });
}

/** The enrichment of an alert in which nothing was recognised. */
export function enrichmentWithoutMatch(
  settings: EnrichSettings,
  alert: Alert,
  found: {
    readonly outcome: "no_match" | "no_logs" | "logs_failed" | "deadline";
    readonly episode: EpisodeState | undefined;
    readonly excerpt: Excerpt | undefined;
  },
): Enrichment {
  return {
    episodeId: found.episode?.id ?? "",
    outcome: found.outcome,
    excerpt: found.excerpt,
    matches: [],
    errorClass: undefined,
    recommendation: undefined,
    annotations: renderAnnotations({
      outcome: found.outcome,
      matches: [],
      recordOf: () => undefined,
      recommendation: undefined,
      labels: alert.labels,
      logLines: [],
      lastSeenNs: undefined,
      links: {},
      settings: settings.annotate,
    }),
  };
}

function enrichmentOf(
  { records, settings }: EnrichKit,
  alert: Alert,
  found: {
    readonly episode: EpisodeState;
    readonly explanation: Explanation;
    readonly primary: Match;
    readonly recommendation: Recommendation;
  },
): Enrichment {
  const { explanation, primary, recommendation } = found;
  const recordOf = records.get.bind(records);
  const entry = recordOf(primary.recordId);
  const shown = findShownLines(explanation.excerpt, primary);
  return {
    episodeId: found.episode.id,
    outcome: "matched",
    excerpt: explanation.excerpt,
    matches: explanation.matches,
    errorClass: entry && classOf(entry.record),
    recommendation,
    annotations: renderAnnotations({
      outcome: "matched",
      matches: explanation.matches,
      recordOf,
      recommendation,
      labels: alert.labels,
      logLines: shown.lines,
      lastSeenNs: shown.lastSeenNs,
      links: {},
      settings: settings.annotate,
    }),
  };
}

async function adviseEpisode(
  kit: EnrichKit,
  alert: Alert,
  { matches, excerpt }: Explanation,
): Promise<Recommendation> {
  const nowMs = kit.clock.nowMs();
  return recommend({
    matches,
    recordOf: (id) => kit.records.get(id),
    labels: alert.labels,
    status: alert.status,
    provenance: excerpt.provenance,
    nowMs,
    history: await readHistory(kit, matches[0]),
    rules: kit.settings.rules,
  });
}

async function readHistory(kit: EnrichKit, primary: Match | undefined): Promise<EpisodeHistory> {
  if (primary === undefined) return {};
  const others = await kit.history.openEpisodesOf(primary.recordId);
  return { openEpisodesOfRecord: others + 1 };
}

// A reworded message is a guess, and people build alerts on the counter.
async function countEpisode({ episodes, counters, records }: EnrichKit, enrichment: Enrichment) {
  const primary = enrichment.matches[0];
  const decision = enrichment.recommendation?.decision;
  if (primary === undefined || decision === undefined || primary.kind === "similar") return;
  const entry = records.get(primary.recordId);
  if (entry === undefined || !(await episodes.claimCount(enrichment.episodeId))) return;
  counters.matchedError(entry, decision);
}
