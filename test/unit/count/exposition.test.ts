import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import { createEpisodeCounter } from "../../../src/count/episode-counter.ts";
import {
  exposeOpenMetrics,
  exposePlain,
  prefersOpenMetrics,
} from "../../../src/count/exposition.ts";
import { createMetrics } from "../../../src/count/metrics.ts";
import { buildRecord } from "../../support/build-record.ts";
import { createRecordingLogger } from "../../support/recording-logger.ts";

const EPISODE = "ab".repeat(32);
const OPEN = "application/openmetrics-text";

describe("a scraper that sends Accept", () => {
  it.each<readonly [string, string | undefined, boolean]>([
    ["nothing", undefined, false],
    ["an empty text", "", false],
    ["what curl sends", "*/*", false],
    ["what a browser sends", "text/html,application/xhtml+xml,*/*;q=0.8", false],
    [
      "what Prometheus 2.42 sends",
      `${OPEN};version=1.0.0,${OPEN};version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1`,
      true,
    ],
    [
      "what Prometheus 3 sends",
      `${OPEN};version=1.0.0;escaping=allow-utf-8;q=0.6,${OPEN};version=0.0.1;q=0.5,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2`,
      true,
    ],
    ["the plain format alone", "text/plain;version=0.0.4", false],
    ["the plain format first", `text/plain;version=0.0.4,${OPEN};version=1.0.0;q=0.5`, false],
    ["an older OpenMetrics alone", `${OPEN};version=0.0.1`, false],
    ["OpenMetrics of any version", OPEN, true],
    [
      "capitals and blanks",
      "Application/OpenMetrics-Text ; Version=1.0.0 , text/plain;q=0.1",
      true,
    ],
    ["OpenMetrics refused", `${OPEN};version=1.0.0;q=0`, false],
    ["a weight that is none", `${OPEN};version=1.0.0;q=high`, false],
    ["a weight over 1", `${OPEN};version=1.0.0;q=7`, false],
    ["noise", ";;,=,q=1;", false],
  ])("%s gets OpenMetrics: see the table", (_sends, accept, expected) => {
    expect(prefersOpenMetrics(accept)).toBe(expected);
  });
});

/** A registry with one metric of each type. */
function createRegistry(): Registry {
  const register = new Registry();
  const registers = [register];
  const hits = createEpisodeCounter(register, {
    name: "hits_total",
    help: "Hits.",
    labelNames: ["kind"],
  });
  hits.start({ kind: "cold" });
  hits.count({ kind: "warm" }, "cd".repeat(32));
  hits.count({ kind: "warm" }, EPISODE);
  new Counter({ name: "plain_total", help: "No exemplars.", registers }).inc(3);
  new Gauge({ name: "level", help: "A level.", registers }).set(0.5);
  new Histogram({ name: "wait_seconds", help: "Waits.", buckets: [1], registers }).observe(0.25);
  return register;
}

const PLAIN = `# HELP hits_total Hits.
# TYPE hits_total counter
hits_total{kind="cold"} 0
hits_total{kind="warm"} 2

# HELP plain_total No exemplars.
# TYPE plain_total counter
plain_total 3

# HELP level A level.
# TYPE level gauge
level 0.5

# HELP wait_seconds Waits.
# TYPE wait_seconds histogram
wait_seconds_bucket{le="1"} 1
wait_seconds_bucket{le="+Inf"} 1
wait_seconds_sum 0.25
wait_seconds_count 1
`;

const OPEN_METRICS = `# HELP hits Hits.
# TYPE hits counter
hits_total{kind="cold"} 0
hits_total{kind="warm"} 2 # {episode_id="${EPISODE}"} 1 TIME
# HELP plain No exemplars.
# TYPE plain counter
plain_total 3
# HELP level A level.
# TYPE level gauge
level 0.5
# HELP wait_seconds Waits.
# TYPE wait_seconds histogram
wait_seconds_bucket{le="1"} 1
wait_seconds_bucket{le="+Inf"} 1
wait_seconds_sum 0.25
wait_seconds_count 1
# EOF
`;

const withoutTime = (body: string) => body.replace(/1 \d+(?:\.\d+)?$/mu, "1 TIME");

describe("one registry", () => {
  it("is exposed in both formats, at once and in any order, with the same series", async () => {
    const registries = [createRegistry()];
    const [before, open, between] = await Promise.all([
      exposePlain(registries),
      exposeOpenMetrics(registries),
      exposePlain(registries),
    ]);
    const after = await exposePlain(registries);
    const again = await exposeOpenMetrics(registries);
    expect([before.body, between.body, after.body]).toEqual([PLAIN, PLAIN, PLAIN]);
    expect(withoutTime(open.body)).toBe(OPEN_METRICS);
    expect(withoutTime(again.body)).toBe(OPEN_METRICS);
    expect(before.contentType).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(open.contentType).toBe(`${OPEN}; version=1.0.0; charset=utf-8`);
  });

  it("shows in OpenMetrics what was counted and reset after an earlier scrape", async () => {
    const registry = createRegistry();
    await exposeOpenMetrics([registry]);
    const level = registry.getSingleMetric("level");
    const plain = registry.getSingleMetric("plain_total");
    if (!(level instanceof Gauge) || !(plain instanceof Counter)) throw new Error("not there");
    level.reset();
    plain.inc(4);
    const { body } = await exposeOpenMetrics([registry]);
    expect(body).toContain("\nplain_total 7\n");
    expect(body).toContain("\nlevel 0\n");
  });
});

describe("our own metrics in OpenMetrics", () => {
  it("name the last episode behind a recommendation and behind an error, and end in # EOF", async () => {
    const metrics = createMetrics({ version: "1", revision: "a" }, createRecordingLogger());
    metrics.counters.recommended("retry", "cd".repeat(32));
    metrics.counters.recommended("retry", EPISODE);
    metrics.counters.matchedError(buildRecord(1), "retry", EPISODE);
    const { body } = await metrics.expose("openmetrics");
    const told = body.split("\n").filter((line) => line.includes("episode_id"));
    expect(told.map((line) => line.replace(/\S+$/u, "TIME"))).toEqual([
      `alertlore_matched_errors_total{error_class="other",severity="error",decision="retry"} 1 # {episode_id="${EPISODE}"} 1 TIME`,
      `alertlore_recommendations_total{decision="retry"} 2 # {episode_id="${EPISODE}"} 1 TIME`,
    ]);
    expect(body.endsWith("\n# EOF\n")).toBe(true);
    expect(body.match(/^# EOF$/gmu)).toHaveLength(1);
  });

  it("have the samples of the plain format, each of them", async () => {
    const metrics = createMetrics({ version: "1", revision: "a" }, createRecordingLogger());
    metrics.counters.recommended("retry", EPISODE);
    const ours = (body: string) =>
      body
        .split("\n")
        .filter((line) => line.startsWith("alertlore_"))
        .map((line) => line.replace(/ # \{.*$/u, ""));
    const { body } = await metrics.expose("openmetrics");
    const plain = ours((await metrics.expose("plain")).body);
    expect(plain.length).toBeGreaterThan(30);
    expect(ours(body)).toEqual(plain);
  });
});
