/**
 * What the proxy costs beside posting straight to Alertmanager: usage: npm run -s bench -- proxy [--json]
 * [--seconds 5] [--rounds 3]
 *
 * 16 batches of 64 alerts, the same annotated bodies both ways, over 4 connections, turn about: straight to
 * a real Alertmanager, then through Alertlore to the same one. Every alert is explained before it begins, as
 * on all re-sends but the first.
 */
import { execFileSync } from "node:child_process";
import { Agent, request } from "node:http";
import path from "node:path";
import { parseArgs } from "node:util";
import { buildRecord } from "../test/support/build-record.ts";
import { KNOWN_LINE } from "../test/support/create-kit.ts";
import { findBinary } from "../test/support/require-binary.ts";
import { startAlertmanager } from "../test/support/start-alertmanager.ts";
import { startProgram } from "../test/support/start-program.ts";

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    seconds: { type: "string", default: "5" },
    rounds: { type: "string", default: "3" },
  },
});

const root = path.resolve(import.meta.dirname, "..");
const BATCHES = 16;
const ALERTS_PER_BATCH = 64;
const CONNECTIONS = 4;
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

function startServed(upstream: string) {
  const tsc = path.join(root, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [tsc, "-p", root], { stdio: "inherit" });
  const config = {
    store: "memory",
    log: { level: "error" },
    records: { starter: true, sources: [{ path: "records.json", curated: true }] },
    proxy: { upstreams: [{ name: "am", url: upstream }] },
  };
  return startProgram({
    binary: process.execPath,
    files: {
      "alertlore.yaml": JSON.stringify(config),
      "records.json": JSON.stringify([buildRecord(1).record]),
    },
    args: (port, folder) => [
      ...[path.join(root, "dist/main.js"), "serve", `--config.file=${folder}/alertlore.yaml`],
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    readyPath: "/-/ready",
  });
}

function batchOf(number: number): object[] {
  const startsAt = new Date(Date.now() - 60_000).toISOString();
  const endsAt = new Date(Date.now() + 3_600_000).toISOString();
  return Array.from({ length: ALERTS_PER_BATCH }, (_, index) => ({
    annotations: { summary: "Checkpoints are late", log_excerpt: KNOWN_LINE },
    endsAt,
    startsAt,
    generatorURL: "http://prometheus.test/graph?g0.expr=up&g0.tab=1",
    labels: { alertname: "CheckpointLate", batch: String(number), pod: `engine-${index}` },
  }));
}

function post(url: string, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}/api/v2/alerts`,
      { method: "POST", agent, headers: { "content-type": "application/json" } },
      (answer) => {
        answer.resume();
        answer.once("end", () => {
          if (answer.statusCode === 200) resolve();
          else reject(new Error(`status ${answer.statusCode ?? 0}`));
        });
      },
    );
    sent.once("error", reject);
    sent.end(body);
  });
}

/** The bodies as Alertmanager gets them once all is known. */
async function explainedBodies(alertlore: string, alertmanager: string): Promise<string[]> {
  const batches = Array.from({ length: BATCHES }, (_, number) => batchOf(number));
  for (;;) {
    for (const batch of batches) await post(alertlore, JSON.stringify(batch));
    const shown = (await (await fetch(`${alertmanager}/api/v2/alerts`)).json()) as readonly {
      labels: { batch: string; pod: string };
      annotations: Readonly<Record<string, string>>;
    }[];
    const all = shown.filter(({ annotations }) => annotations["error_summary"] !== undefined);
    if (all.length < BATCHES * ALERTS_PER_BATCH) continue;
    const byKey = new Map(all.map((each) => [`${each.labels.batch} ${each.labels.pod}`, each]));
    return batches.map((batch, number) =>
      JSON.stringify(
        batch.map((alert, index) => ({
          ...alert,
          annotations: byKey.get(`${number} engine-${index}`)?.annotations,
        })),
      ),
    );
  }
}

interface Run {
  readonly alertsPerS: number;
  readonly p50Ms: number;
}

async function measure(url: string, bodies: readonly string[]): Promise<Run> {
  const times: number[] = [];
  const started = performance.now();
  const until = started + Number(values.seconds) * 1000;
  let next = 0;
  const connection = async () => {
    while (performance.now() < until) {
      const body = bodies[next++ % bodies.length] ?? "";
      const at = performance.now();
      await post(url, body);
      times.push(performance.now() - at);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  const seconds = (performance.now() - started) / 1000;
  return { alertsPerS: (times.length * ALERTS_PER_BATCH) / seconds, p50Ms: median(times) };
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

async function main(): Promise<void> {
  const binary = findBinary(["prometheus-alertmanager", "alertmanager"]);
  if (binary === undefined) throw new Error("no alertmanager in PATH: nothing to measure against");
  const config = "route: {receiver: none, group_wait: 1h}\nreceivers: [{name: none}]\n";
  const alertmanager = await startAlertmanager({ binary, config });
  const alertlore = await startServed(alertmanager.url);
  try {
    const bodies = await explainedBodies(alertlore.url, alertmanager.url);
    const direct: Run[] = [];
    const proxied: Run[] = [];
    for (let round = 0; round < Number(values.rounds); round += 1) {
      direct.push(await measure(alertmanager.url, bodies));
      proxied.push(await measure(alertlore.url, bodies));
    }
    const direct_alerts_per_s = median(direct.map((run) => run.alertsPerS));
    const proxied_alerts_per_s = median(proxied.map((run) => run.alertsPerS));
    const added_p50_ms =
      median(proxied.map((run) => run.p50Ms)) - median(direct.map((run) => run.p50Ms));
    const ratio = proxied_alerts_per_s / direct_alerts_per_s;
    const proxy = { direct_alerts_per_s, proxied_alerts_per_s, ratio, added_p50_ms };
    if (values.json) console.log(JSON.stringify({ proxy }));
    else
      console.log(
        `straight ${direct_alerts_per_s.toFixed(0)} alerts/s, through the proxy ${proxied_alerts_per_s.toFixed(0)} (ratio ${ratio.toFixed(2)}), ${added_p50_ms.toFixed(1)} ms added at p50`,
      );
  } finally {
    agent.destroy();
    await alertlore.stop();
    await alertmanager.stop();
  }
}

await main();
