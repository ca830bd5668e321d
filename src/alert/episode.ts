import type { TimestampNs } from "./alert.ts";

/**
 * The configured sender system of an alert with its tenant. Alertmanager with the proxy in front of
 * it is one source, each Grafana another.
 */
export interface Source {
  readonly name: string;
  readonly tenant: string;
}

/** What identifies one firing of one alert. */
export interface EpisodeKey {
  readonly source: Source;
  readonly fingerprint: string;
  /** The first `startsAt` seen for this firing; HA pairs and restarts send several. */
  readonly canonicalStartsAtNs: TimestampNs;
}

/** Unguessable: an HMAC of the key with a secret of the store, in lower-case hex. */
export type EpisodeId = string;
