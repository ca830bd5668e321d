import type { Alert, AlertGroup, Labels, TimestampNs } from "../alert/alert.ts";
import type { EpisodeId, EpisodeKey, Source } from "../alert/episode.ts";
import type { LogEntry } from "../log/excerpt.ts";
import type { CatalogueRecord, Severity } from "../record/known-error.ts";
import type { Decision } from "../record/recommendation.ts";
import type { Catalogue } from "../match/compile-catalogue.ts";
import type { Enrichment } from "./enrichment.ts";
import type { Outcome } from "./outcome.ts";

/** The only source of time for everything behind the edges. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number;
  /** Nanoseconds since the Unix epoch. */
  nowNs(): TimestampNs;
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
  /** @throws {UpstreamError} With a reason of the closed list. */
  query(query: LogQuery, signal: AbortSignal): Promise<LogAnswer>;
}

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

/** Keeps episodes and their enrichments; decides which posts belong to one firing. */
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
  /**
   * Keeps enrichments that came too late for their group; an episode that has a match keeps the one it
   * has.
   *
   * @returns Of `countable`, the episodes that were claimed now, each exactly once over all replicas.
   */
  saveLate(
    enrichments: readonly Enrichment[],
    countable: readonly EpisodeId[],
    nowMs: number,
  ): Promise<readonly EpisodeId[]>;
  /** Those of the episodes that exist, in no order. */
  find(ids: readonly EpisodeId[]): Promise<readonly EpisodeState[]>;
}

/** A group on its way in. */
export interface NewGroup {
  readonly source: Source;
  readonly group: AlertGroup;
  readonly receivedMs: number;
  /** How long it belongs to this process before another may take it over. */
  readonly leaseMs: number;
  /** Whether an episode is kept for the alert. */
  observes(alert: Alert): boolean;
}

/** A group that is durably accepted, and not yet enriched and handed to the outbox. */
export interface GroupJob {
  readonly id: number;
  readonly source: Source;
  readonly group: AlertGroup;
  readonly receivedMs: number;
  /** One for each alert of the group; `undefined` where no episode is kept. */
  readonly sightings: readonly (EpisodeSighting | undefined)[];
  /** How often a process began with it and ended before it was done. */
  readonly attempts: number;
}

/** What the first commit gave. */
export interface AcceptedGroup {
  readonly job: GroupJob;
  /** False when an earlier group of the same receiver and groupKey must be done first. */
  readonly isNext: boolean;
}

/** What one destination is to be told of a group. */
export interface NewDelivery {
  readonly destination: string;
  /** Fingerprints of the members that go there, by their status. */
  readonly firing: readonly string[];
  readonly resolved: readonly string[];
  /** When it is worth nothing any more, in milliseconds since the Unix epoch. */
  readonly expiresMs: number;
  readonly copyWindowMs: number;
  /** Whether every body is delivered, also one that a newer body has made old. */
  readonly every: boolean;
}

/** All that the second commit makes durable. */
export interface FinishedGroup {
  readonly job: GroupJob;
  /** Newly worked out, to be kept. */
  readonly enrichments: readonly Enrichment[];
  /** Episodes to be counted if they are not yet. */
  readonly countable: readonly EpisodeId[];
  readonly deliveries: readonly NewDelivery[];
  readonly nowMs: number;
}

/** What became of a delivery at the second commit. */
export type Enqueued = "queued" | "replaced" | "copy" | "dropped";

/** What the second commit gave. */
export interface FinishReceipt {
  /** Of `countable`, those that were claimed now: true exactly once over all replicas and restarts. */
  readonly counted: readonly EpisodeId[];
  /** One for each delivery, in its order. */
  readonly enqueued: readonly Enqueued[];
  /** Whether a later group of the same receiver and groupKey waited for this one. */
  readonly hasNext: boolean;
}

/** The two commits on the way of a group. */
export interface GroupJournal {
  /** First commit: the group, its episodes and a job. Durable when it resolves. */
  accept(group: NewGroup): Promise<AcceptedGroup>;
  /** Takes over jobs that nobody works on, the oldest first. */
  claimJobs(limits: { max: number; nowMs: number; leaseMs: number }): Promise<readonly GroupJob[]>;
  /**
   * Second commit: enrichments, counts and deliveries.
   *
   * @returns `undefined` when another process has taken the job over.
   */
  finish(finished: FinishedGroup): Promise<FinishReceipt | undefined>;
}

/** A group as the store gives it back, with what is kept for its alerts. */
export interface StoredGroup {
  readonly group: AlertGroup;
  /** As kept on the episodes, before mode and status of the alert are looked at. */
  readonly enrichments: readonly (Enrichment | undefined)[];
}

/** One delivery that belongs to this process until its lease ends. */
export interface DeliveryClaim {
  readonly id: string;
  readonly destination: string;
  /** Hash of source, receiver and groupKey. */
  readonly stream: string;
  readonly version: number;
  readonly groupId: number;
  /** Alerts of bodies that were replaced unsent, for `load`; empty when there are none. */
  readonly carried: string;
  readonly firing: readonly string[];
  readonly resolved: readonly string[];
  /** Whether the destination refused the rich form, so that plain text is sent. */
  readonly plain: boolean;
  /** Tries so far, this one included. */
  readonly attempts: number;
  readonly createdMs: number;
  readonly expiresMs: number;
  readonly token: string;
}

