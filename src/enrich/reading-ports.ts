import type { Labels } from "../alert/alert.ts";
import type { EpisodeId } from "../alert/episode.ts";
import type { Decision } from "../record/recommendation.ts";
import type { KeptExcerpt } from "./enrichment.ts";
import type { Outcome } from "./outcome.ts";
import type { EpisodeState } from "./ports.ts";

/** An episode as a list shows it. */
export interface EpisodeSummary {
  readonly id: EpisodeId;
  readonly source: string;
  readonly tenant: string;
  readonly status: EpisodeState["status"];
  readonly labels: Labels;
  /** Milliseconds since the Unix epoch, as all times here. */
  readonly startsMs: number;
  /** `undefined` while it fires. */
  readonly endsMs: number | undefined;
  /** When its first notification came in. */
  readonly openedMs: number;
  /** When the last one came in. */
  readonly seenMs: number;
  /** `undefined` while it is worked on. */
  readonly outcome: Outcome | undefined;
  readonly errorClass: string | undefined;
  readonly recordId: string | undefined;
  readonly decision: Decision | undefined;
}

/** One label that an episode must have, or must not have, with this value. */
export interface LabelWish {
  readonly name: string;
  readonly value: string;
  readonly isEqual: boolean;
}

/** Which episodes are asked for; what is absent asks for nothing. */
export interface EpisodeFilter {
  readonly labels?: readonly LabelWish[];
  readonly status?: EpisodeState["status"];
  readonly outcome?: Outcome;
  readonly decision?: Decision;
  readonly errorClass?: string;
  readonly recordId?: string;
  /** Opened in this half-open range. */
  readonly fromMs?: number;
  readonly untilMs?: number;
}

/** Where a page of a list goes on: after the episode that it names. */
export interface EpisodeCursor {
  readonly openedMs: number;
  readonly id: EpisodeId;
}

/** A page of episodes, the latest opened first. */
export interface EpisodePage {
  readonly episodes: readonly EpisodeSummary[];
  /** `undefined` when there are no more. A page may be short, even empty, and go on: a look is bounded. */
  readonly next: EpisodeCursor | undefined;
}

/** All that is kept of one episode. */
export interface EpisodeDetail extends EpisodeSummary {
  readonly fingerprint: string;
  readonly enrichedMs: number | undefined;
  readonly enrichment: EpisodeState["enrichment"];
  readonly excerpt: KeptExcerpt | undefined;
}

/** What a destination knows, or is to learn, of an alert. */
export interface AlertDelivery {
  readonly destination: string;
  /** `told`: the last body it took; `waiting`: one is on its way; `dead`: one was given up. */
  readonly state: "told" | "waiting" | "dead";
  /** Whether the body says that the alert fires. */
  readonly isFiring: boolean;
  /** When it was taken, or made. */
  readonly atMs: number;
  readonly attempts: number;
  /** Why it was not taken; empty when there is nothing to say. */
  readonly reason: string;
}

/** Open episodes of one error, or of one outcome without. */
export interface FiringError {
  readonly recordId: string | undefined;
  readonly errorClass: string | undefined;
  readonly decision: Decision | undefined;
  readonly outcome: Outcome | undefined;
  readonly episodes: number;
  readonly firstMs: number;
  readonly lastMs: number;
  /** The episode that was opened last. */
  readonly lastEpisodeId: EpisodeId;
}

/** Episodes of one class that were opened within one hour. */
export interface ClassHour {
  /** `undefined`: nothing was recognised. */
  readonly errorClass: string | undefined;
  /** Hours since the Unix epoch. */
  readonly hour: number;
  readonly episodes: number;
}

/** Open episodes of one class, as shown. */
export interface FiringClass {
  readonly errorClass: string;
  readonly episodes: number;
}

/** Texts of one shape in which nothing was recognised. */
export interface UnmatchedCluster {
  /** 16 hex digits. */
  readonly id: string;
  readonly shape: string;
  /** Redacted lines, the first that were seen. */
  readonly samples: readonly string[];
  /** Episodes that showed it. */
  readonly episodes: number;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly lastEpisodeId: EpisodeId;
}

/** Reads what pages and the JSON beside them show. Each look is bounded, whatever the store holds. */
export interface EpisodeReader {
  listEpisodes(
    filter: EpisodeFilter,
    page: { readonly max: number; readonly after?: EpisodeCursor },
  ): Promise<EpisodePage>;
  readEpisode(id: EpisodeId): Promise<EpisodeDetail | undefined>;
  /**
   * Deliveries that name an alert since a time, the latest first, at most 20. Another tenant's alert with
   * equal labels cannot be told apart.
   */
  deliveriesOf(fingerprint: string, sinceMs: number): Promise<readonly AlertDelivery[]>;
  /** What fires now, most episodes first. */
  listFiring(max: number): Promise<readonly FiringError[]>;
  /** Open episodes with a match by class, in no order. */
  countFiringClasses(): Promise<readonly FiringClass[]>;
  /** Of at most 20,000 episodes opened since then, the latest. */
  countByHour(sinceMs: number): Promise<readonly ClassHour[]>;
  listUnmatched(page: {
    readonly max: number;
    readonly offset: number;
  }): Promise<readonly UnmatchedCluster[]>;
  findUnmatched(id: string): Promise<UnmatchedCluster | undefined>;
}
