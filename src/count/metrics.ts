import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";
import { OUTCOMES } from "../enrich/outcome.ts";
import type { Counters, Logger } from "../enrich/ports.ts";
import type { FiringClass } from "../enrich/reading-ports.ts";
import { DECISIONS } from "../record/recommendation.ts";
import { createCatalogueMeters } from "./catalogue-metrics.ts";
import type { CatalogueMeters, CatalogueSummary, SyncResult } from "./catalogue-metrics.ts";
import { classLabels } from "./error-class-labels.ts";
import type { ErrorClassSummary } from "./error-class-labels.ts";
import { createEpisodeCounter } from "./episode-counter.ts";
import { createEpisodeMeters } from "./episode-meters.ts";
import type { EpisodeMeters } from "./episode-meters.ts";
import { exposeOpenMetrics, exposePlain } from "./exposition.ts";
import type { Exposition } from "./exposition.ts";
import { createLokiMeters } from "./loki-meters.ts";
import { createOutboxMeters } from "./outbox-meters.ts";
import type { OutboxDepths, OutboxMeters } from "./outbox-meters.ts";
import { createProxyMeters } from "./proxy-meters.ts";
import type { ProxyMeters } from "./proxy-meters.ts";
import { createRegionMeters } from "./region-meters.ts";

/** What the running program is; constant labels of `alertlore_build_info`. */
export interface Build {
  readonly version: string;
  readonly revision: string;
}

/** The metrics of one running service: counters for the request path, gauges for what is loaded. */
export interface Metrics {
  readonly counters: Counters;
  /** Fixes the values of `error_class` and starts the combinations of curated records at 0. */
  catalogueLoaded(summary: CatalogueSummary): void;
  /** The last build: whether its catalogue came into force, and how long it took. */
  catalogueBuilt(successful: boolean, nowMs: number, seconds: number): void;
  /** A URL was asked for new records. */
  catalogueSynced(result: SyncResult, nowMs: number): void;
  /** Starts the combinations of the configured destinations at 0. */
  destinationsConfigured(names: readonly string[]): void;
  /** Starts the combinations of the configured Alertmanagers at 0. */
  upstreamsConfigured(names: readonly string[]): void;
  configReloaded(successful: boolean, nowMs: number): void;
  /** How much waits for each destination, and how much was given up. */
  outboxDepths(depths: OutboxDepths): void;
  /** Open episodes by class; `undefined` where another replica reports them. */
  episodesFiring(classes: readonly FiringClass[] | undefined): void;
  /** Our own metrics followed by those of the process. */
  expose(format: "plain" | "openmetrics"): Promise<Exposition>;
}

const REJECT_REASONS = ["invalid_alert", "invalid_group", "too_large", "unauthorized"] as const;
const ENRICHMENT_BUCKETS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
];

/** Creates all metrics in registries of their own, so that several services can live in one process. */
export function createMetrics(build: Build, logger: Logger): Metrics {
  const own = new Registry();
  const runtime = new Registry();
  collectDefaultMetrics({ register: runtime });
  const meters = createMeters(own);
  const catalogue = createCatalogueMeters([own]);
  const outbox = createOutboxMeters(own);
  const proxy = createProxyMeters(own);
  const episodes = createEpisodeMeters(own);
  meters.buildInfo.set({ ...build, nodeversion: process.version }, 1);
  const labels: LabelState = { classes: new Set(), destinations: new Set() };
  const guard = createGuard(logger);
  return {
    counters: {
      ...createCounters(meters, labels, guard),
      ...createLokiMeters(own),
      ...createRegionMeters(own),
      ...outbox.counters,
      ...proxy.counters,
      ...episodes.counters,
    },
    catalogueLoaded(summary) {
      guard(() => {
        catalogue.loaded(summary);
        setClasses(meters, labels, summary.classes);
        episodes.classesChosen(summary.classes);
      });
    },
    ...createGaugeSetters({ catalogue, outbox, proxy, episodes }),
    destinationsConfigured(names) {
      guard(() => {
        labels.destinations = new Set(names);
        outbox.destinationsConfigured(names);
        for (const destination of names) {
          for (const result of ["success", "failure"]) {
            meters.deliveries.inc({ destination, result }, 0);
          }
        }
      });
    },
    configReloaded(successful, nowMs) {
      meters.reloadSuccessful.set(successful ? 1 : 0);
      if (successful) meters.reloadSuccessSeconds.set(nowMs / 1000);
    },
    expose: (format) => {
      const expose = format === "plain" ? exposePlain : exposeOpenMetrics;
      return expose([own, runtime]);
    },
  };
}

/** What is handed on as it comes. */
function createGaugeSetters(meters: {
  readonly catalogue: CatalogueMeters;
  readonly outbox: OutboxMeters;
  readonly proxy: ProxyMeters;
  readonly episodes: EpisodeMeters;
}): Pick<
  Metrics,
  "catalogueBuilt" | "catalogueSynced" | "upstreamsConfigured" | "outboxDepths" | "episodesFiring"
