import type { RequestListener } from "node:http";
import type { ConfigFault } from "../config/config-fault.ts";
import type { Config } from "../config/config.ts";
import type { ConfigSources } from "../config/load-config.ts";
import { createMetrics } from "../count/metrics.ts";
import type { Metrics } from "../count/metrics.ts";
import type { Clock } from "../enrich/ports.ts";
import { createBackbone } from "./create-backbone.ts";
import type { Backbone, Current } from "./create-backbone.ts";
import { createCatalogueSource } from "./catalogue-source.ts";
import type { CatalogueSource } from "./catalogue-source.ts";
import type { ProxyState } from "./create-proxy.ts";
import { createLogger } from "./create-logger.ts";
import type { AdjustableLogger } from "./create-logger.ts";
import type { Sync } from "./follow-urls.ts";
import { readVersion } from "./installation.ts";
import { syncInWorker } from "./run-worker.ts";
import { systemClock } from "./system-clock.ts";

/** What a service is started with. */
export interface ServeOptions {
  readonly sources: ConfigSources;
  /** Gets each log line with its line feed. */
  readonly writeLog: (line: string) => void;
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** Default: in a thread of its own. */
  readonly sync?: Sync;
}

/** What lives as long as the process, whatever is reloaded. */
export interface ServiceParts {
  readonly options: ServeOptions;
  readonly version: string;
  /** Of the source it was built from; `unknown` unless the environment says it. */
  readonly revision: string;
  readonly clock: Clock;
  readonly logger: AdjustableLogger;
  readonly metrics: Metrics;
  readonly catalogue: CatalogueSource;
  /** `undefined` until a configuration has Alertmanagers to post to. */
  proxy: ProxyState | undefined;
  backbone: Backbone | undefined;
  app: RequestListener;
  current: Current | undefined;
  stopping: boolean;
  /** Reloads run one after the other. */
  reloading: Promise<unknown>;
}

/** Creates what needs no other part; the store is opened by `openBackbone`. */
export function createParts(options: ServeOptions, config: Config): ServiceParts {
  const version = readVersion();
  const logger = createLogger({ ...config.log, write: options.writeLog });
  const clock = options.clock ?? systemClock;
  const revision = options.sources.env["ALERTLORE_REVISION"] ?? "unknown";
  const sync = options.sync ?? syncInWorker;
  const metrics = createMetrics({ version, revision }, logger);
  return {
    options,
    version,
    revision,
    clock,
    logger,
    metrics,
    catalogue: createCatalogueSource({ metrics, logger, clock, sync }),
    proxy: undefined,
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
export async function openBackbone(
  parts: ServiceParts,
  config: Config,
): Promise<ConfigFault | undefined> {
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

/** The file that a fault of the configuration is in. */
export function fileOf({ options }: ServiceParts): string {
  return options.sources.file ?? "configuration";
}
