import { randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";
import type { ConfigFault } from "../config/config-fault.ts";
import type { Config } from "../config/config.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import type { EnrichKit } from "../enrich/enrich-alert.ts";
import { createExplainer, createWhy } from "../enrich/explain-excerpt.ts";
import type { ExplainOptions } from "../enrich/explain-excerpt.ts";
import { lookAgain } from "../enrich/look-again.ts";
import type { LoadedCatalogue } from "../enrich/ports.ts";
import { withNews } from "../enrich/posted-alerts.ts";
import { createApp } from "../ingest/create-app.ts";
import type { RetryRules } from "../recommend/retry-rules.ts";
import { createLateLooksTicker } from "../schedule/late-looks.ts";
import type { CatalogueInForce } from "./catalogue-source.ts";
import type { Backbone } from "./create-backbone.ts";
import { createDestinations } from "./create-destinations.ts";
import type { DestinationParts } from "./create-destinations.ts";
import { createProxy } from "./create-proxy.ts";
import type { Proxy } from "./create-proxy.ts";
import { createMarkRegions } from "./create-mark-regions.ts";
import { createLoki } from "./create-loki.ts";
import { createRoutes } from "./create-routes.ts";
import { enrichSettingsOf } from "./enrich-settings-of.ts";
import { RETRY_RULES_PATH } from "./installation.ts";
import { loadRetryRules } from "./load-retry-rules.ts";
import { findQueryFaults } from "./find-query-faults.ts";
import { redactOptionsOf } from "./redact-options-of.ts";
import type { RouteParts } from "./route-parts.ts";
import { fileOf } from "./service-parts.ts";
import type { ServiceParts } from "./service-parts.ts";

/** What only the running service can do. */
export interface ServiceActions {
  /** Loads everything anew; the faults that kept the old state in force, none when it was replaced. */
  readonly reload: () => Promise<readonly string[]>;
  /** The records of the configuration in force have changed. */
  readonly changeRecords: (loaded: LoadedConfig) => void;
}

/** The application under one configuration, or why there is none. */
export type BuildOutcome =
  | { readonly app: RequestListener; readonly faults: readonly [] }
  | { readonly app: undefined; readonly faults: readonly ConfigFault[] };

/** Builds all that a configuration decides beside what is in force, and touches metrics only at the end. */
export async function buildApp(
  parts: ServiceParts,
  given: LoadedConfig,
  actions: ServiceActions,
): Promise<BuildOutcome> {
  const { metrics, logger, backbone } = parts;
  const { config, settings } = given;
  if (backbone === undefined) throw new Error("the store is not open");
  const { rules, faults } = loadRetryRules(config.rules.retryPath ?? RETRY_RULES_PATH);
  if (rules === undefined) return { app: undefined, faults };
  const file = fileOf(parts);
  const queryFaults = findQueryFaults(config, file);
  if (queryFaults.length > 0) return { app: undefined, faults: queryFaults };
  const toDestinations = destinationParts(parts, backbone);
  const { destinations, fault } = createDestinations(config, file, toDestinations);
  if (fault !== undefined) return { app: undefined, faults: [fault] };
  const built = await parts.catalogue.build(config);
  if (built.catalogue === undefined) return { app: undefined, faults: built.faults };
  const { catalogue } = built;
  const knowledge = { loaded: catalogue.loaded, rules };
  const kit = createKit(parts, backbone, { config, ...knowledge });
  let proxy: Proxy | undefined;
  const proxyRoutes: RouteParts["proxyRoutes"] = (authenticate) => {
    const { version, proxy: state } = parts;
    proxy = createProxy({ config, kit, version, state, authenticate });
    return proxy?.routes ?? [];
  };
  const routes = createRoutes({
    config,
    settings,
    kit,
    metrics,
    version: parts.version,
    revision: parts.revision,
    deliveries: backbone.store,
    reader: backbone.store,
    published: {
      // Without a digest two loads cannot be told to be alike.
      digest: catalogue.built.digest ?? randomUUID(),
      counts: catalogue.built.counts,
    },
    why: createWhy(explainOptionsOf(config, catalogue.loaded)),
    take: (group, tenant) => backbone.take(group, tenant),
    proxyRoutes,
    recordsHealth: () => parts.catalogue.health(),
    isReady: () => !parts.stopping,
    reload: actions.reload,
  });
  const app = createApp(routes, logger);
  logger.adjust(config.log);
  const markRegions = createMarkRegions(config, { ...parts, store: backbone.store });
  const lookAgain = createLookAgain(kit, config);
  parts.current = { config, kit, destinations, lookAgain, markRegions };
  if (proxy !== undefined) parts.proxy = proxy.state;
  proxy?.activate();
  announce(parts, { given, catalogue, actions });
  return { app, faults: [] };
}

function createKit(
  parts: ServiceParts,
  { store, planFollowUps }: Backbone,
  { config, loaded, rules }: { config: Config; loaded: LoadedCatalogue; rules: RetryRules },
): EnrichKit {
  const { metrics, clock, logger, version } = parts;
  return {
    settings: enrichSettingsOf(config, rules),
    explain: createExplainer(explainOptionsOf(config, loaded)),
    records: loaded.store,
    logSource: createLoki(config, { version, clock, counters: metrics.counters, logger }),
    lateLooks: config.loki.late.enabled ? store : undefined,
    random: () => Math.random(),
    episodes: store,
    lateFinds: withNews(store, (enrichment) => parts.proxy?.desk.learn(enrichment)),
    planFollowUps,
    history: store,
    counters: metrics.counters,
    clock,
    logger,
  };
}

function explainOptionsOf(config: Config, loaded: LoadedCatalogue): ExplainOptions {
  return { loaded, redact: redactOptionsOf(config), threshold: config.match.threshold };
}

/** Nothing to do without a Loki: then nothing is ever planned. */
function createLookAgain(kit: EnrichKit, { loki }: Config): () => Promise<void> {
  const { lateLooks: looks, logSource, clock, counters, logger } = kit;
  if (looks === undefined || logSource === undefined) return () => Promise.resolve();
  return createLateLooksTicker({
    looks,
    look: (look) => lookAgain(kit, look),
    isAvailable: () => logSource.isAvailable(),
    looksPerMinute: loki.late.looksPerMinute,
    ...{ clock, counters, logger },
  });
}

function announce(
  parts: ServiceParts,
  inForce: { given: LoadedConfig; catalogue: CatalogueInForce; actions: ServiceActions },
): void {
  const { given, catalogue, actions } = inForce;
  const { config } = given;
  const { metrics, clock } = parts;
  parts.catalogue.putIntoForce(catalogue, config, () => {
    actions.changeRecords(given);
  });
  metrics.destinationsConfigured(config.destinations.map((destination) => destination.name));
  metrics.upstreamsConfigured(config.proxy.upstreams.map((upstream) => upstream.name));
  metrics.configReloaded(true, clock.nowMs());
}

function destinationParts(parts: ServiceParts, { store }: Backbone): DestinationParts {
  const { version, clock, logger, metrics } = parts;
  const { threads } = store;
  const writeOut = (line: string) => void process.stdout.write(line);
  return { version, clock, logger, threads, writeOut, counters: metrics.counters };
}
