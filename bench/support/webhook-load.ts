import { createServer } from "node:http";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { ALERTS_PER_GROUP, createBodies } from "./webhook-bodies.ts";

/** What one load gave. */
export interface LoadReport {
  /** Alerts acknowledged, enriched and delivered, by the time until all of that was done. */
  readonly alerts_per_s: number;
  /** Of the acknowledgement. */
  readonly p50_ms: number;
  readonly p99_ms: number;
}

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "" },
    receiver: { type: "string", default: "" },
    seconds: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
    /** Alerts a second, sent whether or not earlier ones were answered; without it 8 connections send one after the other. */
    rate: { type: "string" },
    baseline: { type: "boolean", default: false },
  },
});

const CONNECTIONS = 8;
const DRAIN_LIMIT_MS = 120_000;
let delivered = 0;
// The receiver reads and counts; it looks at no body, for that time would be taken from the program.
const receiver = createServer((incoming, response) => {
  incoming.resume().once("end", () => {
    delivered += 1;
    response.end();
  });
}).listen(Number(values.receiver), "127.0.0.1");

const agent = new Agent({ keepAlive: true });
const latencies: number[] = [];
const nextBody = createBodies(Number(values.seed));

function post(body: string, dueAt: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { agent, method: "POST", port: Number(values.port), path: "/webhook" };
    const outgoing = request({ host: "127.0.0.1", ...options }, (answer) => {
      answer.resume().once("end", () => {
        latencies.push(performance.now() - dueAt);
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`the webhook answered ${answer.statusCode ?? 0}`));
      });
    });
    outgoing.once("error", reject);
    outgoing.end(body);
  });
}

async function closedLoop(untilMs: number): Promise<void> {
  const connection = async () => {
    while (performance.now() < untilMs) await post(nextBody(), performance.now());
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
}

async function openLoop(untilMs: number, alertsPerSecond: number): Promise<void> {
  const everyMs = (ALERTS_PER_GROUP / alertsPerSecond) * 1000;
  const answers: Promise<void>[] = [];
  for (let dueAt = performance.now(); dueAt < untilMs; dueAt += everyMs) {
    const body = nextBody();
    await sleep(Math.max(0, dueAt - performance.now()));
    // From when it was due: a generator that is late itself must not hide a slow answer.
    answers.push(post(body, dueAt));
  }
  await Promise.all(answers);
}

async function untilDrained(groups: number): Promise<void> {
  const giveUpAt = performance.now() + DRAIN_LIMIT_MS;
  for (;;) {
    if (delivered >= groups) return;
    if (performance.now() > giveUpAt) throw new Error(`${delivered} of ${groups} were delivered`);
    await sleep(20);
  }
}

async function deadlines(): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${values.port}/metrics`);
  const found = /alertlore_enrichments_total\{outcome="deadline"\} (\d+)/u.exec(
    await answer.text(),
  );
  return Number(found?.[1] ?? "0");
}

const startedAt = performance.now();
const untilMs = startedAt + Number(values.seconds) * 1000;
if (values.rate === undefined) await closedLoop(untilMs);
else await openLoop(untilMs, Number(values.rate));
if (!values.baseline) {
  await untilDrained(latencies.length);
  if ((await deadlines()) > 0) throw new Error("an alert met its deadline");
}
const seconds = (performance.now() - startedAt) / 1000;
const sorted = latencies.toSorted((a, b) => a - b);
const percentile = (share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
const report: LoadReport = {
  alerts_per_s: (latencies.length * ALERTS_PER_GROUP) / seconds,
  p50_ms: percentile(0.5),
  p99_ms: percentile(0.99),
};
process.stdout.write(JSON.stringify(report));
agent.destroy();
receiver.closeAllConnections();
receiver.close();
