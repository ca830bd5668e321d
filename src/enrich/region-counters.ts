/**
 * What became of one region's turn. `forbidden`: the credentials may not do it, it is tried again later;
 * `dropped`: never tried again; `failed`: Grafana is left alone for a while.
 */
export type RegionResult = "opened" | "changed" | "closed" | "forbidden" | "dropped" | "failed";

/** Counts regions. */
export interface RegionCounters {
  regionTold(result: RegionResult): void;
  /** Episodes that were counted to a storm instead of getting a region of their own. */
  regionsFolded(episodes: number): void;
}
