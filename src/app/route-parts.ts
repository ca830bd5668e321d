import type { AlertGroup } from "../alert/alert.ts";
import type { Config } from "../config/config.ts";
import type { Metrics } from "../count/metrics.ts";
import type { DeliveryQueue } from "../enrich/delivery-ports.ts";
import type { EpisodeReader } from "../enrich/reading-ports.ts";
import type { EnrichKit } from "../enrich/enrich-alert.ts";
import type { TakenGroup } from "../ingest/post-webhook.ts";

/** What the routes of one configuration are made of. */
export interface RouteParts {
  readonly config: Config;
  readonly kit: EnrichKit;
  readonly metrics: Metrics;
  readonly version: string;
  readonly deliveries: DeliveryQueue;
  /** What pages show of the store. */
  readonly reader: EpisodeReader;
  /** Accepts a group; the tenant is empty when the sender named none. */
  readonly take: (group: AlertGroup, tenant: string) => Promise<TakenGroup>;
  isReady(): boolean;
  /** Loads everything anew; the faults that kept the old state in force, none when it was replaced. */
  reload(): Promise<readonly string[]>;
}
