import type { AlertGroup } from "../alert/alert.ts";
import type { Config } from "../config/config.ts";
import type { SettingInForce } from "../config/settings-in-force.ts";
import type { Metrics } from "../count/metrics.ts";
import type { DeliveryQueue } from "../enrich/delivery-ports.ts";
import type { Why } from "../enrich/explain-excerpt.ts";
import type { EpisodeReader } from "../enrich/reading-ports.ts";
import type { EnrichKit } from "../enrich/enrich-alert.ts";
import type { Route } from "../ingest/create-app.ts";
import type { TakenGroup } from "../ingest/post-webhook.ts";
import type { RecordsHealth } from "../web/status/records-health.ts";
import type { RecordCounts } from "./build-catalogue.ts";

/** What tells versions of the loaded records apart. */
export interface PublishedRecords {
  /** Of everything that entered. */
  readonly digest: string;
  readonly counts: RecordCounts;
}

/** What the routes of one configuration are made of. */
export interface RouteParts {
  readonly config: Config;
  /** The configuration as an operator wrote it, without secrets. */
  readonly settings: readonly SettingInForce[];
  readonly kit: EnrichKit;
  readonly metrics: Metrics;
  readonly version: string;
  readonly revision: string;
  readonly deliveries: DeliveryQueue;
  /** What pages show of the store. */
  readonly reader: EpisodeReader;
  readonly published: PublishedRecords;
  /** Why a record is found in lines, or why not. */
  readonly why: Why;
  /** Accepts a group; the tenant is empty when the sender named none. */
  readonly take: (group: AlertGroup, tenant: string) => Promise<TakenGroup>;
  /** The routes of the proxy; none where there is none. */
  readonly proxyRoutes: (authenticate: Route["handlers"][number]) => readonly Route[];
  /** What is wrong with the sources of records now. */
  recordsHealth(): RecordsHealth;
  isReady(): boolean;
  /** Loads everything anew; the faults that kept the old state in force, none when it was replaced. */
  reload(): Promise<readonly string[]>;
}
