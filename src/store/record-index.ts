import type { Labels } from "../alert/alert.ts";
import type { EpisodeId } from "../alert/episode.ts";

/** What the index keeps of an episode whose primary match is known. */
export interface RecordedEpisode {
  readonly episodeId: EpisodeId;
  readonly labels: Labels;
  /** When `retry` was advised; `undefined` for every other decision. */
  readonly retryAtMs: number | undefined;
  readonly open: boolean;
}

/** Episodes by the record of their primary match; every question costs no more than its answer. */
export interface RecordIndex {
  add(recordId: string, episode: RecordedEpisode): void;
  remove(episodeId: EpisodeId): void;
  setOpen(episodeId: EpisodeId, open: boolean): void;
  openCount(recordId: string): number;
  retries(recordId: string, labels: Labels, sinceMs: number): number;
}

interface Place {
  readonly recordId: string;
  readonly retryKey: string;
}

/** Creates an empty index. */
export function createRecordIndex(): RecordIndex {
  const places = new Map<EpisodeId, Place>();
  const open = new Map<string, Set<EpisodeId>>();
  const retries = new Map<string, Map<EpisodeId, number>>();
  return {
    add(recordId, episode) {
      const retryKey = JSON.stringify([recordId, sortedLabels(episode.labels)]);
      places.set(episode.episodeId, { recordId, retryKey });
      if (episode.open) getOrAdd(open, recordId, () => new Set()).add(episode.episodeId);
      if (episode.retryAtMs === undefined) return;
      getOrAdd(retries, retryKey, () => new Map()).set(episode.episodeId, episode.retryAtMs);
    },
    remove(episodeId) {
      const place = places.get(episodeId);
      if (place === undefined) return;
      places.delete(episodeId);
      deleteFrom(open, place.recordId, episodeId);
      deleteFrom(retries, place.retryKey, episodeId);
    },
    setOpen(episodeId, isOpen) {
      const place = places.get(episodeId);
      if (place === undefined) return;
      if (isOpen) getOrAdd(open, place.recordId, () => new Set()).add(episodeId);
      else deleteFrom(open, place.recordId, episodeId);
    },
    openCount: (recordId) => open.get(recordId)?.size ?? 0,
    retries(recordId, labels, sinceMs) {
      const times = retries.get(JSON.stringify([recordId, sortedLabels(labels)]));
      return [...(times?.values() ?? [])].filter((atMs) => atMs >= sinceMs).length;
    },
  };
}

function sortedLabels(labels: Labels): readonly (readonly [string, string])[] {
  return Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
}

function getOrAdd<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  const present = map.get(key);
  if (present !== undefined) return present;
  const added = create();
  map.set(key, added);
  return added;
}

function deleteFrom(
  map: Map<string, Set<EpisodeId> | Map<EpisodeId, number>>,
  key: string,
  episodeId: EpisodeId,
): void {
  const group = map.get(key);
  if (group === undefined) return;
  group.delete(episodeId);
  if (group.size === 0) map.delete(key);
}
