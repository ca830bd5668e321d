import { describe, expect, it } from "vitest";
import type { CatalogueSummary } from "../../../src/count/catalogue-metrics.ts";
import { chooseErrorClasses, summarizeClasses } from "../../../src/count/error-class-labels.ts";
import { createMetrics } from "../../../src/count/metrics.ts";
import type { Metrics } from "../../../src/count/metrics.ts";
import type { CatalogueRecord } from "../../../src/record/known-error.ts";
import { buildRecord } from "../../support/build-record.ts";
import { createRecordingLogger } from "../../support/recording-logger.ts";

const build = { version: "1.2.3", revision: "abc1234" };

function createFilled(records: readonly CatalogueRecord[]): Metrics {
  const metrics = createMetrics(build, createRecordingLogger());
  metrics.catalogueLoaded(summaryOf(records));
  return metrics;
}

function summaryOf(records: readonly CatalogueRecord[], datasetVersion = ""): CatalogueSummary {
  return {
    classes: summarizeClasses(records),
    counts: { used: records.length - 1, vague: 1, muted: 2, overridden: 4, skipped: 3 },
    datasetVersion,
  };
}

const EPISODE = "ab".repeat(32);

const renderPlain = async (metrics: Metrics) => (await metrics.expose("plain")).body;

/** The samples of one metric, in their order. */
async function samplesOf(metrics: Metrics, name: string): Promise<string[]> {
  const lines = (await renderPlain(metrics)).split("\n");
  return lines.filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
}

describe("error_class", () => {
  it("takes curated classes first, then those with more records, then by name", () => {
    const records = [
      buildRecord(1, { origin: "dataset", errorClass: "Many" }),
      buildRecord(2, { origin: "dataset", errorClass: "Many" }),
      buildRecord(3, { origin: "dataset", errorClass: "Beta" }),
      buildRecord(4, { origin: "dataset", errorClass: "Alpha" }),
      buildRecord(5, { origin: "starter", errorClass: "Curated" }),
    ];
    expect([...chooseErrorClasses(records, 3)]).toEqual(["Curated", "Many", "Alpha"]);
    expect([...chooseErrorClasses(records.toReversed(), 3)]).toEqual(["Curated", "Many", "Alpha"]);
  });

  it("never has more than 200 values besides other", () => {
    const records = Array.from({ length: 500 }, (_, index) =>
      buildRecord(index, { errorClass: `Class${index}` }),
    );
    expect(chooseErrorClasses(records).size).toBe(200);
  });

  it("is other for a class that found no place", async () => {
    const known = Array.from({ length: 200 }, (_, index) =>
      buildRecord(index, { errorClass: `Class${index}` }),
    );
    const extra = buildRecord(999, { origin: "dataset", errorClass: "Rare" });
    const metrics = createFilled([...known, extra]);
    metrics.counters.matchedError(extra, "investigate", EPISODE);
    const samples = await samplesOf(metrics, "alertlore_matched_errors_total");
    expect(samples.filter((sample) => !sample.endsWith(" 0"))).toEqual([
      'alertlore_matched_errors_total{error_class="other",severity="error",decision="investigate"} 1',
    ]);
  });

  it("starts every combination of curated records at 0, and none of the others", async () => {
    const metrics = createFilled([
      buildRecord(1, { errorClass: "Curated", severity: "critical" }),
      buildRecord(2, { origin: "dataset", errorClass: "Upstream" }),
    ]);
    const samples = await samplesOf(metrics, "alertlore_matched_errors_total");
    expect(samples).toEqual(
      ["retry", "retry_after_fix", "do_not_retry", "investigate"].map(
        (decision) =>
          `alertlore_matched_errors_total{error_class="Curated",severity="critical",decision="${decision}"} 0`,
      ),
    );
  });

  it("loses the series of a class that a new catalogue does not name", async () => {
    const metrics = createFilled([buildRecord(1, { errorClass: "Old" })]);
    metrics.catalogueLoaded(summaryOf([buildRecord(1, { errorClass: "New" })]));
    const samples = (await samplesOf(metrics, "alertlore_matched_errors_total")).join("\n");
    expect(samples).toContain('"New"');
    expect(samples).not.toContain('"Old"');
  });

  it("escapes a class that would end the line", async () => {
    const metrics = createFilled([buildRecord(1, { errorClass: 'a"\nforged 1' })]);
    expect(await renderPlain(metrics)).not.toMatch(/^forged/mu);
  });
});

