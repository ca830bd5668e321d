import type { Alert, AlertGroup, TimestampNs } from "../alert/alert.ts";
import { renderAnnotations } from "../annotate/render-annotations.ts";
import { recommend } from "../recommend/recommend.ts";
import { classOf } from "../record/known-error.ts";
import type { CatalogueRecord } from "../record/known-error.ts";
import type { Match } from "../record/match.ts";
import type { Decision, Recommendation } from "../record/recommendation.ts";
import type { Enrichment, LogTrace } from "./enrichment.ts";
import type { Explain, Explanation } from "./explain-excerpt.ts";
import { findExcerpt } from "./find-excerpt.ts";
import type { FoundLogs, LogSituation } from "./find-logs.ts";
import { timeLook } from "./late-logs.ts";
import { linkToLogs, traceOf } from "./log-trace.ts";
import type { LateFinds, NewDelivery } from "./delivery-ports.ts";
import type { Outcome } from "./outcome.ts";
import type {
  Clock,
  Counters,
  EpisodeSighting,
  EpisodeState,
  EpisodeStore,
  History,
  LateLooks,
  Logger,
  LogSource,
  RecordStore,
} from "./ports.ts";
import type { EnrichSettings } from "./settings.ts";
import { keepExcerpt } from "./keep-excerpt.ts";
import { escalateKept } from "./escalate-kept.ts";
import { readHistory } from "./read-history.ts";
import { enrichmentWithoutMatch } from "./enrichment-without-match.ts";
import { findShownLines } from "./shown-lines.ts";

