/**
 * How long pages take with many records and episodes: usage: npm run -s build && npm run -s bench -- pages [--json]
 * [--episodes 10000] [--rate 50] [--seconds 5]
 *
 * The built program with the dataset beside the repository and the records of the webhook bench, SQLite on
 * disk. Episodes come in through the webhook, half of them with a match. Each page is asked for at a fixed
 * rate (open loop) from another process on the same cores; a latency counts from the moment it was due.
 */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { SECTIONS } from "../src/web/frame/sections.ts";
import { eventually } from "../test/support/eventually.ts";
import { freePort } from "../test/support/free-port.ts";
import { readDataset } from "./support/read-records.ts";
import { ALERTS_PER_GROUP, createBodies, recordsFile } from "./support/webhook-bodies.ts";
import { writeRepos } from "./support/write-repos.ts";

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    episodes: { type: "string", default: "10000" },
    rate: { type: "string", default: "50" },
    seconds: { type: "string", default: "5" },
  },
});
const rate = Number(values.rate);
const folder = mkdtempSync(path.join(tmpdir(), "alertlore-bench-"));
const port = await freePort();
const url = `http://127.0.0.1:${port}`;

interface Row {
  readonly page: string;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly max_ms: number;
  readonly kb: number;
}

function start(): ChildProcess {
  const config = {
    store: `sqlite:${folder}/bench.db`,
    web: { listen_address: `127.0.0.1:${port}` },
    log: { level: "error" },
    records: {
      starter: false,
      sources: [{ path: "repos" }, { path: "records.json", curated: true }],
      poll_interval: "1h",
    },
  };
  writeRepos(readDataset(), folder);
  writeFileSync(path.join(folder, "records.json"), recordsFile());
  writeFileSync(path.join(folder, "alertlore.yaml"), JSON.stringify(config));
  const main = path.resolve(import.meta.dirname, "../dist/main.js");
  return spawn(process.execPath, [main, "serve", `--config.file=${folder}/alertlore.yaml`], {
    stdio: ["ignore", "inherit", "inherit"],
  });
}

async function fill(): Promise<void> {
  const nextBody = createBodies(1);
  const groups = Math.ceil(Number(values.episodes) / ALERTS_PER_GROUP);
  for (let group = 0; group < groups; group += 1) {
    const answer = await fetch(`${url}/webhook?respond=enriched`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: nextBody(),
    });
    if (answer.status !== 200) throw new Error(`the webhook answered ${answer.status}`);
    await answer.arrayBuffer();
  }
}

async function firstLink(page: string, form: RegExp): Promise<string | undefined> {
  const text = await (await fetch(url + page)).text();
  return form.exec(text)?.[1];
}

/** All pages of the navigation, a page of each kind below them, and lists that are filtered. */
async function listPages(): Promise<readonly string[]> {
  const below = [
    await firstLink("/episodes?outcome=matched", /href="\.(\/episodes\/[0-9a-f]{64})"/u),
    await firstLink("/unmatched", /href="\.(\/unmatched\/[0-9a-f]{16})"/u),
    await firstLink("/records", /href="\.(\/records\/[0-9a-f]{16})"/u),
  ];
  return [
    ...SECTIONS.map((section) => `/${section.path}`),
    ...below.filter((page) => page !== undefined),
    "/episodes?class=CheckpointError&decision=retry",
    `/episodes?label=${encodeURIComponent('pod="engine-63"')}`,
    `/episodes?label=${encodeURIComponent('pod="nowhere"')}`,
  ];
}

async function measure(page: string): Promise<Row> {
  const samples: number[] = [];
  let bytes = 0;
  const ask = async (dueAt: number) => {
    const answer = await fetch(url + page);
    bytes = (await answer.arrayBuffer()).byteLength;
    if (answer.status !== 200) throw new Error(`${page} answered ${answer.status}`);
    samples.push(performance.now() - dueAt);
  };
  await ask(performance.now());
  samples.length = 0;
  const asked: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let index = 0; index < rate * Number(values.seconds); index += 1) {
    const dueAt = startedAt + (index * 1000) / rate;
    await sleep(Math.max(0, dueAt - performance.now()));
    asked.push(ask(dueAt));
  }
  await Promise.all(asked);
  samples.sort((one, other) => one - other);
  const at = (share: number) =>
    Number((samples[Math.ceil(share * samples.length) - 1] ?? 0).toFixed(1));
  return {
    page,
    p50_ms: at(0.5),
    p99_ms: at(0.99),
    max_ms: at(1),
    kb: Number((bytes / 1000).toFixed(1)),
  };
}

const child = start();
try {
  await eventually(async () => ((await fetch(`${url}/-/ready`)).ok ? true : undefined), {
    what: "the program",
    limitMs: 60_000,
  });
  await fill();
  const rows: Row[] = [];
  for (const page of await listPages()) rows.push(await measure(page));
  if (values.json) console.log(JSON.stringify({ pages: rows }));
  else {
    console.log(`${values.episodes} episodes, ${rate} requests/s, ${values.seconds} s a page`);
    console.table(rows.map(({ page, ...row }) => ({ page: page.slice(0, 48), ...row })));
  }
} finally {
  child.kill("SIGTERM");
  await once(child, "exit");
  rmSync(folder, { recursive: true, force: true });
}
