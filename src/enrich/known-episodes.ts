import type { Alert, Annotations, TimestampNs } from "../alert/alert.ts";
import type { AnnotationProfile } from "../alert/annotation-profile.ts";
import type { EpisodeId } from "../alert/episode.ts";
import type { Enrichment } from "./enrichment.ts";
import type { Outcome } from "./outcome.ts";
import type { EpisodeSighting } from "./ports.ts";

/** What is remembered of one episode between two posts of its alert. */
export interface KnownEpisode {
  readonly id: EpisodeId;
  /** `undefined` until its enrichment is there. */
  readonly outcome: Outcome | undefined;
  readonly annotations: Readonly<Record<AnnotationProfile, Annotations>>;
  /** When its alert was resolved as far as posts told; `undefined` while it fires. */
  readonly endsAtNs: TimestampNs | undefined;
  /** When the store last heard of it, in milliseconds since the Unix epoch. */
  readonly observedMs: number;
}

/** The store hears of a firing alert again after this, so that its episode does not go stale. */
const REFRESH_MS = 600_000;
const NOTHING = { compact: {}, full: {} };

/**
 * The episodes whose alerts were posted lately, by fingerprint: what spares the store a question for
 * each re-send, and what is left when the store is away. Bounded; the longest unused one goes first.
 */
export class KnownEpisodes {
  private readonly byFingerprint = new Map<string, KnownEpisode>();
  private readonly fingerprints = new Map<EpisodeId, string>();
  private readonly max: number;

  /** Remembers at most `max` episodes. */
  constructor(max: number) {
    this.max = max;
  }

  /** The episode that a post of the alert belongs to, as far as is known here. */
  of(alert: Alert): KnownEpisode | undefined {
    const known = this.byFingerprint.get(alert.fingerprint);
    if (known === undefined) return undefined;
    // A new episode begins only after a resolve at or before its start.
    const isOver = known.endsAtNs !== undefined && alert.startsAtNs >= known.endsAtNs;
    return isOver ? undefined : known;
  }

  /** Whether the store has nothing to add to what is known, and need not hear of the post; the use is noted. */
  isSettled(alert: Alert, nowMs: number): boolean {
    const known = this.of(alert);
    if (known?.outcome !== "matched") return false;
    this.byFingerprint.delete(alert.fingerprint);
    this.byFingerprint.set(alert.fingerprint, known);
    if (alert.status === "resolved") return known.endsAtNs !== undefined;
    return known.endsAtNs === undefined && nowMs - known.observedMs < REFRESH_MS;
  }

  /** Remembers what the store said of a posted alert. */
  observe(alert: Alert, sighting: EpisodeSighting, nowMs: number): void {
    const { id, enrichment } = sighting;
    this.put(alert.fingerprint, {
      id,
      outcome: enrichment?.outcome,
      annotations: enrichment?.annotations ?? NOTHING,
      endsAtNs: alert.status === "resolved" ? alert.endsAtNs : undefined,
      observedMs: nowMs,
    });
  }

  /** Takes over an enrichment; the fingerprint of its episode, where the episode is remembered. */
  learn(enrichment: Enrichment): string | undefined {
    const fingerprint = this.fingerprints.get(enrichment.episodeId);
    const known = fingerprint === undefined ? undefined : this.byFingerprint.get(fingerprint);
    if (fingerprint === undefined || known?.id !== enrichment.episodeId) return undefined;
    const { outcome, annotations } = enrichment;
    // What was found first stays: advice must not change from one re-send to the next.
    if (known.outcome === "matched") return undefined;
    this.put(fingerprint, { ...known, outcome, annotations });
    return fingerprint;
  }

  private put(fingerprint: string, episode: KnownEpisode): void {
    const before = this.byFingerprint.get(fingerprint);
    if (before !== undefined) this.forget(fingerprint, before);
    this.byFingerprint.set(fingerprint, episode);
    this.fingerprints.set(episode.id, fingerprint);
    if (this.byFingerprint.size <= this.max) return;
    const [oldest] = this.byFingerprint;
    if (oldest !== undefined) this.forget(...oldest);
  }

  private forget(fingerprint: string, { id }: KnownEpisode): void {
    this.byFingerprint.delete(fingerprint);
    this.fingerprints.delete(id);
  }
}
