import type { Alert, AlertGroup, Annotations, Labels, TimestampNs } from "../alert/alert.ts";
import type { EpisodeId, EpisodeKey, Source } from "../alert/episode.ts";
import type { LogEntry } from "../log/excerpt.ts";
import type { CatalogueRecord } from "../record/known-error.ts";
import type { Decision } from "../record/recommendation.ts";
import type { Catalogue } from "../match/compile-catalogue.ts";
import type { ScopeTable } from "../match/scope-table.ts";
import type { Enrichment } from "./enrichment.ts";
import type { Outcome, UpstreamReason } from "./outcome.ts";
import type { RegionCounters } from "./region-counters.ts";

/** The only source of time for everything behind the edges. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number;
  /** Nanoseconds since the Unix epoch. */
  nowNs(): TimestampNs;
  /** Milliseconds with fraction since some start; never goes back. For durations only. */
  elapsedMs(): number;
}

/** Structured log; values are escaped by the adapter, so outside text may be a value but never the message. */
export interface Logger {
  debug(fields: Readonly<Record<string, unknown>>, message: string): void;
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** One question to Loki. */
export interface LogQuery {
  readonly tenant: string;
  /** LogQL log query. */
  readonly query: string;
  /** Half-open range in nanoseconds. */
  readonly startNs: TimestampNs;
  readonly endNs: TimestampNs;
  readonly entriesMax: number;
}

/** The entries of one query. */
export interface LogAnswer {
  /** Oldest first over all streams. */
  readonly entries: readonly LogEntry[];
  /** Whether the limit was reached, so that entries may be missing. */
  readonly cut: boolean;
}

/** Where log lines come from. */
export interface LogSource {
  /**
   * The newest entries of the range, at most `entriesMax`. Equal questions at one time are asked once.
   *
   * @throws {UpstreamError} With a reason of the closed list; `refused` also when nothing was asked
   * because the budget is used up or the source is known to be down.
   */
  query(query: LogQuery, signal: AbortSignal): Promise<LogAnswer>;
  /** The label names that streams of a tenant have, kept for a while; `undefined` when not known. */
  labelNames(tenant: string, signal: AbortSignal): Promise<ReadonlySet<string> | undefined>;
  /** Whether a question would be asked now; `false` while the source is taken to be down. */
  isAvailable(): boolean;
}

/** What became of one request to Loki. */
export type LokiResult = "success" | UpstreamReason;

/** Why a question was not asked. */
export type LokiRefusal = "budget" | "breaker" | "queue";

/** What the store knows of the episode an alert belongs to. */
export interface EpisodeState {
  readonly id: EpisodeId;
  readonly key: EpisodeKey;
  readonly status: "open" | "resolved" | "stale";
  readonly labels: Labels;
  readonly enrichment: Enrichment | undefined;
}

/** An episode as a post of an alert left it. */
export interface EpisodeSighting extends EpisodeState {
  /** Whether the post told nothing new: a repeat, a copy of an HA peer, or a late echo. */
  readonly repeat: boolean;
}

/** Keeps episodes; decides which posts belong to one firing. */
export interface EpisodeStore {
  /**
   * Finds for each alert the episode that it overlaps, or opens a new one for a firing alert.
   *
   * @returns One for each alert, in its order; `undefined` for a resolve of an episode that was never seen.
   */
  observe(
    source: Source,
    alerts: readonly Alert[],
    nowMs: number,
  ): Promise<readonly (EpisodeSighting | undefined)[]>;
  /** Those of the episodes that exist, in no order. */
  find(ids: readonly EpisodeId[]): Promise<readonly EpisodeState[]>;
}

/** A later look for the logs of an episode that had none, or whose source failed. */
export interface LateLook {
  readonly episodeId: EpisodeId;
  /** As it came when it was first looked at. */
  readonly alert: Alert;
  /** That the sender named; empty when it named none. */
  readonly tenant: string;
  /** Looks since the first one. */
  readonly attempt: number;
  /** Time of the first look. */
  readonly firstMs: number;
  readonly dueMs: number;
}

/** Keeps later looks and gives each to one replica at a time. */
export interface LateLooks {
  /** Takes a look; an episode that has one already keeps that one. */
  plan(look: LateLook): Promise<void>;
  /** Hands out looks that are due, the most urgent first; one that is not ended in time is handed out again. */
  claimDue(nowMs: number, looksMax: number): Promise<readonly LateLook[]>;
  /** Ends a look that found nothing: `next` takes its place, or the episode is given up. */
  endLook(look: LateLook, next: LateLook | undefined): Promise<void>;
}

/** Whose open episodes are counted. */
export interface OpenQuestion {
  readonly recordId: string;
  /** As kept on episodes; `undefined` where the class is too general to say anything. */
  readonly errorClass: string | undefined;
  /** Whether the episode that asks is kept with this record already, and so among those counted. */
  readonly isKept: boolean;
  /** Counting may stop here: more would change nothing. */
  readonly upTo: number;
}

/** Open episodes; either number may stop at `upTo` of the question. */
export interface OpenEpisodes {
  readonly ofRecord: number;
  /** 0 when no class was asked for. */
  readonly ofClass: number;
}

/** What happened before with the same record, for escalation. */
export interface History {
  /** Episodes of other firings on equal labels that got `retry` for the record since the time given. */
  retriesOf(recordId: string, labels: Labels, sinceMs: number): Promise<number>;
  /** Open episodes whose primary match is the record, or of the class. */
  openEpisodes(question: OpenQuestion): Promise<OpenEpisodes>;
}

/** What only one replica is to do. */
export type Role = "report-firing" | "annotate-regions";

/** Gives each role to one replica at a time. */
export interface Roles {
  /**
   * Takes a role, or keeps it, until a time from now on.
   *
   * @returns False while another replica has it.
   */
  holdRole(role: Role, nowMs: number, leaseMs: number): Promise<boolean>;
  /** Gives a role up, if this replica has it, so that another may take it at once. */
  leaveRole(role: Role): Promise<void>;
}

/** An enriched group on its way out; each destination renders its own body from it. */
export interface EnrichedGroup {
  readonly group: AlertGroup;
  /** One for each alert of the group, in its order; `undefined` where an alert was not enriched. */
  readonly enrichments: readonly (Enrichment | undefined)[];
}

/** Delivers a group at once and keeps nothing, for when the store cannot. */
export interface DirectOutbox {
  /**
   * Hands a group to every destination; `stream` names its source, receiver and groupKey.
   *
   * @throws {UpstreamError} When one of them did not take it, so that the sender must try again.
   */
  put(enriched: EnrichedGroup, stream: string): Promise<void>;
}

/** Explains alerts that are posted one by one and re-sent, for the proxy. */
export interface PostedAlerts {
  /**
   * Hears of posted alerts: finds their episodes and begins to work out what is not known yet.
   *
   * @returns For each alert, when what is under way for it is done; `undefined` where nothing is. Never rejects.
   */
  look(alerts: readonly Alert[], tenant: string): Promise<readonly (Promise<void> | undefined)[]>;
  /** All annotations the alert is to have, by what is known now; `undefined`: those it came with. */
  annotationsOf(alert: Alert): Annotations | undefined;
  /** Whether it makes sense to hold a post back for its enrichment. */
  mayHold(): boolean;
}

/** What one Alertmanager behind the proxy answered. */
export interface UpstreamAnswer {
  readonly upstream: string;
  /** HTTP status; `undefined` when there was no answer. */
  readonly status: number | undefined;
  readonly contentType: string;
  readonly body: string;
}

/** The prose of records, kept outside the compiled catalogue. */
export interface RecordStore {
  get(id: string): CatalogueRecord | undefined;
  readonly size: number;
  readonly datasetVersion: string;
  records(): Iterable<CatalogueRecord>;
}

/**
 * Turns records into a catalogue; given to `catalogue/`, which knows no step.
 *
 * @public
 */
export type CompileTemplates = (
  records: Iterable<CatalogueRecord>,
  datasetVersion: string,
) => Catalogue;

/** The catalogue in force with the prose of its records; swapped as one. */
export interface LoadedCatalogue {
  readonly catalogue: Catalogue;
  readonly store: RecordStore;
  /** What is known of programs and labels. */
  readonly scopes: ScopeTable;
}

/** `open`: nothing is asked; `half_open`: one question is on its way to find out. */
export type BreakerState = "closed" | "open" | "half_open";

/** Counters and durations; an adapter maps them to metrics and bounds their labels. */
export interface Counters extends RegionCounters {
  alertReceived(source: string, status: Alert["status"]): void;
  alertRejected(reason: "invalid_alert" | "invalid_group" | "too_large" | "unauthorized"): void;
  enriched(outcome: Outcome, seconds: number): void;
  /** Alerts that told nothing new of their episode: repeats, copies of HA peers, late echoes. */
  alertsRepeated(alerts: number): void;
  /** One episode's first recommendation; call only after the store gave the claim to count it. */
  recommended(decision: Decision, episodeId: EpisodeId): void;
  /** A match that was found after the notification had to go on without it. */
  matchedLate(after: "deadline" | "late_logs"): void;
  /** One episode's primary match; call only after the store gave the claim to count it. */
  matchedError(record: CatalogueRecord, decision: Decision, episodeId: EpisodeId): void;
  delivered(destination: string, result: "success" | "failure", seconds: number): void;
  /** A delivery that needed no sending, or can have none. */
  deliveryEnded(destination: string, how: "copy" | "replaced" | "dropped" | "dead"): void;
  /** A text template that broke, so that the default text went out. */
  templateFailed(destination: string): void;
  /** The store did not do its part; the notification was refused or passed through. */
  storeFailed(answer: "refused" | "passed_through"): void;
  /** One request to Loki, whatever it asked for. */
  lokiAsked(result: LokiResult, seconds: number): void;
  lokiRefused(refusal: LokiRefusal): void;
  /** Told at every change. */
  lokiBreaker(state: BreakerState): void;
  /** One post of alerts to one Alertmanager behind the proxy. */
  proxyForwarded(
    upstream: string,
    result: "success" | "refused" | "failure",
    seconds: number,
  ): void;
  /** What the proxy did with a post: alerts looked at, bytes passed on as they came, or nothing sent. */
  proxyPosted(how: "annotated" | "passed_through" | "refused"): void;
  /** A post that waited for its enrichments, and whether they came in time. */
  proxyHeld(result: "done" | "expired"): void;
  /** Alerts whose annotations were pushed after them, or were not. */
  proxyPushed(result: "success" | "failure" | "dropped", alerts: number): void;
  /** One later look for an episode's logs; `dropped`: it was over, or explained, by then. */
  lateLogs(result: "found" | "empty" | "failed" | "dropped"): void;
}