describe("alertlore_episodes_firing", () => {
  const firing = (metrics: Metrics) => samplesOf(metrics, "alertlore_episodes_firing");
  const known = () => createFilled([buildRecord(1, { errorClass: "Curated" })]);

  it("shows curated classes at 0 and every class without a place as one other", async () => {
    const metrics = known();
    metrics.episodesFiring([
      { errorClass: "Rare", episodes: 2 },
      { errorClass: 'Ra"re', episodes: 3 },
    ]);
    expect(await firing(metrics)).toEqual([
      'alertlore_episodes_firing{error_class="Curated"} 0',
      'alertlore_episodes_firing{error_class="other"} 5',
    ]);
  });

  it("replaces what it showed, and shows nothing where another replica reports", async () => {
    const metrics = known();
    expect(await firing(metrics)).toEqual([]);
    metrics.episodesFiring([{ errorClass: "Curated", episodes: 7 }]);
    metrics.episodesFiring([{ errorClass: "Curated", episodes: 4 }]);
    expect(await firing(metrics)).toEqual(['alertlore_episodes_firing{error_class="Curated"} 4']);
    metrics.episodesFiring(undefined);
    expect(await firing(metrics)).toEqual([]);
  });
});

/** As many values as no label may ever have. */
const FLOOD = 10_000;

describe("a flood of 10,000 values", () => {
  it("leaves the series of every metric bounded, whatever comes from outside", async () => {
    const records = Array.from({ length: FLOOD }, (_, index) =>
      buildRecord(index, { origin: "dataset", errorClass: `Class${index}` }),
    );
    const metrics = createFilled(records);
    metrics.destinationsConfigured(["pager"]);
    metrics.upstreamsConfigured(["am"]);
    const { counters } = metrics;
    for (const [index, record] of records.entries()) {
      const name = `outside-${index}`;
      const episode = index.toString(16).padStart(64, "0");
      counters.matchedError(record, "investigate", episode);
      counters.recommended("investigate", episode);
      counters.delivered(name, "success", 0.1);
      counters.deliveryEnded(name, "dead");
      counters.templateFailed(name);
      counters.proxyForwarded(name, "success", 0.1);
      counters.alertReceived(name, "firing");
    }
    metrics.episodesFiring(
      records.map((_, index) => ({ errorClass: `Class${index}`, episodes: 1 })),
    );
    metrics.outboxDepths(
      records.map((_, index) => ({ destination: `d${index}`, state: "pending", count: 1 })),
    );
    for (let index = 0; index < 20; index += 1) {
      metrics.catalogueLoaded(summaryOf([], `2026-08-${10 + index}T00:00:00.000Z`));
    }
    metrics.catalogueLoaded(summaryOf(records, "2026-08-30T00:00:00.000Z"));
    const series = new Map<string, number>();
    for (const line of (await renderPlain(metrics)).split("\n")) {
      const name = /^(alertlore_\w+)/u.exec(line)?.[1];
      if (name !== undefined) series.set(name, (series.get(name) ?? 0) + 1);
    }
    expect(series.get("alertlore_episodes_firing")).toBe(201);
    expect(series.get("alertlore_dataset_info")).toBe(1);
    expect(series.get("alertlore_deliveries_total")).toBe(3);
    const most = [...series].filter(
      ([name]) => !/^alertlore_(?:matched_errors_total|episodes_firing)$/u.test(name),
    );
    expect(most.filter(([, count]) => count > 40)).toEqual([]);
    expect(series.get("alertlore_matched_errors_total")).toBeLessThanOrEqual(201 * 16);
  });

  it("is real: prom-client itself bounds nothing", async () => {
    const metrics = createFilled([]);
    const names = Array.from({ length: FLOOD }, (_, index) => `d${index}`);
    metrics.destinationsConfigured(names);
    expect((await samplesOf(metrics, "alertlore_template_failures_total")).length).toBe(FLOOD);
  });
});

