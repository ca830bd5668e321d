import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { renderFault } from "../config/config-fault.ts";
import type { ConfigFault } from "../config/config-fault.ts";
import type { Config } from "../config/config.ts";
import { loadConfig } from "../config/load-config.ts";
import type { ConfigSources } from "../config/load-config.ts";
import { createMetrics } from "../count/metrics.ts";
import type { Metrics } from "../count/metrics.ts";
import type { EnrichKit } from "../enrich/enrich-alert.ts";
import { createExplainer } from "../enrich/explain-excerpt.ts";
import { lookAgain } from "../enrich/look-again.ts";
import type { Clock, LateLooks, LoadedCatalogue } from "../enrich/ports.ts";
import { createApp } from "../ingest/create-app.ts";
import type { RetryRules } from "../recommend/retry-rules.ts";
import { createLateLooksTicker } from "../schedule/late-looks.ts";
import { MemoryLateLooks } from "../store/memory-late-looks.ts";
import { createBackbone } from "./create-backbone.ts";
import type { Backbone, Current } from "./create-backbone.ts";
import { createDestinations, createSlackThreads } from "./create-destinations.ts";
import type { DestinationParts } from "./create-destinations.ts";
import { createLogger } from "./create-logger.ts";
import { createLoki } from "./create-loki.ts";
import type { AdjustableLogger } from "./create-logger.ts";
import { createRoutes } from "./create-routes.ts";
import { createListening } from "./create-listening.ts";
import { enrichSettingsOf } from "./enrich-settings-of.ts";
import { readVersion } from "./installation.ts";
import { createCatalogueSource } from "./catalogue-source.ts";
import type { CatalogueInForce, CatalogueSource } from "./catalogue-source.ts";
import { RETRY_RULES_PATH } from "./installation.ts";
import { loadRetryRules } from "./load-retry-rules.ts";
import { redactOptionsOf } from "./redact-options-of.ts";
import { systemClock } from "./system-clock.ts";

/** What a service is started with. */
export interface ServeOptions {
  readonly sources: ConfigSources;
  /** Gets each log line with its line feed. */
  readonly writeLog: (line: string) => void;
  /** Default: the machine's. */
  readonly clock?: Clock;
}

/** A running service. */
export interface Service {
  /** Answers requests without a port too, always under the configuration in force. */
  readonly app: RequestListener;
  /** Starts listening at the configured address. */
  readonly listen: () => Promise<AddressInfo>;
  /** Loads everything anew; the faults that kept the old state in force, none when it was replaced. */
  readonly reload: () => Promise<readonly string[]>;
  /** Takes no new connection, finishes the requests in flight for a bounded time, and ends. */
  readonly close: () => Promise<void>;
}

/** A service, or every fault that kept it from starting. */
export type ServeOutcome =
  | { readonly service: Service; readonly faults: readonly [] }
  | { readonly service: undefined; readonly faults: readonly ConfigFault[] };

const LOOKS_MAX = 10_000;

/** Composes the service from its configuration. Does not listen yet. */
export async function createService(options: ServeOptions): Promise<ServeOutcome> {
  const { config, faults } = loadConfig(options.sources);
  if (config === undefined) return { service: undefined, faults };
  const parts = createParts(options, config);
  const fault = await openBackbone(parts, config);
  if (fault !== undefined) return { service: undefined, faults: [fault] };
  const outcome = await buildApp(parts, config);
  if (outcome.app === undefined) {
    await parts.backbone?.stop();
    return { service: undefined, faults: outcome.faults };
  }
  parts.app = outcome.app;
  parts.backbone?.start();
  return { service: createRunning(parts, config), faults: [] };
}

/** What lives as long as the process, whatever is reloaded. */
interface Parts {
  readonly options: ServeOptions;
  readonly version: string;
  readonly clock: Clock;
  readonly logger: AdjustableLogger;
  readonly metrics: Metrics;
  readonly catalogue: CatalogueSource;
  readonly lateLooks: LateLooks;
  readonly threads: DestinationParts["threads"];
  backbone: Backbone | undefined;
  app: RequestListener;
  current: Current | undefined;
  stopping: boolean;
  /** Reloads run one after the other. */
  reloading: Promise<unknown>;
}

function createParts(options: ServeOptions, config: Config): Parts {
  const version = readVersion();
  const logger = createLogger({ ...config.log, write: options.writeLog });
  const clock = options.clock ?? systemClock;
  const revision = options.sources.env["ALERTLORE_REVISION"] ?? "unknown";
  const metrics = createMetrics({ version, revision }, logger);
  return {
    options,
    version,
    clock,
    logger,
    metrics,
    catalogue: createCatalogueSource({ metrics, logger, clock }),
    lateLooks: new MemoryLateLooks(LOOKS_MAX),
    threads: createSlackThreads(),
    backbone: undefined,
    app: (_request, response) => {
      response.writeHead(503).end();
    },
    current: undefined,
    stopping: false,
    reloading: Promise.resolve(),
  };
}

/** Opens the store; the fault that kept it closed. */
async function openBackbone(parts: Parts, config: Config): Promise<ConfigFault | undefined> {
  const current = () => {
    if (parts.current === undefined) throw new Error("nothing is in force yet");
    return parts.current;
  };
  try {
    parts.backbone = await createBackbone({ ...parts, config, current });
    return undefined;
  } catch (error) {
    // The driver's message; it holds neither the URL nor a password.
    const message = `could not be opened: ${error instanceof Error ? error.message : "unknown"}`;
    return { file: fileOf(parts), line: undefined, path: "store", message };
  }
}