> {
  const { catalogue, outbox, proxy, episodes } = meters;
  return {
    catalogueBuilt: (...built) => {
      catalogue.built(...built);
    },
    catalogueSynced: (...synced) => {
      catalogue.synced(...synced);
    },
    upstreamsConfigured: (names) => {
      proxy.upstreamsConfigured(names);
    },
    outboxDepths: (depths) => {
      outbox.depths(depths);
    },
    episodesFiring: (classes) => {
      episodes.firing(classes);
    },
  };
}

type Meters = ReturnType<typeof createMeters>;
type Guard = (record: () => void) => void;

interface LabelState {
  classes: ReadonlySet<string>;
  destinations: ReadonlySet<string>;
}

// prom-client throws on a label it does not know. A metric is never worth an alert, so the request
// path goes on and the log says once per sentence what was wrong.
function createGuard(logger: Logger): Guard {
  const said = new Set<string>();
  return (record) => {
    try {
      record();
    } catch (error) {
      const reason = error instanceof Error ? error.message : "unknown";
      if (said.has(reason) || said.size >= 100) return;
      said.add(reason);
      logger.error({ reason }, "a metric could not be recorded");
    }
  };
}

function createCounters(
  meters: Meters,
  labels: LabelState,
  guard: Guard,
): Pick<Counters, "alertReceived" | "alertRejected" | "enriched" | "matchedError" | "delivered"> {
  return {
    alertReceived(_source, status) {
      guard(() => {
        meters.received.inc({ status });
      });
    },
    alertRejected(reason) {
      guard(() => {
        meters.rejected.inc({ reason });
      });
    },
    enriched(outcome, seconds) {
      guard(() => {
        meters.enrichments.inc({ outcome });
        meters.enrichmentSeconds.observe(seconds);
      });
    },
    matchedError(entry, decision, episodeId) {
      guard(() => {
        meters.matched.count({ ...classLabels(entry, labels.classes), decision }, episodeId);
      });
    },
    delivered(destination, result, seconds) {
      guard(() => {
        const known = labels.destinations.has(destination) ? destination : "other";
        meters.deliveries.inc({ destination: known, result });
        meters.deliverySeconds.observe({ destination: known }, seconds);
      });
    },
  };
}

function setClasses(meters: Meters, labels: LabelState, classes: ErrorClassSummary): void {
  const before = labels.classes;
  labels.classes = new Set(classes.names);
  removeClasses(
    meters,
    [...before].filter((name) => !labels.classes.has(name)),
  );
  for (const pair of classes.curated) {
    for (const decision of DECISIONS) meters.matched.start({ ...pair, decision });
  }
}

// Without this every reload could add 200 more series for the life of the process.
function removeClasses(meters: Meters, names: readonly string[]): void {
  for (const error_class of names) {
    for (const severity of ["critical", "error", "warning", "info"]) {
      for (const decision of DECISIONS) meters.matched.remove({ error_class, severity, decision });
    }
  }
}

function createMeters(register: Registry) {
  const registers = [register];
  const meters = {
    matched: createEpisodeCounter(register, {
      name: "alertlore_matched_errors_total",
      help: "Firings whose primary match is a known error, each counted once.",
      labelNames: ["error_class", "severity", "decision"],
    }),
    received: new Counter({
      name: "alertlore_alerts_received_total",
      help: "Alerts taken from senders.",
      labelNames: ["status"] as const,
      registers,
    }),
    rejected: new Counter({
      name: "alertlore_alerts_rejected_total",
      help: "Alerts, or whole notifications, that were refused.",
      labelNames: ["reason"] as const,
      registers,
    }),
    enrichments: new Counter({
      name: "alertlore_enrichments_total",
      help: "Alerts by what became of them.",
      labelNames: ["outcome"] as const,
      registers,
    }),
    deliveries: new Counter({
      name: "alertlore_deliveries_total",
      help: "Notifications handed to destinations, each try counted.",
      labelNames: ["destination", "result"] as const,
      registers,
    }),
    ...createHistograms(registers),
    ...createGauges(registers),
  };
  for (const status of ["firing", "resolved"]) meters.received.inc({ status }, 0);
  for (const reason of REJECT_REASONS) meters.rejected.inc({ reason }, 0);
  for (const outcome of OUTCOMES) meters.enrichments.inc({ outcome }, 0);
  return meters;
}

function createHistograms(registers: Registry[]) {
  return {
    enrichmentSeconds: new Histogram({
      name: "alertlore_enrichment_duration_seconds",
      help: "Time to work out one alert's enrichment.",
      buckets: ENRICHMENT_BUCKETS,
      registers,
    }),
    deliverySeconds: new Histogram({
      name: "alertlore_delivery_duration_seconds",
      help: "Time to hand one notification to a destination, for one try.",
      labelNames: ["destination"] as const,
      registers,
    }),
  };
}

function createGauges(registers: Registry[]) {
  return {
    buildInfo: new Gauge({
      name: "alertlore_build_info",
      help: "Constant 1, with the build in its labels.",
      labelNames: ["version", "revision", "nodeversion"] as const,
      registers,
    }),
    reloadSuccessful: new Gauge({
      name: "alertlore_config_last_reload_successful",
      help: "Whether the last attempt to load the configuration succeeded.",
      registers,
    }),
    reloadSuccessSeconds: new Gauge({
      name: "alertlore_config_last_reload_success_timestamp_seconds",
      help: "When the configuration was last loaded successfully.",
      registers,
    }),
  };
}
