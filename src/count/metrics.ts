import { Registry, collectDefaultMetrics } from "prom-client";
import type { Counters, LoadedCatalogue, Logger } from "../enrich/ports.ts";
import { classOf, isCurated } from "../record/known-error.ts";
import type { CatalogueRecord } from "../record/known-error.ts";
import { DECISIONS } from "../record/recommendation.ts";
import { createMeters } from "./create-meters.ts";
import type { Meters } from "./create-meters.ts";
import { OTHER_CLASS, chooseErrorClasses } from "./error-class-labels.ts";

/** What the running program is; constant labels of `alertlore_build_info`. */
export interface Build {
  readonly version: string;
  readonly revision: string;
}

/** The metrics of one running service: counters for the request path, gauges for what is loaded. */
export interface Metrics {
  readonly counters: Counters;
  /** Fixes the values of `error_class` and starts the combinations of curated records at 0. */
  catalogueLoaded(loaded: LoadedCatalogue, recordsSkipped: number): void;
  /** Starts the combinations of the configured destinations at 0. */
  destinationsConfigured(names: readonly string[]): void;
  configReloaded(successful: boolean, nowMs: number): void;
  /** How much waits for each destination, and how much was given up. */
  outboxDepths(
    depths: readonly { destination: string; state: "pending" | "dead"; count: number }[],
  ): void;
  /** Text exposition, format 0.0.4, of our own metrics followed by those of the process. */
  render(): Promise<string>;
  readonly contentType: string;
}

const DELIVERY_ENDS = ["copy", "replaced", "dropped", "dead"] as const;

/** Creates all metrics in registries of their own, so that several services can live in one process. */
export function createMetrics(build: Build, logger: Logger): Metrics {
  const own = new Registry();
  const runtime = new Registry();
  collectDefaultMetrics({ register: runtime });
  const meters = createMeters(own);
  meters.buildInfo.set({ ...build, nodeversion: process.version }, 1);
  const labels: LabelState = { classes: new Set(), destinations: new Set() };
  const guard = createGuard(logger);
  return {
    counters: createCounters(meters, labels, guard),
    catalogueLoaded(loaded, recordsSkipped) {
      guard(() => {
        setCatalogue(meters, labels, { loaded, recordsSkipped });
      });
    },
    destinationsConfigured(names) {
      guard(() => {
        labels.destinations = new Set(names);
        for (const destination of names) {
          for (const result of ["success", "failure"]) {
            meters.deliveries.inc({ destination, result }, 0);
          }
          for (const how of DELIVERY_ENDS) meters.deliveryEnds.inc({ destination, how }, 0);
          meters.templateFailures.inc({ destination }, 0);
        }
      });
    },
    outboxDepths(depths) {
      guard(() => {
        setDepths(meters, labels, depths);
      });
    },
    configReloaded(successful, nowMs) {
      meters.reloadSuccessful.set(successful ? 1 : 0);
      if (successful) meters.reloadSuccessSeconds.set(nowMs / 1000);
    },
    render: async () => `${await own.metrics()}\n${await runtime.metrics()}`,
    contentType: own.contentType,
  };
}

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

function createCounters(meters: Meters, labels: LabelState, guard: Guard): Counters {
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
    matchedError(entry, decision) {
      guard(() => {
        meters.matched.inc({ ...classLabels(entry, labels.classes), decision });
      });
    },
    delivered(destination, result, seconds) {
      guard(() => {
        const known = labels.destinations.has(destination) ? destination : "other";
        meters.deliveries.inc({ destination: known, result });
        meters.deliverySeconds.observe({ destination: known }, seconds);
      });
    },
    deliveryEnded(destination, how) {
      guard(() => {
        const known = labels.destinations.has(destination) ? destination : "other";
        meters.deliveryEnds.inc({ destination: known, how });
      });
    },
    templateFailed(destination) {
      guard(() => {
        const known = labels.destinations.has(destination) ? destination : "other";
        meters.templateFailures.inc({ destination: known });
      });
    },
    storeFailed(answer) {
      guard(() => {
        meters.storeFailures.inc({ answer });
      });
    },
  };
}

function setDepths(
  meters: Meters,
  labels: LabelState,
  depths: readonly { destination: string; state: "pending" | "dead"; count: number }[],
): void {
  const found = new Map(
    depths.map((depth) => [`${depth.state} ${depth.destination}`, depth.count]),
  );
  for (const destination of labels.destinations) {
    meters.pendingDeliveries.set({ destination }, found.get(`pending ${destination}`) ?? 0);
    meters.deadDeliveries.set({ destination }, found.get(`dead ${destination}`) ?? 0);
  }
}

function classLabels(
  entry: CatalogueRecord,
  classes: ReadonlySet<string>,
): { error_class: string; severity: string } {
  const name = classOf(entry.record);
  return {
    error_class: classes.has(name) ? name : OTHER_CLASS,
    severity: entry.record.severity,
  };
}

function setCatalogue(
  meters: Meters,
  labels: LabelState,
  { loaded, recordsSkipped }: { loaded: LoadedCatalogue; recordsSkipped: number },
): void {
  const before = labels.classes;
  labels.classes = chooseErrorClasses(loaded.store.records());
  removeClasses(
    meters,
    [...before].filter((name) => !labels.classes.has(name)),
  );
  meters.recordsLoaded.set(loaded.store.size);
  meters.recordsSkipped.set(recordsSkipped);
  meters.recordsVague.set(loaded.catalogue.vague.length);
  for (const entry of loaded.store.records()) {
    if (!isCurated(entry)) continue;
    for (const decision of DECISIONS) {
      meters.matched.inc({ ...classLabels(entry, labels.classes), decision }, 0);
    }
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