function fileOf({ options }: Parts): string {
  return options.sources.file ?? "configuration";
}

function destinationParts(parts: Parts): DestinationParts {
  const { version, clock, logger, metrics, threads } = parts;
  const writeOut = (line: string) => void process.stdout.write(line);
  return { version, clock, logger, threads, writeOut, counters: metrics.counters };
}

type BuildOutcome =
  | { readonly app: RequestListener; readonly faults: readonly [] }
  | { readonly app: undefined; readonly faults: readonly ConfigFault[] };

/** Builds all that a configuration decides beside what is in force, and touches metrics only at the end. */
async function buildApp(parts: Parts, config: Config): Promise<BuildOutcome> {
  const { metrics, logger, backbone } = parts;
  if (backbone === undefined) throw new Error("the store is not open");
  const { rules, faults } = loadRetryRules(config.rules.retryPath ?? RETRY_RULES_PATH);
  if (rules === undefined) return { app: undefined, faults };
  const file = fileOf(parts);
  const { destinations, fault } = createDestinations(config, file, destinationParts(parts));
  if (fault !== undefined) return { app: undefined, faults: [fault] };
  const built = await parts.catalogue.build(config);
  if (built.catalogue === undefined) return { app: undefined, faults: built.faults };
  const { catalogue } = built;
  const knowledge = { loaded: catalogue.loaded, rules };
  const kit = createKit(parts, backbone, { config, ...knowledge });
  const routes = createRoutes({
    config,
    kit,
    metrics,
    version: parts.version,
    deliveries: backbone.store,
    take: (group, tenant) => backbone.take(group, tenant),
    isReady: () => !parts.stopping,
    reload: () => reloadNext(parts),
  });
  const app = createApp(routes, logger);
  logger.adjust(config.log);
  parts.current = { config, kit, destinations, lookAgain: createLookAgain(kit, config) };
  announce(parts, config, catalogue);
  return { app, faults: [] };
}

function createKit(
  parts: Parts,
  { store }: Backbone,
  { config, loaded, rules }: { config: Config; loaded: LoadedCatalogue; rules: RetryRules },
): EnrichKit {
  const { lateLooks, metrics, clock, logger, version } = parts;
  const { threshold } = config.match;
  return {
    settings: enrichSettingsOf(config, rules),
    explain: createExplainer({ loaded, redact: redactOptionsOf(config), threshold }),
    records: loaded.store,
    logSource: createLoki(config, { version, clock, counters: metrics.counters, logger }),
    lateLooks: config.loki.late.enabled ? lateLooks : undefined,
    random: () => Math.random(),
    episodes: store,
    history: store,
    counters: metrics.counters,
    clock,
    logger,
  };
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

function announce(parts: Parts, config: Config, catalogue: CatalogueInForce): void {
  const { metrics, clock } = parts;
  parts.catalogue.putIntoForce(catalogue, config, () => {
    void changeRecords(parts, config);
  });
  metrics.destinationsConfigured(config.destinations.map((destination) => destination.name));
  metrics.configReloaded(true, clock.nowMs());
}

/** Builds anew with the configuration in force: files of records changed, or a URL gave new ones. */
function changeRecords(parts: Parts, config: Config): Promise<void> {
  const next = parts.reloading.then(async () => {
    // A reload that came first has read the change already.
    if (parts.stopping || parts.catalogue.configInForce() !== config) return;
    const { app, faults } = await tryBuild(parts, config);
    if (app !== undefined) parts.app = app;
    for (const fault of faults) {
      parts.logger.error({ fault: renderFault(fault) }, "new records not taken, the old ones stay");
    }
  });
  parts.reloading = next;
  return next;
}

function reloadNext(parts: Parts): Promise<readonly string[]> {
  const next = parts.reloading.then(() => reloadOnce(parts));
  parts.reloading = next.catch(() => undefined);
  return next;
}

async function reloadOnce(parts: Parts): Promise<readonly string[]> {
  const { metrics, logger, clock } = parts;
  const outcome = await rebuild(parts);
  if (outcome.app !== undefined) {
    parts.app = outcome.app;
    logger.info({}, "configuration reloaded");
    return [];
  }
  metrics.configReloaded(false, clock.nowMs());
  const sentences = outcome.faults.map(renderFault);
  for (const fault of sentences) logger.error({ fault }, "reload failed, the old state stays");
  return sentences;
}

async function rebuild(parts: Parts): Promise<BuildOutcome> {
  const { config, faults } = loadConfig(parts.options.sources);
  return config === undefined ? { app: undefined, faults } : tryBuild(parts, config);
}

async function tryBuild(parts: Parts, config: Config): Promise<BuildOutcome> {
  try {
    return await buildApp(parts, config);
  } catch (error) {
    parts.logger.error({ error }, "reload broke off");
    const message = "could not be put into force; the log of the service says why";
    return {
      app: undefined,
      faults: [{ file: fileOf(parts), line: undefined, path: "", message }],
    };
  }
}

function createRunning(parts: Parts, config: Config): Service {
  const listening = createListening(() => parts.app);
  return {
    app: listening.app,
    reload: () => reloadNext(parts),
    async listen() {
      const address = await listening.listen(config.web.listenAddress);
      parts.logger.info({ address: address.address, port: address.port }, "listening");
      return address;
    },
    async close() {
      parts.stopping = true;
      parts.catalogue.stop();
      parts.logger.info({}, "stopping");
      await listening.close();
      await parts.backbone?.stop();
      parts.logger.info({}, "stopped");
    },
  };
}
