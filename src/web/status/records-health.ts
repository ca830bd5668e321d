/** How what the records are made of is kept up to date, as the pages show it. */
export interface RecordsHealth {
  /** Why files of records, mutes or overlays are not in force as they lie there; empty when they are. */
  readonly faults: readonly string[];
  /** The URLs of records, in the order of the configuration. */
  readonly syncs: readonly SyncState[];
}

/** What became of asking one URL for new records. */
export interface SyncState {
  /** Without its query, which can hold a token. */
  readonly url: string;
  /** When it was asked last, in ms since the Unix epoch; `undefined`: not yet. */
  readonly askedMs: number | undefined;
  /** Why nothing could be taken the last time; `undefined` when it answered well. */
  readonly failure: SyncFailure | undefined;
}

/** A reason of a closed list with a sentence, and whether an earlier copy is used instead. */
export interface SyncFailure {
  readonly reason: string;
  readonly message: string;
  readonly hasCopy: boolean;
}

/** How many things are wrong; 0: the records are what their sources hold. */
export function countTroubles({ faults, syncs }: RecordsHealth): number {
  return faults.length + syncs.filter(({ failure }) => failure !== undefined).length;
}