/** Why a try failed and what is to be done. */
export interface DeliveryFailure {
  readonly reason: string;
  /** When to try again; `undefined`: never. */
  readonly retryAtMs: number | undefined;
  /** Whether the next try sends plain text. */
  readonly plain: boolean;
  /** Whether the destination may have taken the body nevertheless. */
  readonly maybeTaken: boolean;
  /** Where a dead delivery goes instead. */
  readonly fallback: string | undefined;
  readonly nowMs: number;
}

/** A delivery that was given up. */
export interface DeadLetter {
  readonly id: string;
  readonly destination: string;
  readonly groupKey: string;
  readonly receiver: string;
  readonly reason: string;
  readonly attempts: number;
  readonly createdMs: number;
}

/** What is owed to the destinations, kept by the store. */
export interface DeliveryQueue {
  claim(wish: {
    destination: string;
    max: number;
    nowMs: number;
    leaseMs: number;
  }): Promise<readonly DeliveryClaim[]>;
  /** The group of a delivery; `undefined` when it is gone. */
  load(claim: DeliveryClaim): Promise<StoredGroup | undefined>;
  /** Records a success; `copy` when a newer body that waited says nothing more. */
  succeed(claim: DeliveryClaim, nowMs: number): Promise<"done" | "newer" | "copy">;
  /** Records a failure; `dead` when it was given up. */
  fail(claim: DeliveryClaim, failure: DeliveryFailure): Promise<"waiting" | "dead">;
  deadLetters(max: number): Promise<readonly DeadLetter[]>;
  /** Sends a dead letter again; false when there is none, or a newer body is on its way. */
  resend(id: string, nowMs: number, expiresMs: number): Promise<boolean>;
  /** Rows by destination and state, for metrics. */
  depths(): Promise<readonly { destination: string; state: "pending" | "dead"; count: number }[]>;
}

/** Keeps the size of the store bounded. */
export interface Sweeper {
  sweep(nowMs: number): Promise<void>;
}

/** What happened before with the same record, for escalation. */
export interface History {
  /** Episodes of other firings on equal labels that got `retry` for the record since the time given. */
  retriesOf(recordId: string, labels: Labels, sinceMs: number): Promise<number>;
  /** Open episodes whose primary match is the record. */
  openEpisodesOf(recordId: string): Promise<number>;
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
   * Hands a group to every destination.
   *
   * @throws {UpstreamError} When one of them did not take it, so that the sender must try again.
   */
  put(enriched: EnrichedGroup): Promise<void>;
}

/** The destinations, as far as the second commit needs them. */
export interface Dispatch {
  /** What each destination is to be told of a group; nothing where none of its alerts go. */
  plan(group: AlertGroup, nowMs: number): readonly NewDelivery[];
  /** Says that deliveries are due; the group is at hand, so that it need not be read back. */
  wake(groupId: number, enriched: EnrichedGroup): void;
}

/** The Alertmanagers behind the proxy. */
export interface Upstreams {
  post(
    body: Uint8Array,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<readonly UpstreamAnswer[]>;
}

/** What one Alertmanager behind the proxy answered. */
export interface UpstreamAnswer {
  readonly upstream: string;
  /** HTTP status; `undefined` when there was no answer. */
  readonly status: number | undefined;
  readonly body: string;
}

/** Region annotations in Grafana. */
export interface Regions {
  open(episode: EpisodeState, enrichment: Enrichment): Promise<void>;
  close(episode: EpisodeState, endMs: number): Promise<void>;
}

/** The prose of records, kept outside the compiled catalogue. */
export interface RecordStore {
  get(id: string): CatalogueRecord | undefined;
  readonly size: number;
  readonly datasetVersion: string;
  records(): Iterable<CatalogueRecord>;
}

/** Turns records into a catalogue; given to `catalogue/`, which knows no step. */
export type CompileTemplates = (
  records: Iterable<CatalogueRecord>,
  datasetVersion: string,
) => Catalogue;

/** The catalogue in force with the prose of its records; swapped as one. */
export interface LoadedCatalogue {
  readonly catalogue: Catalogue;
  readonly store: RecordStore;
}

/** Counters and durations; an adapter maps them to metrics and bounds their labels. */
export interface Counters {
  alertReceived(source: string, status: Alert["status"]): void;
  alertRejected(reason: "invalid_alert" | "invalid_group" | "too_large" | "unauthorized"): void;
  enriched(outcome: Outcome, seconds: number): void;
  /** One episode's primary match; call only after the store gave the claim to count it. */
  matchedError(record: CatalogueRecord, decision: Decision): void;
  delivered(destination: string, result: "success" | "failure", seconds: number): void;
  /** A delivery that needed no sending, or can have none. */
  deliveryEnded(destination: string, how: "copy" | "replaced" | "dropped" | "dead"): void;
  /** A text template that broke, so that the default text went out. */
  templateFailed(destination: string): void;
  /** The store did not do its part; the notification was refused or passed through. */
  storeFailed(answer: "refused" | "passed_through"): void;
}
export type { Severity };