describe("other metrics", () => {
  it("shows what was loaded", async () => {
    const metrics = createFilled([buildRecord(1), buildRecord(2, { errorMessage: "{}: {}" })]);
    const text = await renderPlain(metrics);
    expect(text).toContain("\nalertlore_records_loaded 2\n");
    expect(text).toContain("\nalertlore_records_skipped 3\n");
    expect(text).toContain("\nalertlore_records_vague 1\n");
    expect(text).toContain(
      `alertlore_build_info{version="1.2.3",revision="abc1234",nodeversion="${process.version}"} 1`,
    );
  });

  it("shows the dataset in force and forgets the one before", async () => {
    const metrics = createFilled([]);
    metrics.catalogueLoaded(summaryOf([], "2026-08-02T00:00:00.000Z"));
    metrics.catalogueLoaded(summaryOf([], "2026-08-03T00:00:00.000Z"));
    expect(await samplesOf(metrics, "alertlore_dataset_info")).toEqual([
      'alertlore_dataset_info{version="2026-08-03T00:00:00.000Z"} 1',
    ]);
    const seconds = Date.parse("2026-08-03T00:00:00.000Z") / 1000;
    expect(await samplesOf(metrics, "alertlore_dataset_timestamp_seconds")).toEqual([
      `alertlore_dataset_timestamp_seconds ${seconds}`,
    ]);
    expect(await samplesOf(metrics, "alertlore_catalogue_records")).toContain(
      'alertlore_catalogue_records{state="overridden"} 4',
    );
  });

  it("keeps the time of the last good build and sync when later ones fail", async () => {
    const metrics = createFilled([]);
    metrics.catalogueBuilt(true, 1_700_000_000_000, 1.5);
    metrics.catalogueBuilt(false, 1_800_000_000_000, 2.5);
    metrics.catalogueSynced("unchanged", 1_700_000_000_000);
    metrics.catalogueSynced("failure", 1_800_000_000_000);
    const text = await renderPlain(metrics);
    for (const sample of [
      "alertlore_catalogue_last_reload_successful 0",
      "alertlore_catalogue_last_reload_success_timestamp_seconds 1700000000",
      "alertlore_catalogue_build_duration_seconds 2.5",
      "alertlore_catalogue_last_sync_success_timestamp_seconds 1700000000",
      'alertlore_catalogue_syncs_total{result="failure"} 1',
      'alertlore_catalogue_syncs_total{result="updated"} 0',
    ]) {
      expect(text).toContain(`\n${sample}\n`);
    }
  });

  it("starts known outcomes, reasons and destinations at 0", async () => {
    const metrics = createFilled([]);
    metrics.destinationsConfigured(["pager"]);
    const text = await renderPlain(metrics);
    expect(text).toContain('alertlore_alerts_received_total{status="firing"} 0');
    expect(text).toContain('alertlore_alerts_rejected_total{reason="too_large"} 0');
    expect(text).toContain('alertlore_enrichments_total{outcome="deadline"} 0');
    expect(text).toContain('alertlore_deliveries_total{destination="pager",result="failure"} 0');
  });

  it("counts deliveries to a destination that is no longer configured as other", async () => {
    const metrics = createFilled([]);
    metrics.destinationsConfigured(["pager"]);
    metrics.counters.delivered("gone", "success", 0.1);
    expect(await samplesOf(metrics, "alertlore_deliveries_total")).toContain(
      'alertlore_deliveries_total{destination="other",result="success"} 1',
    );
  });

  it("keeps the time of the last good reload when a later one fails", async () => {
    const metrics = createFilled([]);
    metrics.configReloaded(true, 1_700_000_000_000);
    metrics.configReloaded(false, 1_800_000_000_000);
    const text = await renderPlain(metrics);
    expect(text).toContain("alertlore_config_last_reload_successful 0");
    expect(text).toContain("alertlore_config_last_reload_success_timestamp_seconds 1700000000\n");
  });

  it("logs once, and never throws, when a value cannot be recorded", () => {
    const logger = createRecordingLogger();
    const { counters } = createMetrics(build, logger);
    const wrong = "fast" as unknown as number;
    counters.enriched("matched", wrong);
    counters.enriched("matched", wrong);
    expect(logger.lines.map((line) => line.level)).toEqual(["error"]);
  });

  it("ends in a line feed and names every metric once", async () => {
    const text = await renderPlain(createFilled([buildRecord(1)]));
    const names = text.match(/^# TYPE \S+/gmu) ?? [];
    expect(text.endsWith("\n")).toBe(true);
    expect(new Set(names).size).toBe(names.length);
  });
});
