import type { Alert, AlertGroup, Labels } from "../alert/alert.ts";
import type { EpisodeId, Source } from "../alert/episode.ts";
import type { Enrichment } from "./enrichment.ts";
import type { EnrichedGroup, EpisodeSighting } from "./ports.ts";

/** A group on its way in. */
export interface NewGroup {
  readonly source: Source;
  readonly group: AlertGroup;
  readonly receivedMs: number;
  /** How long it belongs to this process before another may take it over. */
  readonly leaseMs: number;
  /** Whether an episode is kept for the alert. */
  readonly observes: (alert: Alert) => boolean;
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
  /** Firing episodes without an explanation for which one may still come. */
  readonly awaited: readonly EpisodeId[];
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

/** An enrichment that came too late for its group. */
export interface LateEnrichment {
  readonly enrichment: Enrichment;
  readonly isCountable: boolean;
  /** What destinations are to be told, given the latest group that waits for the episode. */
  readonly follow: (group: AlertGroup) => readonly NewDelivery[];
  readonly nowMs: number;
}

/** Keeps what was worked out too late. */
export interface LateFinds {
  /**
   * Keeps an enrichment that came too late for its group, and plans who is told of it, in one commit;
   * an episode that has a match keeps the one it has. No later look for the episode follows.
   *
   * @returns Whether the episode was claimed to be counted now: exactly once over all replicas.
   */
  saveLate(late: LateEnrichment): Promise<boolean>;
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
  /** `follow_up`: nothing is new but what was found later; `news`: both. The group must be read back. */
  readonly late: "no" | "follow_up" | "news";
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
  /** Labels of members of the stream that still fire as far as the store knows, those of the body left out. */
  stillFiring(claim: DeliveryClaim, nowMs: number): Promise<readonly Labels[]>;
  /** Records a success; `copy` when a newer body that waited says nothing more. */
  succeed(claim: DeliveryClaim, nowMs: number): Promise<"done" | "newer" | "copy">;
  /** Records a failure; `dead` when it was given up. */
  fail(claim: DeliveryClaim, failure: DeliveryFailure): Promise<"waiting" | "dead">;
  /** The latest first. */
  deadLetters(max: number): Promise<readonly DeadLetter[]>;
  deadLetter(id: string): Promise<DeadLetter | undefined>;
  /** Sends a dead letter again; false when there is none, or a newer body is on its way. */
  resend(id: string, nowMs: number, expiresMs: number): Promise<boolean>;
  /** Rows by destination and state, for metrics. */
  depths(): Promise<readonly { destination: string; state: "pending" | "dead"; count: number }[]>;
}

/** Where the first message of a group stands at a destination, so that later ones edit it or answer there. */
export interface MessageThreads {
  find(destination: string, stream: string): Promise<string | undefined>;
  /** `undefined` forgets it. */
  keep(
    at: { destination: string; stream: string },
    thread: string | undefined,
    nowMs: number,
  ): Promise<void>;
}

/** Keeps the size of the store bounded. */
export interface Sweeper {
  sweep(nowMs: number): Promise<void>;
}

/** The destinations, as far as the second commit needs them. */
export interface Dispatch {
  /** What each destination is to be told of a group; nothing where none of its alerts go. */
  plan(group: AlertGroup, nowMs: number): readonly NewDelivery[];
  /** The same for what was found later: only destinations that are to be told of that. */
  planFollowUps(group: AlertGroup, nowMs: number): readonly NewDelivery[];
  /** Says that deliveries are due; the group is at hand, so that it need not be read back. */
  wake(groupId: number, enriched: EnrichedGroup): void;
}
