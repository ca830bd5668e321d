import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
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

const values = Array.from({ length: 1_000 }, (_, index) => [
  String(1_773_480_660_000_000_000n - BigInt(index) * 1_000_000n),
  `2026-03-14T09:30:59Z ERROR worker ${index} could not reach the object store: timed out after 30 s`,
  {},
]);
const answer = JSON.stringify({
  status: "success",
  data: {
    resultType: "streams",
    encodingFlags: ["categorize-labels"],
    result: [{ stream: { pod: "a" }, values }],
  },
});
const server = createServer((request, response) => {
  const body =
    request.url?.includes("query_range") === true ? answer : '{"status":"success","data":["pod"]}';
  setTimeout(() => response.end(body), 20);
}).listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function spread(work: (index: number) => Promise<void>): Promise<number> {
  const startedMs = performance.now();
  let next = 0;
  const worker = async () => {
    while (next < ALERTS) await work(next++);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return ALERTS / ((performance.now() - startedMs) / 1000);
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

const rates: number[] = [];
const baselines: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const kit = createKit();
  rates.push(
    await spread(async (index) => {
      const alert = buildAlert({ labels: { alertname: "A", pod: `pod-${index}` } });
      const { excerpt } = await findExcerpt(alert, kit, { situation, select });
      if (excerpt?.entries.length !== 1_000) throw new Error("lines are missing");
    }),
  );
  baselines.push(
    await spread(async () => {
      JSON.parse(await (await fetch(`${url}/loki/api/v1/query_range`)).text());
    }),
  );
}
const median = (numbers: number[]) => numbers.sort((left, right) => left - right)[1] ?? 0;
const show = (rate: number) => `${Math.round(rate)} alerts/s`;
console.log(
  `retrieve: ${show(median(rates))} with ${CONCURRENCY} queries at a time, 1,000 lines each after 20 ms`,
);
console.log(
  `baseline: ${show(median(baselines))} when the same answers are only fetched and parsed`,
);
server.closeAllConnections();
server.close();
