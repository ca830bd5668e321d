/**
 * How many alerts a second the webhook takes, durably and to the end: usage: npm run -s bench -- webhook [--json]
 * [--seconds 20] [--runs 3] [--records PATH]
 *
 * Groups of 64 alerts, each with a new fingerprint and an excerpt of its own of 20 lines, half of which
 * show a record; SQLite with synchronous=FULL; one destination. The load comes from a process of its own on
 * the same cores. A run counts only when the outbox is drained and no alert met its deadline. Beside it stands
 * a baseline: a server that parses the same bodies and flushes them to a file, and does nothing else.
 */
import { execFileSync, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { LoadReport } from "./support/webhook-load.ts";
import { freePort } from "../test/support/free-port.ts";
import { startBaseline } from "./support/webhook-baseline.ts";
import { recordsFile } from "./support/webhook-bodies.ts";

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    seconds: { type: "string", default: "20" },
    runs: { type: "string", default: "3" },
    records: { type: "string" },
    /** Be the baseline's server on this port, with a file for its bodies. */
    baseline: { type: "string" },
    bodies: { type: "string", default: "" },
  },
});

const root = path.resolve(import.meta.dirname, "..");
const LOAD = path.join(import.meta.dirname, "support/webhook-load.ts");
const PORT = await freePort();
const RECEIVER_PORT = await freePort();

interface Row {
  readonly alerts_per_s: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly half_load_p99_ms: number;
}

function runLoad(args: readonly string[]): Promise<LoadReport> {
  const child = spawn(process.execPath, ["--import", "tsx", LOAD, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return new Promise((resolve, reject) => {
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    child.once("close", (status) => {
      if (status === 0) resolve(JSON.parse(output) as LoadReport);
      else reject(new Error(`the load ended with status ${status ?? "none"}`));
    });
  });
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error("the server ended before it was ready");
    const isReady = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    );
    if (isReady) return;
    await sleep(50);
  }
}

async function measure(server: ChildProcess, readyUrl: string, isBaseline: boolean): Promise<Row> {
  try {
    await untilReady(readyUrl, server);
    const common = [
      ...["--port", String(PORT), "--receiver", String(RECEIVER_PORT), "--seconds", values.seconds],
      ...(isBaseline ? ["--baseline"] : []),
    ];
    const full = await runLoad([...common, "--seed", "1"]);
    const half = await runLoad([...common, "--seed", "2", "--rate", "750"]);
    return {
      alerts_per_s: full.alerts_per_s,
      p50_ms: full.p50_ms,
      p99_ms: full.p99_ms,
      half_load_p99_ms: half.p99_ms,
    };
  } finally {
    server.kill("SIGKILL");
    await once(server, "exit");
  }
}

async function measureAlertlore(): Promise<Row> {
  const folder = mkdtempSync(path.join(tmpdir(), "alertlore-bench-"));
  try {
    const records = values.records ?? path.join(folder, "records.json");
    if (values.records === undefined) writeFileSync(records, recordsFile());
    const config = {
      store: `sqlite:${path.join(folder, "bench.db")}`,
      web: { listen_address: `127.0.0.1:${PORT}` },
      log: { level: "error" },
      records: { starter: true, sources: [{ path: records, curated: true }] },
      destinations: [
        {
          name: "receiver",
          type: "alertmanager_webhook",
          url: `http://127.0.0.1:${RECEIVER_PORT}/`,
        },
      ],
    };
    const file = path.join(folder, "alertlore.yaml");
    writeFileSync(file, JSON.stringify(config));
    const main = path.join(root, "dist/main.js");
    const server = spawn(process.execPath, [main, "serve", `--config.file=${file}`], {
      stdio: "inherit",
    });
    return await measure(server, `http://127.0.0.1:${PORT}/-/ready`, false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureBaseline(): Promise<Row> {
  const folder = mkdtempSync(path.join(tmpdir(), "alertlore-bench-"));
  try {
    const args = [
      ...["--import", "tsx", import.meta.filename],
      ...["--baseline", String(PORT), "--bodies", path.join(folder, "bodies")],
    ];
    const server = spawn(process.execPath, args, { stdio: "inherit" });
    return await measure(server, `http://127.0.0.1:${PORT}/`, true);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function medianOf(rows: readonly Row[]): Row {
  const median = (pick: (row: Row) => number) =>
    rows.map(pick).sort((a, b) => a - b)[Math.floor(rows.length / 2)] ?? 0;
  return {
    alerts_per_s: median((row) => row.alerts_per_s),
    p50_ms: median((row) => row.p50_ms),
    p99_ms: median((row) => row.p99_ms),
    half_load_p99_ms: median((row) => row.half_load_p99_ms),
  };
}

async function main(): Promise<void> {
  const tsc = path.join(root, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [tsc, "-p", root], { stdio: "inherit" });
  const rows: Row[] = [];
  const baselines: Row[] = [];
  for (let run = 0; run < Number(values.runs); run += 1) {
    rows.push(await measureAlertlore());
    baselines.push(await measureBaseline());
  }
  const webhook = medianOf(rows);
  const baseline = medianOf(baselines);
  if (values.json) console.log(JSON.stringify({ webhook: { ...webhook, baseline } }));
  else {
    const line = (row: Row) =>
      `${row.alerts_per_s.toFixed(0)} alerts/s, acknowledged in ${row.p50_ms.toFixed(1)} ms (p50), ${row.p99_ms.toFixed(1)} ms (p99); at 750/s p99 ${row.half_load_p99_ms.toFixed(1)} ms`;
    console.log(`webhook: ${line(webhook)}`);
    console.log(`baseline (parse and flush only): ${line(baseline)}`);
  }
}

if (values.baseline === undefined) await main();
else startBaseline(Number(values.baseline), values.bodies);