/** All that the way of an alert needs; swapped as one at a reload. */
export interface EnrichKit {
  readonly settings: EnrichSettings;
  readonly explain: Explain;
  /** The records behind what `explain` finds. */
  readonly records: RecordStore;
  /** Who is asked for log lines; `undefined`: nobody, and alerts are explained by what they carry. */
  readonly logSource: LogSource | undefined;
  /** Where later looks for logs are planned; `undefined`: there are none. */
  readonly lateLooks: LateLooks | undefined;
  /** Numbers in [0, 1), for jitter alone. */
  readonly random: () => number;
  readonly episodes: EpisodeStore;
  readonly lateFinds: LateFinds;
  /** What destinations are to be told of a group when something was found later. */
  readonly planFollowUps: (group: AlertGroup, nowMs: number) => readonly NewDelivery[];
  readonly history: History;
  readonly counters: Counters;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What became of one alert. */
export interface AlertResult {
  readonly outcome: Outcome;
  /** As kept on the episode; `undefined` when nothing is known of the alert's error. */
  readonly enrichment: Enrichment | undefined;
  /** Whether `enrichment` is new and must be kept. */
  readonly isFresh: boolean;
  /** What to count once the store gives the claim; `undefined` when there is nothing to count. */
  readonly countable: Countable | undefined;
}

/** One firing of a known error. */
export interface Countable {
  /** `undefined` for a guess, which counts as a recommendation and as no error. */
  readonly record: CatalogueRecord | undefined;
  readonly decision: Decision;
}

/** Result of an alert that is only handed on. */
export const SKIPPED: AlertResult = {
  outcome: "skipped",
  enrichment: undefined,
  isFresh: false,
  countable: undefined,
};

/**
 * Works out one alert's enrichment, or takes the one that its episode already has.
 *
 * A stored match is kept whatever comes later, so that a notification does not change its advice from
 * one repeat to the next, unless the advice must become more cautious; without a match every repeat looks again, for its logs or the catalogue may
 * have changed.
 *
 * The episode is `undefined` when none is kept: the alert is not chosen, or resolves an episode that was
 * never seen.
 */
export async function enrichAlert(
  kit: EnrichKit,
  alert: Alert,
  { episode, nowNs }: { episode: EpisodeSighting | undefined; nowNs: TimestampNs },
): Promise<AlertResult> {
  if (episode === undefined) return SKIPPED;
  const stored = episode.enrichment;
  if (alert.status === "resolved") {
    return stored === undefined ? SKIPPED : storedResult(stored);
  }
  if (stored?.outcome === "matched") {
    const { enrichment, isFresh } = await escalateKept(kit, alert, stored);
    // Whoever kept the match may have ended before it was counted.
    const countable = countableOf(kit, stored);
    return { outcome: enrichment.outcome, enrichment, isFresh, countable };
  }
  const enrichment = await enrichAnew(kit, alert, { episode, nowNs });
  const countable = countableOf(kit, enrichment);
  return { outcome: enrichment.outcome, enrichment, isFresh: true, countable };
}

function storedResult(enrichment: Enrichment): AlertResult {
  return { outcome: enrichment.outcome, enrichment, isFresh: false, countable: undefined };
}

async function enrichAnew(
  kit: EnrichKit,
  alert: Alert,
  { episode, nowNs }: { readonly episode: EpisodeSighting; readonly nowNs: TimestampNs },
): Promise<Enrichment> {
  const { tenant } = kit.settings.source;
  const situation = { nowNs, isRepeat: episode.repeat, tenant };
  const enrichment = await explainEpisode(kit, alert, { episode, situation });
  const isOpen = enrichment.logs !== undefined && !isExplained(enrichment);
  if (isOpen) await planFirstLook(kit, alert, episode);
  return enrichment;
}

/** Plans the first look for an episode; a repeat of an alert that never has lines begins none anew. */
export async function planFirstLook(
  { lateLooks, settings, clock, random }: EnrichKit,
  alert: Alert,
  episode: EpisodeSighting,
): Promise<void> {
  if (lateLooks === undefined || episode.repeat) return;
  const { tenant } = settings.source;
  const first = { episodeId: episode.id, alert, tenant, attempt: 0, firstMs: clock.nowMs() };
  const look = timeLook(first, () => random());
  if (look !== undefined) await lateLooks.plan(look);
}

/** Whether there were lines to read, so that a later look would find no more. */
function isExplained({ outcome }: Enrichment): boolean {
  return outcome === "matched" || outcome === "no_match";
}

/** Works out an alert's enrichment, whatever its episode already has. Keeps and counts nothing. */
export async function explainEpisode(
  kit: EnrichKit,
  alert: Alert,
  { episode, situation }: { readonly episode: EpisodeState; readonly situation: LogSituation },
): Promise<Enrichment> {
  const { settings, logSource: source, logger } = kit;
  const logKit = source && { source, settings: settings.logs, logger };
  const { excerpt, logs } = await findExcerpt(alert, logKit, {
    situation,
    select: settings.select,
  });
  const explanation = excerpt && kit.explain(excerpt, alert.labels);
  const primary = explanation?.matches[0];
  const trace = traceOf(logs, settings.redact);
  if (explanation === undefined || primary === undefined) {
    const bare = enrichmentWithoutMatch(settings, alert, {
      outcome: outcomeWithoutMatch(explanation, logs),
      episode,
      excerpt: explanation?.excerpt,
    });
    return { ...bare, ...(trace && { logs: trace }) };
  }
  const recommendation = await adviseEpisode(kit, alert, explanation);
  const logsUrl = linkToLogs(logs, settings);
  return enrichmentOf(kit, alert, {
    ...{ episode, explanation, primary, recommendation },
    ...{ trace, logsUrl },
  });
}

function outcomeWithoutMatch(
  explanation: Explanation | undefined,
  logs: FoundLogs,
): "no_match" | "no_logs" | "logs_failed" {
  if (logs.result === "failed") return "logs_failed";
  // Prose in which nothing was recognised is no log.
  if (logs.result === "empty" || explanation === undefined) return "no_logs";
  return "no_match";
}

function enrichmentOf(
  { records, settings }: EnrichKit,
  alert: Alert,
  found: {
    readonly episode: EpisodeState;
    readonly explanation: Explanation;
    readonly primary: Match;
    readonly recommendation: Recommendation;
    readonly trace: LogTrace | undefined;
    readonly logsUrl: string | undefined;
  },
): Enrichment {
  const { explanation, primary, recommendation, trace, logsUrl } = found;
  const recordOf = records.get.bind(records);
  const entry = recordOf(primary.recordId);
  const shown = findShownLines(explanation.excerpt, primary);
  return {
    episodeId: found.episode.id,
    outcome: "matched",
    excerpt: explanation.excerpt,
    kept: keepExcerpt(explanation.excerpt, explanation.matches),
    matches: explanation.matches,
    errorClass: entry && classOf(entry.record),
    recommendation,
    ...(trace && { logs: trace }),
    annotations: renderAnnotations({
      outcome: "matched",
      matches: explanation.matches,
      recordOf,
      recommendation,
      labels: alert.labels,
      annotations: alert.annotations,
      logLines: shown.lines,
      lastSeenNs: shown.lastSeenNs,
      links: {
        ...(logsUrl !== undefined && { logs: logsUrl }),
        ...(settings.pagesUrl !== undefined && {
          page: `${settings.pagesUrl}/episodes/${found.episode.id}`,
        }),
      },
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
  const primary = matches[0];
  const wish = ({ recordId }: Match) => ({
    recordId,
    entry: kit.records.get(recordId),
    labels: alert.labels,
    sinceMs: nowMs - kit.settings.rules.retryWindowMs,
    widespreadFrom: kit.settings.rules.widespreadFrom,
  });
  return recommend({
    matches,
    recordOf: (id) => kit.records.get(id),
    labels: alert.labels,
    status: alert.status,
    provenance: excerpt.provenance,
    nowMs,
    history: primary === undefined ? {} : await readHistory(kit.history, wish(primary)),
    rules: kit.settings.rules,
  });
}

/**
 * What to count for an episode; `undefined` where nothing is. A reworded message is a guess, and people
 * build alerts on the counter of errors.
 */
export function countableOf({ records }: EnrichKit, enrichment: Enrichment): Countable | undefined {
  const primary = enrichment.matches[0];
  const decision = enrichment.recommendation?.decision;
  if (primary === undefined || decision === undefined) return undefined;
  const record = primary.kind === "similar" ? undefined : records.get(primary.recordId);
  return { record, decision };
}
