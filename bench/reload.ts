import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { createService as CreateService } from "../src/app/serve.ts";
import { growRecords, readDataset } from "./support/read-records.ts";
import { writeRepos } from "./support/write-repos.ts";

// npm run -s build && npm run -s bench -- reload [RECORDS] [REQUESTS A SECOND] [ROUNDS]
//
// The built service in this process, webhooks from another thread at a fixed rate (open loop). Prints
// the latency of webhooks and the delays of the event loop, at rest and while the records are reloaded.

const [count = "150000", rate = "50", rounds = "3"] = process.argv.slice(2);
const folder = mkdtempSync(path.join(tmpdir(), "alertlore-bench-"));

// Runs in a thread: posts at fixed moments and keeps the latency from the moment on, as a queue would.
const LOAD = `
const { parentPort, workerData: { url, rate } } = require("node:worker_threads");
const samples = [];
let failed = 0, number = 0;
const agent = new (require("node:http").Agent)({ keepAlive: true, maxSockets: 64 });
const startedAt = performance.now();
function post(at) {
  number += 1;
  const alert = { status: "firing", labels: { alertname: "Bench", n: String(number) }, annotations: { log: "checkpoint " + number + " failed\\nconnection refused" }, startsAt: new Date().toISOString(), endsAt: "0001-01-01T00:00:00Z", generatorURL: "", fingerprint: number.toString(16).padStart(16, "0") };
  const body = JSON.stringify({ version: "4", groupKey: "{}", truncatedAlerts: 0, status: "firing", receiver: "bench", groupLabels: {}, commonLabels: {}, commonAnnotations: {}, externalURL: "", alerts: [alert] });
  const request = require("node:http").request(url, { method: "POST", agent, headers: { "Content-Type": "application/json" } }, (response) => {
    response.resume().on("end", () => { if (response.statusCode !== 200) failed += 1; samples.push(performance.now() - at); });
  });
  request.on("error", () => { failed += 1; });
  request.end(body);
}
setInterval(() => { while (startedAt + (number * 1000) / rate <= performance.now()) post(startedAt + (number * 1000) / rate); }, 2);
parentPort.on("message", () => { parentPort.postMessage({ samples: samples.splice(0), failed }); failed = 0; });
`;

interface Latencies {
  readonly samples: number[];
  readonly failed: number;
}

function take(load: Worker): Promise<Latencies> {
  return new Promise((resolve) => {
    load.once("message", resolve);
    load.postMessage("take");
  });
}

function quantile(samples: readonly number[], share: number): string {
  const sorted = samples.toSorted((left, right) => left - right);
  return (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(1);
}

/**
 * Watches how much processor time the main thread uses between two turns of its event loop: what it
 * blocks by itself, on a busy machine too, where the delay of the loop is mostly waiting for a core.
 */
function watchTurns(): () => number {
  const file = `/proc/self/task/${process.pid}/schedstat`;
  const cpuMs = (): number => Number(readFileSync(file, "utf8").split(" ")[0]) / 1e6;
  let last = cpuMs();
  let longest = 0;
  const timer = setInterval(() => {
    const now = cpuMs();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  return () => {
    clearInterval(timer);
    return longest;
  };
}

async function measure(name: string, load: Worker, work: () => Promise<unknown>): Promise<void> {
  await take(load);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const endTurns = watchTurns();
  const startedAt = performance.now();
  await work();
  const seconds = (performance.now() - startedAt) / 1000;
  delay.disable();
  const turnMs = endTurns();
  await sleep(500);
  const { samples, failed } = await take(load);
  console.log(
    `${name}: ${seconds.toFixed(1)} s, ${samples.length} webhooks, ${failed} failed, ` +
      `p50 ${quantile(samples, 0.5)} ms, p99 ${quantile(samples, 0.99)} ms, ` +
      `loop delay p99 ${(delay.percentile(99) / 1e6).toFixed(1)} ms, max ${(delay.max / 1e6).toFixed(1)} ms, own CPU in one turn max ${turnMs.toFixed(1)} ms`,
  );
}

try {
  writeRepos(growRecords(readDataset(), Number(count)), folder);
  const config = path.join(folder, "alertlore.yaml");
  writeFileSync(
    config,
    JSON.stringify({
      store: "memory",
      web: { listen_address: "127.0.0.1:0" },
      log: { level: "error" },
      records: { starter: false, sources: [{ path: "repos" }], poll_interval: "1h" },
    }),
  );
  // A name that only the build knows: the sources would need a loader in the service's thread.
  const { createService } = (await import(
    path.join(import.meta.dirname, "../dist/app/serve.js")
  )) as { readonly createService: typeof CreateService };
  const { service, faults } = await createService({
    sources: { file: config, flags: {}, env: {} },
    writeLog: (line) => process.stderr.write(line),
  });
  if (service === undefined) throw new Error(JSON.stringify(faults));
  const { port } = await service.listen();
  const url = `http://127.0.0.1:${port}/webhook`;
  const load = new Worker(LOAD, { eval: true, workerData: { url, rate: Number(rate) } });
  await sleep(3_000);
  for (let round = 1; round <= Number(rounds); round += 1) {
    await measure(`at rest ${round}`, load, () => sleep(10_000));
    await measure(`reload ${round}`, load, async () => {
      const kept = await service.reload();
      if (kept.length > 0) throw new Error(kept.join("; "));
    });
  }
  await load.terminate();
  await service.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
