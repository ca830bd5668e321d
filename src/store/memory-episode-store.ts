import { createHmac, randomBytes } from "node:crypto";
import type { Alert, Labels, TimestampNs } from "../alert/alert.ts";
import type { EpisodeId, EpisodeKey, Source } from "../alert/episode.ts";
import type { Enrichment } from "../enrich/enrichment.ts";
import type { EpisodeSighting, EpisodeState, EpisodeStore, History } from "../enrich/ports.ts";
import { createRecordIndex } from "./record-index.ts";
import type { RecordIndex } from "./record-index.ts";

/** Limits of the store in memory. */
export interface MemoryEpisodeStoreOptions {
  /** Episodes kept; beyond it the one seen longest ago is forgotten, and with it that it was counted. */
  readonly episodesMax: number;
  /** An open episode that was not seen for so long is closed as stale. */
  readonly staleAfterMs: number;
}

interface Episode {
  readonly id: EpisodeId;
  readonly key: EpisodeKey;
  readonly firing: string;
  readonly labels: Labels;
  status: EpisodeState["status"];
  /** End of the half-open range of a closed episode; `undefined` while it is open. */
  endNs: TimestampNs | undefined;
  seenMs: number;
  enrichment: Enrichment | undefined;
  counted: boolean;
}

/** Earlier firings of one fingerprint that a late resolve may still belong to. */
const FIRINGS_KEPT = 4;
const NS_PER_MS = 1_000_000n;

/**
 * Keeps episodes in memory, for a single replica that may forget them at a restart.
 *
 * Ids are keyed with a secret of this instance, so they cannot be guessed and do not outlive it.
 * Stored enrichments lose their excerpt: nothing reads it back, and it is by far the largest part.
 */
export class MemoryEpisodeStore implements EpisodeStore, History {
  readonly #options: MemoryEpisodeStoreOptions;
  readonly #secret = randomBytes(32);
  /** By id, the one seen longest ago first. */
  readonly #episodes = new Map<EpisodeId, Episode>();
  /** Open ones only, in the same order, so that the stale ones stand in front. */
  readonly #open = new Map<EpisodeId, Episode>();
  /** By source and fingerprint, the latest firing first. */
  readonly #firings = new Map<string, Episode[]>();
  readonly #byRecord: RecordIndex = createRecordIndex();

  constructor(options: MemoryEpisodeStoreOptions) {
    this.#options = options;
  }

  observe(source: Source, alert: Alert, nowMs: number): Promise<EpisodeSighting | undefined> {
    this.#closeStale(nowMs);
    const firing = JSON.stringify([source.name, source.tenant, alert.fingerprint]);
    const endNs =
      alert.status === "firing" ? undefined : (alert.endsAtNs ?? BigInt(nowMs) * NS_PER_MS);
    const known = this.#firings
      .get(firing)
      ?.find((episode) => overlaps(episode, alert.startsAtNs, endNs));
    if (known !== undefined) return Promise.resolve(this.#observeAgain(known, endNs, nowMs));
    if (endNs !== undefined) return Promise.resolve(undefined);
    return Promise.resolve(this.#begin(source, alert, { firing, nowMs }));
  }

  saveEnrichment(enrichment: Enrichment, nowMs: number): Promise<void> {
    const episode = this.#episodes.get(enrichment.episodeId);
    if (episode === undefined) return Promise.resolve();
    episode.enrichment = { ...enrichment, excerpt: undefined };
    this.#byRecord.remove(episode.id);
    const recordId = enrichment.matches[0]?.recordId;
    if (recordId === undefined) return Promise.resolve();
    this.#byRecord.add(recordId, {
      episodeId: episode.id,
      labels: episode.labels,
      retryAtMs: enrichment.recommendation?.decision === "retry" ? nowMs : undefined,
      open: episode.status === "open",
    });
    return Promise.resolve();
  }

  find(id: EpisodeId): Promise<EpisodeState | undefined> {
    const episode = this.#episodes.get(id);
    return Promise.resolve(episode === undefined ? undefined : stateOf(episode));
  }

  claimCount(id: EpisodeId): Promise<boolean> {
    const episode = this.#episodes.get(id);
    if (episode === undefined || episode.counted) return Promise.resolve(false);
    episode.counted = true;
    return Promise.resolve(true);
  }

