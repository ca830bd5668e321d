import type { RecordsHealth } from "./records-health.ts";

/** What the service says of itself; nothing secret. */
export interface ServiceStatus {
  readonly version: string;
  /** Of the source it was built from; `unknown` unless the image says it. */
  readonly revision: string;
  /** Version of Node.js. */
  readonly node: string;
  /** `on`, `shadow` or `off`. */
  readonly mode: string;
  /** `memory`, `sqlite` or `postgres`. */
  readonly store: string;
  readonly records: {
    /** Those that are loaded. */
    readonly count: number;
    readonly counts: RecordFates;
    readonly datasetVersion: string;
    /** Of everything that entered, in hex; of two loads it is equal only when they are alike. */
    readonly digest: string;
    /** In the order of the configuration. */
    readonly sources: readonly RecordsSource[];
    readonly health: RecordsHealth;
  };
  /** `undefined`: no Loki is configured. */
  readonly loki: "available" | "unavailable" | undefined;
  /** Names of the configured destinations. */
  readonly destinations: readonly string[];
  /** Every key of the configuration in force. */
  readonly configuration: readonly ShownSetting[];
}

/** How many records met which fate. */
export interface RecordFates {
  /** Found in lines. */
  readonly used: number;
  /** Loaded, but too vague to be looked for. */
  readonly vague: number;
  readonly muted: number;
  /** Left out, for a later source has a record of the same id. */
  readonly overridden: number;
  /** Left out, for they are not valid. */
  readonly skipped: number;
}

/** Where records come from. */
export interface RecordsSource {
  /** Path, or URL without its query; empty for the records that come with Alertlore. */
  readonly place: string;
  readonly origin: "starter" | "dataset" | "operator";
}

/** One key of the configuration, safe to show. */
export interface ShownSetting {
  readonly path: string;
  /** As written in the file; `null`: not set. */
  readonly value: string | readonly string[] | null;
  readonly isChanged: boolean;
}
