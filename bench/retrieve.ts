import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { findExcerpt } from "../src/enrich/find-excerpt.ts";
import type { LogKit } from "../src/enrich/find-logs.ts";
import { buildAlert } from "../test/support/build-alert.ts";
import { buildLogSource, buildLokiClient } from "../test/support/build-log-source.ts";
import { createRecordingLogger } from "../test/support/recording-logger.ts";

// Alerts a second whose lines are had from a Loki that answers 1,000 lines after 20 ms. Each alert names
// a pod of its own, so no answer is shared. The baseline is the same number of answers fetched and parsed
// as JSON with as many requests at a time, and nothing more.
const ALERTS = 1_000;
const CONCURRENCY = 32;
const ROUNDS = 3;

const LINES = 1_000;

const loki = fork(path.join(import.meta.dirname, "support/slow-loki.ts"), [String(LINES), "20"], {
  execArgv: ["--import", "tsx"],
});
const [port] = (await once(loki, "message")) as [number];
const url = `http://127.0.0.1:${port}`;

interface Figures {
  readonly perSecond: number;
  /** Of this process alone, so that what else runs on the machine counts little. */
  readonly cpuMs: number;
}

async function spread(work: (index: number) => Promise<void>): Promise<Figures> {
  const startedMs = performance.now();
  const before = process.cpuUsage();
  let next = 0;
  const worker = async () => {
    while (next < ALERTS) await work(next++);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  const { user, system } = process.cpuUsage(before);
  return {
    perSecond: ALERTS / ((performance.now() - startedMs) / 1000),
    cpuMs: (user + system) / 1000 / ALERTS,
  };
}

function createKit(): LogKit {
  const client = buildLokiClient(url, { answerBytesMax: 2 ** 23 });
  return {
    source: buildLogSource(client, { concurrency: CONCURRENCY, queriesPerMinute: 100_000 }),
    settings: {
      plan: {
        annotation: "logql",
        rule: true,
        configured: [],
        byLabels: true,
        errorFilter: "(?i)error",
      },
      range: { forMs: 300_000, lookbackMs: 300_000, lagMs: 10_000, rangeMsMax: 3_600_000 },
      tenant: { tenant: "", allowed: [] },
      ...{ stepsMax: 6, entriesMax: 1_000, bytesMax: 262_144 },
    },
    logger: createRecordingLogger(),
  };
}

const select = {
  logAnnotations: [],
  proseAnnotations: [],
  excerptBytesMax: 262_144,
  excerptLinesMax: 1_000,
};
const situation = { nowNs: 1_773_480_660_000_000_000n, isRepeat: false, tenant: "" };

const rates: Figures[] = [];
const baselines: Figures[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const kit = createKit();
  rates.push(
    await spread(async (index) => {
      const alert = buildAlert({ labels: { alertname: "A", pod: `pod-${index}` } });
      const { excerpt } = await findExcerpt(alert, kit, { situation, select });
      if (excerpt?.entries.length !== LINES) throw new Error("lines are missing");
    }),
  );
  baselines.push(
    await spread(async () => {
      JSON.parse(await (await fetch(`${url}/loki/api/v1/query_range`)).text());
    }),
  );
}
const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[1] ?? 0;
const show = (figures: readonly Figures[]) => {
  const rate = median(figures.map(({ perSecond }) => perSecond));
  const cpuMs = median(figures.map((each) => each.cpuMs));
  return `${Math.round(rate)} alerts/s, ${cpuMs.toFixed(2)} ms of processor time each,`;
};
console.log(
  `retrieve: ${show(rates)} with ${CONCURRENCY} queries at a time, 1,000 lines each after 20 ms`,
);
console.log(`baseline: ${show(baselines)} when the same answers are only fetched and parsed`);
loki.kill();