  retriesOf(recordId: string, labels: Labels, sinceMs: number): Promise<number> {
    return Promise.resolve(this.#byRecord.retries(recordId, labels, sinceMs));
  }

  openEpisodesOf(recordId: string): Promise<number> {
    return Promise.resolve(this.#byRecord.openCount(recordId));
  }

  #begin(source: Source, alert: Alert, at: { firing: string; nowMs: number }): EpisodeSighting {
    const key: EpisodeKey = {
      source,
      fingerprint: alert.fingerprint,
      canonicalStartsAtNs: alert.startsAtNs,
    };
    const episode: Episode = {
      id: this.#idOf(key),
      key,
      firing: at.firing,
      labels: alert.labels,
      status: "open",
      endNs: undefined,
      seenMs: at.nowMs,
      enrichment: undefined,
      counted: false,
    };
    this.#episodes.set(episode.id, episode);
    this.#open.set(episode.id, episode);
    const earlier = this.#firings.get(at.firing) ?? [];
    for (const dropped of earlier.slice(FIRINGS_KEPT - 1)) this.#forget(dropped);
    this.#firings.set(at.firing, [episode, ...earlier.slice(0, FIRINGS_KEPT - 1)]);
    this.#forgetOldest();
    return { ...stateOf(episode), repeat: false };
  }

  #observeAgain(episode: Episode, endNs: TimestampNs | undefined, nowMs: number): EpisodeSighting {
    const wasOpen = episode.status === "open";
    const isOpen = endNs === undefined;
    episode.seenMs = nowMs;
    this.#episodes.delete(episode.id);
    this.#episodes.set(episode.id, episode);
    if (isOpen) this.#reopen(episode);
    else this.#close(episode, "resolved", endNs);
    return { ...stateOf(episode), repeat: wasOpen === isOpen };
  }

  #reopen(episode: Episode): void {
    episode.status = "open";
    episode.endNs = undefined;
    this.#open.delete(episode.id);
    this.#open.set(episode.id, episode);
    this.#byRecord.setOpen(episode.id, true);
  }

  #close(episode: Episode, status: "resolved" | "stale", endNs: TimestampNs): void {
    episode.status = status;
    // Peers resolve at slightly different times; the latest end keeps their echoes in this episode.
    if (episode.endNs === undefined || endNs > episode.endNs) episode.endNs = endNs;
    this.#open.delete(episode.id);
    this.#byRecord.setOpen(episode.id, false);
  }

  #closeStale(nowMs: number): void {
    for (const episode of this.#open.values()) {
      if (nowMs - episode.seenMs <= this.#options.staleAfterMs) return;
      this.#close(episode, "stale", BigInt(episode.seenMs) * NS_PER_MS);
    }
  }

  #forgetOldest(): void {
    for (const episode of this.#episodes.values()) {
      if (this.#episodes.size <= this.#options.episodesMax) return;
      this.#forget(episode);
    }
  }

  #forget(episode: Episode): void {
    this.#episodes.delete(episode.id);
    this.#open.delete(episode.id);
    this.#byRecord.remove(episode.id);
    const rest = (this.#firings.get(episode.firing) ?? []).filter((other) => other !== episode);
    if (rest.length === 0) this.#firings.delete(episode.firing);
    else this.#firings.set(episode.firing, rest);
  }

  #idOf(key: EpisodeKey): EpisodeId {
    const { source, fingerprint, canonicalStartsAtNs } = key;
    return createHmac("sha256", this.#secret)
      .update(
        JSON.stringify([source.name, source.tenant, fingerprint, String(canonicalStartsAtNs)]),
      )
      .digest("hex");
  }
}

/** Whether a post `[startsAt, end)` belongs to the episode; an equal start always does. */
function overlaps(
  episode: Episode,
  startsAtNs: TimestampNs,
  endNs: TimestampNs | undefined,
): boolean {
  const canonicalNs = episode.key.canonicalStartsAtNs;
  if (startsAtNs === canonicalNs) return true;
  const startsBeforeEnd = episode.endNs === undefined || startsAtNs < episode.endNs;
  const endsAfterStart = endNs === undefined || endNs > canonicalNs;
  return startsBeforeEnd && endsAfterStart;
}

function stateOf(episode: Episode): EpisodeState {
  const { id, key, status, labels, enrichment } = episode;
  return { id, key, status, labels, enrichment };
}
