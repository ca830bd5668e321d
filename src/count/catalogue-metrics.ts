import { Counter, Gauge } from "prom-client";
import type { Registry } from "prom-client";
import type { ErrorClassSummary } from "./error-class-labels.ts";

/** What metrics say of the catalogue in force. */
export interface CatalogueSummary {
  readonly classes: ErrorClassSummary;
  /** Records by what became of them. */
  readonly counts: Readonly<Record<(typeof FATES)[number], number>>;
  /** Empty without a dataset. */
  readonly datasetVersion: string;
}

/** What asking a URL for something new came to. */
export type SyncResult = "updated" | "unchanged" | "failure";

const FATES = ["used", "vague", "muted", "overridden", "skipped"] as const;
const SYNC_RESULTS: readonly SyncResult[] = ["updated", "unchanged", "failure"];

/** The gauges of the catalogue and of the datasets it is made of. */
export interface CatalogueMeters {
  loaded(summary: CatalogueSummary): void;
  /** The last build: whether its catalogue came into force, and how long it took. */
  built(successful: boolean, nowMs: number, seconds: number): void;
  synced(result: SyncResult, nowMs: number): void;
}

/** Registers the metrics of the catalogue. */
export function createCatalogueMeters(registers: Registry[]): CatalogueMeters {
  const meters = createMeters(registers);
  for (const result of SYNC_RESULTS) meters.syncs.inc({ result }, 0);
  return {
    loaded({ counts, datasetVersion }) {
      meters.loaded.set(counts.used + counts.vague);
      meters.skipped.set(counts.skipped);
      meters.vague.set(counts.vague);
      for (const state of FATES) meters.records.set({ state }, counts[state]);
      meters.dataset.reset();
      meters.datasetTime.remove();
      if (datasetVersion === "") return;
      meters.dataset.set({ version: datasetVersion }, 1);
      const timeMs = Date.parse(datasetVersion);
      if (!Number.isNaN(timeMs)) meters.datasetTime.set(timeMs / 1000);
    },
    built(successful, nowMs, seconds) {
      meters.successful.set(successful ? 1 : 0);
      meters.seconds.set(seconds);
      if (successful) meters.successTime.set(nowMs / 1000);
    },
    synced(result, nowMs) {
      meters.syncs.inc({ result });
      if (result !== "failure") meters.syncTime.set(nowMs / 1000);
    },
  };
}

function createMeters(registers: Registry[]) {
  const gauge = (name: string, help: string): Gauge => new Gauge({ name, help, registers });
  return {
    loaded: gauge("alertlore_records_loaded", "Known-error records in the catalogue."),
    skipped: gauge(
      "alertlore_records_skipped",
      "Records that broke the schema and were left out at the last load.",
    ),
    vague: gauge("alertlore_records_vague", "Loaded records whose message is too vague to match."),
    records: new Gauge({
      name: "alertlore_catalogue_records",
      help: "Records that were found, by what became of them.",
      labelNames: ["state"] as const,
      registers,
    }),
    successful: gauge(
      "alertlore_catalogue_last_reload_successful",
      "Whether the catalogue built last is the one in force.",
    ),
    successTime: gauge(
      "alertlore_catalogue_last_reload_success_timestamp_seconds",
      "When the catalogue in force was put into force.",
    ),
    seconds: gauge(
      "alertlore_catalogue_build_duration_seconds",
      "How long the last build of the catalogue took, loading included.",
    ),
    dataset: new Gauge({
      name: "alertlore_dataset_info",
      help: "Constant 1, with the version of the dataset in force in its label.",
      labelNames: ["version"] as const,
      registers,
    }),
    datasetTime: gauge(
      "alertlore_dataset_timestamp_seconds",
      "When the dataset in force was exported.",
    ),
    syncs: new Counter({
      name: "alertlore_catalogue_syncs_total",
      help: "Times that a URL was asked for new records.",
      labelNames: ["result"] as const,
      registers,
    }),
    syncTime: gauge(
      "alertlore_catalogue_last_sync_success_timestamp_seconds",
      "When a URL last answered well.",
    ),
  };
}
