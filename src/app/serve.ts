import { createServer } from "node:http";
import type { RequestListener, Server, ServerResponse } from "node:http";
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
import { MemoryEpisodeStore } from "../store/memory-episode-store.ts";
import { MemoryLateLooks } from "../store/memory-late-looks.ts";
import { createLogger } from "./create-logger.ts";
import { createLoki } from "./create-loki.ts";
import type { AdjustableLogger } from "./create-logger.ts";
import { createRoutes } from "./create-routes.ts";
import { drain } from "./drain.ts";
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

// Alertmanager keeps idle connections for 5 minutes: whoever closes first risks a lost request.
const KEEP_ALIVE_MS = 310_000;
const EPISODES_MAX = 10_000;
const TICK_MS = 1000;
const STALE_AFTER_MS = 5 * 3_600_000;

/** Composes the service from its configuration. Does not listen yet. */
export async function createService(options: ServeOptions): Promise<ServeOutcome> {
  const { config, faults } = loadConfig(options.sources);
  if (config === undefined) return { service: undefined, faults };
  const parts = createParts(options, config);
  const outcome = await buildApp(parts, config);
  if (outcome.app === undefined) return { service: undefined, faults: outcome.faults };
  parts.current = outcome.app;
  return { service: createListening(parts, config), faults: [] };
}

/** What lives as long as the process, whatever is reloaded. */
interface Parts {
  readonly options: ServeOptions;
  readonly version: string;
  readonly clock: Clock;
  readonly logger: AdjustableLogger;
  readonly metrics: Metrics;
  readonly episodes: MemoryEpisodeStore;
  readonly catalogue: CatalogueSource;
  readonly lateLooks: LateLooks;
  /** Takes the later looks that are due, under the configuration in force. */
  lookAgain: () => Promise<void>;
  current: RequestListener;
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
    episodes: new MemoryEpisodeStore({ episodesMax: EPISODES_MAX, staleAfterMs: STALE_AFTER_MS }),
    lateLooks: new MemoryLateLooks(EPISODES_MAX),
    lookAgain: () => Promise.resolve(),
    current: (_request, response) => {
      response.writeHead(503).end();
    },
    stopping: false,
    reloading: Promise.resolve(),
  };
}

type BuildOutcome =
  | { readonly app: RequestListener; readonly faults: readonly [] }
  | { readonly app: undefined; readonly faults: readonly ConfigFault[] };

/** Builds all that a configuration decides beside what is in force, and touches metrics only at the end. */
async function buildApp(parts: Parts, config: Config): Promise<BuildOutcome> {
  const { metrics, logger } = parts;
  const { rules, faults } = loadRetryRules(config.rules.retryPath ?? RETRY_RULES_PATH);
  if (rules === undefined) return { app: undefined, faults };
  const built = await parts.catalogue.build(config);
  if (built.catalogue === undefined) return { app: undefined, faults: built.faults };
  const { catalogue } = built;
  const kit = createKit(parts, config, { loaded: catalogue.loaded, rules });
  const routes = createRoutes({
    config,
    kit,
    metrics,
    version: parts.version,
    isReady: () => !parts.stopping,
    reload: () => reloadNext(parts),
  });
  const app = createApp(routes, logger);
  logger.adjust(config.log);
  parts.lookAgain = createLookAgain(kit, config);
  announce(parts, config, catalogue);
  return { app, faults: [] };
}

function createKit(
  parts: Parts,
  config: Config,
  { loaded, rules }: { readonly loaded: LoadedCatalogue; readonly rules: RetryRules },
): EnrichKit {
  const { episodes, lateLooks, metrics, clock, logger, version } = parts;
  const { threshold } = config.match;
  return {
    settings: enrichSettingsOf(config, rules),
    explain: createExplainer({ loaded, redact: redactOptionsOf(config), threshold }),
    records: loaded.store,
    logSource: createLoki(config, { version, clock, counters: metrics.counters, logger }),
    lateLooks: config.loki.late.enabled ? lateLooks : undefined,
    random: () => Math.random(),
    episodes,
    history: episodes,
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
    if (app !== undefined) parts.current = app;
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
    parts.current = outcome.app;
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
    const file = parts.options.sources.file ?? "configuration";
    return { app: undefined, faults: [{ file, line: undefined, path: "", message }] };
  }
}

function createListening(parts: Parts, config: Config): Service {
  const inFlight = new Set<ServerResponse>();
  const app: RequestListener = (request, response) => {
    inFlight.add(response);
    response.once("close", () => inFlight.delete(response));
    if (parts.stopping) endConnectionAfter(response);
    parts.current(request, response);
  };
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, app);
  let ticks: NodeJS.Timeout | undefined;
  return {
    app,
    reload: () => reloadNext(parts),
    async listen() {
      const address = await startListening(server, config);
      ticks = setInterval(() => void tick(parts), TICK_MS).unref();
      parts.logger.info({ address: address.address, port: address.port }, "listening");
      return address;
    },
    async close() {
      parts.stopping = true;
      parts.catalogue.stop();
      clearInterval(ticks);
      parts.logger.info({}, "stopping");
      for (const response of inFlight) endConnectionAfter(response);
      await drain(server);
      parts.logger.info({}, "stopped");
    },
  };
}

async function tick({ lookAgain: look, logger }: Parts): Promise<void> {
  try {
    await look();
  } catch (error) {
    logger.error({ error }, "later looks for logs broke off");
  }
}

// A sender that keeps the connection would keep the server from closing.
function endConnectionAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("Connection", "close");
}

function startListening(server: Server, { web: { listenAddress } }: Config): Promise<AddressInfo> {
  const { host, port } = listenAddress;
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      const address = server.address();
      if (typeof address === "object" && address !== null) resolve(address);
    });
  });
}
