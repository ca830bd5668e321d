import type { DashboardPlace } from "../alert/grafana-place.ts";
import type { EpisodeState } from "./ports.ts";

/** A link below a region's text; checked again where the text is rendered. */
export interface RegionLink {
  readonly name: "episode" | "source" | "logs";
  readonly url: string;
}

/** What a stretch of time in Grafana's graphs says. Every text is taken for hostile. */
export interface Region {
  /** Tells it from all others: the episode's id, or that of a storm. Letters, digits and `-`, at most 70. */
  readonly key: string;
  /** Milliseconds since the Unix epoch, above 0. */
  readonly startMs: number;
  /** Not before `startMs`; `undefined` while it lasts. */
  readonly endMs: number | undefined;
  readonly title: string;
  readonly summary: string;
  /** Class and severity; empty ones are left out. */
  readonly tags: readonly string[];
  readonly links: readonly RegionLink[];
  /** `undefined`: shown wherever a dashboard asks for our tags. */
  readonly place: DashboardPlace | undefined;
}

/**
 * Region annotations in one organisation of Grafana, which does not know a repeated request from a new one.
 * Every call throws `UpstreamError` when Grafana did not do its part, and `RegionRefused` when it understood
 * the request and made nothing.
 */
export interface Regions {
  /** The annotation of a region, if there is one. */
  find(key: string): Promise<string | undefined>;
  /** Makes the annotation, whether or not there is one, and gives its id. */
  open(region: Region): Promise<string>;
  /** Sets text, tags and, once there is one, the end; false when the annotation is gone. */
  change(annotation: string, region: Region): Promise<boolean>;
  /** Sets the end alone; false when the annotation is gone. */
  end(annotation: string, endMs: number): Promise<boolean>;
}

/** Grafana said no to one region; others may fare better. */
export class RegionRefused extends Error {
  /** Whether another try makes no sense; else the credentials lack a permission that may come. */
  readonly isForGood: boolean;

  constructor(message: string, isForGood: boolean) {
    super(message);
    this.name = "RegionRefused";
    this.isForGood = isForGood;
  }
}

/** A region that is owed to Grafana. */
export interface RegionWork {
  readonly key: string;
  /** 0 when the alert named none. */
  readonly orgId: number;
  /** `undefined` until it is known that the annotation exists. */
  readonly annotation: string | undefined;
  /** Times that a request was sent which may have made it. */
  readonly attempts: number;
  readonly startMs: number;
  readonly endMs: number | undefined;
  /** Names what is to be said, so that it is said once. */
  readonly version: string;
  /** What it stands for: one episode, or how many of a storm; `undefined`: the episode was removed. */
  readonly about:
    | { readonly episode: EpisodeState; readonly place: DashboardPlace | undefined }
    | { readonly episodes: number }
    | undefined;
}

/** Which work is wanted. */
export interface RegionWish {
  readonly nowMs: number;
  /** Regions that are there and are to be changed, at most. */
  readonly changesMax: number;
  /** Regions that are to be made, at most. */
  readonly makesMax: number;
  /** Organisations that are left alone. */
  readonly withoutOrgs: readonly number[];
}

/** Keeps which episodes have a region, and what Grafana was told of it. */
export interface RegionBook {
  /**
   * Enters the episodes with a match that have none yet. What came faster than `perMinute`, or waits behind
   * ten times as many, is counted to the storm of its organisation.
   *
   * @returns How many were counted to a storm.
   */
  plan(nowMs: number, perMinute: number): Promise<number>;
  /** How many requests that make one were sent after a time. */
  countMade(sinceMs: number): Promise<number>;
  /** What Grafana is to be told now: changes first, of each the longest waiting first, storms before all. */
  due(wish: RegionWish): Promise<readonly RegionWork[]>;
  /** Notes that a request is about to be sent that makes it. */
  begin(key: string, nowMs: number): Promise<void>;
  /** Notes what Grafana was told. */
  told(work: RegionWork, annotation: string, nowMs: number): Promise<void>;
  /** Notes that the annotation was removed in Grafana. */
  lost(key: string): Promise<void>;
  defer(key: string, dueMs: number): Promise<void>;
  /** Never again. */
  drop(key: string): Promise<void>;
}
