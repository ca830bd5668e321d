import type { Config } from "../config/config.ts";
import type { Metrics } from "../count/metrics.ts";
import type { Clock, Logger } from "../enrich/ports.ts";
import type { Regions } from "../enrich/region-ports.ts";
import { createRegions } from "../grafana/create-regions.ts";
import { createGrafanaClient } from "../grafana/grafana-client.ts";
import { createRegionTicker } from "../schedule/region-ticker.ts";
import type { SqlStore } from "../store/sql-store.ts";
import { authorizationOf } from "./authorization-of.ts";

/** What marking needs besides the configuration. */
export interface MarkRegionsParts {
  readonly version: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly store: SqlStore;
}

/** Requests that one region may take: a search, a look at the dashboard, two tries to make it. */
const REQUESTS_MAX = 4;
const LEASE_MARGIN_MS = 30_000;

/** Creates what marks episodes in Grafana; it does nothing unless that is wished, and in no mode but `on`. */
export function createMarkRegions(config: Config, parts: MarkRegionsParts): () => Promise<void> {
  const { annotations } = config.grafana;
  if (!annotations.enabled || config.enrich.mode !== "on") return () => Promise.resolve();
  const { clock, logger, metrics, store } = parts;
  const organizations = organizationsOf(config, parts);
  return createRegionTicker({
    book: store.regions,
    regionsOf: (orgId) => organizations.get(orgId === 0 ? config.grafana.orgId : orgId),
    roles: store,
    perMinute: annotations.perMinute,
    leaseMs: REQUESTS_MAX * annotations.timeoutMs + LEASE_MARGIN_MS,
    prefix: config.annotate.prefix,
    ...{ clock, counters: metrics.counters, logger },
  });
}

function organizationsOf(
  { grafana, web }: Config,
  { clock, logger, version }: MarkRegionsParts,
): ReadonlyMap<number, Regions> {
  const { url: grafanaUrl, orgId, annotations } = grafana;
  if (grafanaUrl === undefined) return new Map();
  const bases = { pagesUrl: web.externalUrl, grafanaUrl };
  const own = { orgId, auth: annotations.auth };
  return new Map(
    [own, ...annotations.organizations].map(({ orgId: id, auth }) => {
      const client = createGrafanaClient({
        url: annotations.url ?? grafanaUrl,
        authorization: authorizationOf(auth),
        // A token belongs to one organisation.
        orgId: auth?.basicAuth === undefined ? undefined : id,
        userAgent: `Alertlore/${version}`,
        timeoutMs: annotations.timeoutMs,
      });
      return [id, createRegions({ client, bases, clock, logger })];
    }),
  );
}
