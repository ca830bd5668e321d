import { createPackedStore } from "../catalogue/packed-records.ts";
import { bytesOfRecords, watchFiles } from "../catalogue/watch-files.ts";
import { renderFault } from "../config/config-fault.ts";
import type { ConfigFault } from "../config/config-fault.ts";
import type { Config } from "../config/config.ts";
import type { Metrics } from "../count/metrics.ts";
import type { Clock, LoadedCatalogue, Logger } from "../enrich/ports.ts";
import { buildCatalogue } from "./build-catalogue.ts";
import type { BuiltCatalogue } from "./build-catalogue.ts";
import { readCompiled } from "./compiled/compiled-cache.ts";
import { followUrl } from "./follow-urls.ts";
import type { Sync } from "./follow-urls.ts";
import { createHealthBoard } from "./health-board.ts";
import type { HealthBoard } from "./health-board.ts";
import { loadScopes } from "./load-scopes.ts";
import type { RecordsHealth } from "../web/status/records-health.ts";
import { buildInWorker } from "./run-worker.ts";
import type { BuildTask } from "./run-worker.ts";
import { syncRequestsOf } from "./sync-records.ts";
import { compiledCacheOf, recordPlanOf } from "./record-plan.ts";

/** A catalogue that was built, with what the log and metrics say of it. */
export interface CatalogueInForce {
  readonly loaded: LoadedCatalogue;
  readonly built: BuiltCatalogue;
  readonly seconds: number;
}

/** A catalogue, or why the one in force stays. */
export type CatalogueOutcome =
  | { readonly catalogue: CatalogueInForce; readonly faults: readonly [] }
  | { readonly catalogue: undefined; readonly faults: readonly ConfigFault[] };

/** Builds catalogues in a thread of their own and follows what they are made of. */
export interface CatalogueSource {
  /**
   * Builds the catalogue of a configuration. Once one is in force a file that cannot be read at all
   * is a fault, so that the old records stay; at the start the rest is better than nothing.
   */
  build(config: Config): Promise<CatalogueOutcome>;
  /** Shows a catalogue in metrics and log, and begins to follow its files and URLs instead of those before. */
  putIntoForce(catalogue: CatalogueInForce, config: Config, onChange: () => void): void;
  /** The configuration that was put into force last. */
  configInForce(): Config | undefined;
  /** What is wrong with the sources of records now. */
  health(): RecordsHealth;
  stop(): void;
}

/** What a source tells others. */
export interface CatalogueSourceParts {
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly sync: Sync;
}

type Parts = CatalogueSourceParts & { readonly health: HealthBoard };

/** Creates the source of a service's catalogues. */
export function createCatalogueSource(given: CatalogueSourceParts): CatalogueSource {
  const parts = { ...given, health: createHealthBoard() };
  let inForce: Config | undefined;
  let following = new AbortController();
  return {
    build: (config) => build(parts, config, inForce !== undefined),
    putIntoForce(catalogue, config, onChange) {
      announce(parts, catalogue);
      following.abort();
      following = new AbortController();
      inForce = config;
      follow(parts, { config, signal: following.signal, onChange });
    },
    configInForce: () => inForce,
    health: () => parts.health.read(),
    stop() {
      following.abort();
    },
  };
}

async function build(
  { metrics, clock, logger, health }: Parts,
  config: Config,
  isReload: boolean,
): Promise<CatalogueOutcome> {
  const startedAt = clock.nowMs();
  const { scopes, faults: scopeFaults } = loadScopes(config.rules.scopesPath);
  if (scopes === undefined) {
    health.built(scopeFaults);
    return { catalogue: undefined, faults: scopeFaults };
  }
  const built = await buildWhereItFits(
    { plan: recordPlanOf(config), cache: compiledCacheOf(config), isReload },
    logger,
  );
  const nowMs = clock.nowMs();
  const seconds = (nowMs - startedAt) / 1000;
  const faults = isReload ? [...built.faults, ...built.broken] : built.faults;
  health.built([...built.faults, ...built.broken]);
  metrics.catalogueBuilt(faults.length === 0, nowMs, seconds);
  if (faults.length > 0) return { catalogue: undefined, faults };
  for (const fault of built.broken) {
    logger.error({ fault: renderFault(fault) }, "source of records not loaded");
  }
  const store = createPackedStore(built.packed, built.catalogue.datasetVersion);
  const loaded = { catalogue: built.catalogue, store, scopes };
  return { catalogue: { loaded, built, seconds }, faults: [] };
}

/** So much is built within a few milliseconds: less than starting a thread takes. */
const IN_PLACE_BYTES_MAX = 128 * 1024;

async function buildWhereItFits(
  { plan, cache, isReload }: BuildTask & { readonly isReload: boolean },
  logger: Logger,
): Promise<BuiltCatalogue> {
  const paths = plan.sources.map((source) => ("path" in source ? source.path : source.folder));
  const bytes = await bytesOfRecords(paths);
  if (bytes <= IN_PLACE_BYTES_MAX) return buildCatalogue(plan);
  if (!isReload) {
    // Nobody is served yet, so that this thread may read it, which is done before another has begun.
    const kept = await readCompiled(plan, cache);
    logger.debug({ state: kept.state }, "compiled catalogue looked for");
    if (kept.built !== undefined) return kept.built;
    if (kept.state === "broken") {
      logger.warn({ reason: kept.reason }, "compiled catalogue not used, it is built anew");
    }
  }
  return buildInWorker({ plan, cache, isBackground: isReload }, (kept) => {
    if (kept.isKept) logger.debug({ bytes: kept.bytes }, "compiled catalogue kept");
    else {
      const level = kept.isFault ? "warn" : "debug";
      logger[level](
        { reason: kept.reason },
        "compiled catalogue not kept, the next start builds it",
      );
    }
  });
}

function announce({ metrics, logger }: Parts, catalogue: CatalogueInForce): void {
  const { built, seconds } = catalogue;
  const { classes, counts, skipped } = built;
  const { datasetVersion } = built.catalogue;
  metrics.catalogueLoaded({ classes, counts, datasetVersion });
  for (const { file, index, faults } of skipped) {
    const { field, message: reason } = faults[0] ?? { field: "", message: "" };
    logger.warn({ file, index, field, reason }, "record skipped");
  }
  const records = counts.used + counts.vague;
  logger.info({ records, ...counts, datasetVersion, seconds }, "records loaded");
}

function follow(
  parts: Parts,
  {
    config,
    signal,
    onChange,
  }: { readonly config: Config; readonly signal: AbortSignal; readonly onChange: () => void },
): void {
  const { pollIntervalMs, syncIntervalMs: intervalMs } = config.records;
  const { sources, mutePath, overlayPaths } = recordPlanOf(config);
  const files = sources.flatMap((source) => ("path" in source ? [source.path] : []));
  watchFiles(
    [...files, mutePath, ...overlayPaths],
    { intervalMs: pollIntervalMs, signal },
    onChange,
  );
  const requests = syncRequestsOf(config);
  parts.health.followed(requests.map(({ task }) => task.url));
  for (const request of requests) {
    followUrl(request, { ...parts, intervalMs, signal }, onChange);
  }
}
