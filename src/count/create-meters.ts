import { Counter, Gauge, Histogram } from "prom-client";
import type { Registry } from "prom-client";
import { OUTCOMES } from "../enrich/outcome.ts";

/** Every metric of our own. */
export type Meters = ReturnType<typeof createMeters>;

const REJECT_REASONS = ["invalid_alert", "invalid_group", "too_large", "unauthorized"] as const;
const ENRICHMENT_BUCKETS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
];

/** Registers them, those with a fixed set of labels at 0. */
// eslint-disable-next-line @typescript-eslint/explicit-module-boundary-types -- the type is the list itself
export function createMeters(register: Registry) {
  const registers = [register];
  const meters = {
    matched: new Counter({
      name: "alertlore_matched_errors_total",
      help: "Firings whose primary match is a known error, each counted once.",
      labelNames: ["error_class", "severity", "decision"] as const,
      registers,
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
      help: "Notifications handed to destinations, retries within one notification not counted.",
      labelNames: ["destination", "result"] as const,
      registers,
    }),
    deliveryEnds: new Counter({
      name: "alertlore_deliveries_ended_total",
      help: "Notifications that needed no sending, or could have none.",
      labelNames: ["destination", "how"] as const,
      registers,
    }),
    templateFailures: new Counter({
      name: "alertlore_template_failures_total",
      help: "Text templates that broke, so that the default text went out.",
      labelNames: ["destination"] as const,
      registers,
    }),
    storeFailures: new Counter({
      name: "alertlore_store_failures_total",
      help: "Notifications that the store could not take.",
      labelNames: ["answer"] as const,
      registers,
    }),
    ...createHistograms(registers),
    ...createGauges(registers),
  };
  for (const answer of ["refused", "passed_through"]) meters.storeFailures.inc({ answer }, 0);
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
      help: "Time to hand one notification to a destination, retries included.",
      labelNames: ["destination"] as const,
      registers,
    }),
  };
}

function createGauges(registers: Registry[]) {
  return {
    pendingDeliveries: new Gauge({
      name: "alertlore_deliveries_pending",
      help: "Notifications that wait for a destination.",
      labelNames: ["destination"] as const,
      registers,
    }),
    deadDeliveries: new Gauge({
      name: "alertlore_deliveries_dead",
      help: "Notifications that were given up and can be sent again.",
      labelNames: ["destination"] as const,
      registers,
    }),
    recordsLoaded: new Gauge({
      name: "alertlore_records_loaded",
      help: "Known-error records in the catalogue.",
      registers,
    }),
    recordsSkipped: new Gauge({
      name: "alertlore_records_skipped",
      help: "Records that broke the schema and were left out at the last load.",
      registers,
    }),
    recordsVague: new Gauge({
      name: "alertlore_records_vague",
      help: "Loaded records whose message is too vague to match.",
      registers,
    }),
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
