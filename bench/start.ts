import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { readDataset, SHARED } from "./support/read-records.ts";

// npm run -s build && npm run -s bench -- start [--json] [--runs N]
//
// Starts the built program on the whole dataset again and again, each time as a fresh process, and
// waits until /-/ready says so and all records are in force: from the folder, from nothing over HTTP,
// and from the copy of a URL, with and without a compiled catalogue. Prints medians.

const { values } = parseArgs({
  options: { json: { type: "boolean", default: false }, runs: { type: "string", default: "5" } },
});
const runs = Number(values.runs);
const folder = mkdtempSync(path.join(tmpdir(), "alertlore-bench-"));
const dataset = path.join(SHARED, "dataset");
const wanted = readDataset().length;
if (wanted === 0) throw new Error("the dataset is not there: set ALERTLORE_SHARED");
const program = path.join(import.meta.dirname, "..", "dist", "main.js");

interface Run {
  readonly readyMs: number;
  readonly cpuMs: number;
  readonly records: number;
}

/** One start to ready. `lasting` waits for a log line before the process is stopped. */
async function start(source: object, isKept: boolean, lasting?: string): Promise<Run> {
  const config = path.join(folder, "alertlore.yaml");
  const records = {
    starter: false,
    sources: [source],
    cache: path.join(folder, "cache"),
    compiled_max: isKept ? "1GiB" : "0B",
  };
  const web = { listen_address: "127.0.0.1:0" };
  const log = { level: "debug", format: "json" };
  writeFileSync(config, JSON.stringify({ store: "memory", web, log, records }));
  const startedAt = performance.now();
  const child = spawn(process.execPath, [program, "serve", "--config.file", config], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  child.stderr.on("data", (bytes: Buffer) => (output += bytes.toString()));
  const exited = new Promise((resolve) => child.once("exit", resolve));
  try {
    const port = Number(
      await eventually(
        () => /"port":(\d+)/u.exec(output)?.[1],
        () => output,
      ),
    );
    const answer = await fetch(`http://127.0.0.1:${port}/-/ready`);
    // A first fetch comes in after the start.
    const records = await eventually(
      () => countsIn(output).find((count) => count === wanted),
      () => output,
    );
    const readyMs = performance.now() - startedAt;
    if (answer.status !== 200) throw new Error(`/-/ready answered ${answer.status}`);
    const cpuMs = cpuMsOf(child.pid ?? 0);
    if (lasting !== undefined) {
      await eventually(
        () => (output.includes(lasting) ? true : undefined),
        () => output,
      );
    }
    return { readyMs, cpuMs, records };
  } finally {
    child.kill("SIGKILL");
    await exited;
  }
}

/** How many records each catalogue had that came into force. */
function countsIn(output: string): readonly number[] {
  return [...output.matchAll(/"records":(\d+)/gu)].map(([, count]) => Number(count));
}

function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

async function eventually<T>(find: () => T | undefined, describe: () => string): Promise<T> {
  for (const endsAt = performance.now() + 60_000; performance.now() < endsAt;) {
    const found = find();
    if (found !== undefined) return found;
    await sleep(2);
  }
  throw new Error(`not ready within 60 s: ${describe()}`);
}

function median(values_: readonly number[]): number {
  return values_.toSorted((left, right) => left - right)[Math.floor(values_.length / 2)] ?? 0;
}

async function measure(name: string, run: () => Promise<Run>) {
  const all: Run[] = [];
  for (let index = 0; index < runs; index += 1) all.push(await run());
  return {
    name,
    runs,
    records: all[0]?.records ?? 0,
    readyMs: Math.round(median(all.map(({ readyMs }) => readyMs))),
    slowestMs: Math.round(Math.max(...all.map(({ readyMs }) => readyMs))),
    cpuMs: Math.round(median(all.map(({ cpuMs }) => cpuMs))),
  };
}

const server = createServer((request, response) => {
  try {
    response.end(readFileSync(path.join(dataset, path.normalize(`/${request.url ?? ""}`))));
  } catch {
    response.writeHead(404).end();
  }
});

try {
  const byPath = { path: dataset };
  const results = [];
  results.push(await measure("folder, cold", () => start(byPath, false)));
  await start(byPath, true, "compiled catalogue kept");
  results.push(await measure("folder, warm", () => start(byPath, true)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const byUrl = { url: `http://127.0.0.1:${port}/` };
  results.push(
    await measure("URL, nothing fetched yet", () => {
      rmSync(path.join(folder, "cache"), { recursive: true, force: true });
      return start(byUrl, false);
    }),
  );
  await start(byUrl, true, "compiled catalogue kept");
  results.push(await measure("URL, cold", () => start(byUrl, false)));
  results.push(await measure("URL, warm", () => start(byUrl, true)));
  if (values.json) console.log(JSON.stringify({ bench: "start", results }));
  else {
    for (const { name, readyMs, slowestMs, cpuMs, records } of results) {
      console.log(
        `${name}: ${readyMs} ms to ready (slowest of ${runs}: ${slowestMs}), ${cpuMs} ms of processor, ${records} records`,
      );
    }
  }
} finally {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
}
