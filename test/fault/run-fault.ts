import { execFileSync, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { createRandom, wholeBetween } from "../support/seeded-random.ts";
import { repositoryRoot } from "../support/shared.ts";
import { createLedger } from "./ledger.ts";
import type { Ledger } from "./ledger.ts";
import { readSuccesses } from "./read-successes.ts";
import { startSender } from "./sender.ts";
import type { Sender } from "./sender.ts";

/** What to do to the service. */
export interface FaultWish {
  /** `sqlite:PATH` or `postgres://…`, empty. */
  readonly storeUrl: string;
  /** Empty folder for the configuration. */
  readonly folder: string;
  readonly kills: number;
  readonly seed: number;
}

/** What came of it. */
export interface FaultReport {
  readonly kills: number;
  readonly acknowledged: number;
  readonly received: number;
  readonly refusedOnPurpose: number;
  /** Bodies that came twice because the kill fell between the answer and its record. */
  readonly repeatedUnrecorded: number;
  readonly recordedAtKills: number;
  /** Sentences; empty when everything held. */
  readonly violations: readonly string[];
}

const GROUPS = 12;
/** After the last kill: leases of the dead process must end first. */
const DRAIN_LIMIT_MS = 90_000;

function isBuilt(): boolean {
  const main = path.join(repositoryRoot, "dist/main.js");
  const source = path.join(repositoryRoot, "src");
  if (!existsSync(main)) return false;
  const builtMs = statSync(main).mtimeMs;
  return readdirSync(source, { recursive: true, encoding: "utf8" }).every(
    (file) => statSync(path.join(source, file)).mtimeMs < builtMs,
  );
}

/** Compiles the program that is killed; test files that run at the same time do it one after the other. */
export async function buildProgram(): Promise<void> {
  const lock = path.join(
    tmpdir(),
    `alertlore-build-${createHash("sha256").update(repositoryRoot).digest("hex")}`,
  );
  const takeLock = () => {
    mkdirSync(lock);
    return true;
  };
  await eventually(takeLock, { what: "another build to end", limitMs: 60_000 }).catch(
    // Left behind by a run that was killed.
    () => undefined,
  );
  try {
    // A program that is being started must not find its files half written.
    if (isBuilt()) return;
    const tsc = path.join(repositoryRoot, "node_modules/typescript/bin/tsc");
    execFileSync(process.execPath, [tsc, "-p", repositoryRoot], { stdio: "inherit" });
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

/**
 * Kills `alertlore serve` with SIGKILL at random moments while groups change all the time and the
 * receiver sometimes refuses, and checks that the latest state of every acknowledged group arrives,
 * every resolve is told, and nothing comes again after its success was recorded.
 */
export async function runFault({ storeUrl, folder, kills, seed }: FaultWish): Promise<FaultReport> {
  const random = createRandom(seed);
  const ledger = await createLedger(random);
  const port = await freePort();
  const config = path.join(folder, "alertlore.yaml");
  await writeFile(config, configText({ storeUrl, port, receiver: ledger.url }));
  const sender = startSender({
    urls: [`http://127.0.0.1:${port}/webhook`],
    groups: GROUPS,
  });
  const violations: string[] = [];
  let recorded = 0;
  let child = await startCompiled(config, port);
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      await untilBusy(sender, wholeBetween(random, 1, 40));
      await sleep(random() * 100);
      child.kill("SIGKILL");
      await once(child, "exit");
      const successes = await readSuccesses(storeUrl);
      recorded += successes.length;
      ledger.recordSuccesses(successes);
      child = await startCompiled(config, port);
    }
    const last = await sender.stop();
    await untilDrained(ledger, last);
    violations.push(...ledger.violations(), ...missing(ledger, last));
    return {
      kills,
      acknowledged: sender.acknowledged(),
      ...ledger.counts(),
      recordedAtKills: recorded,
      violations,
    };
  } finally {
    await sender.stop();
    if (child.exitCode === null) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    await ledger.stop();
  }
}

// By what was done and not by the clock: on a busy machine the program would die before it began.
async function untilBusy(sender: Sender, more: number): Promise<void> {
  const target = sender.acknowledged() + more;
  await eventually(() => (sender.acknowledged() >= target ? true : undefined), {
    what: `${more} more acknowledgements`,
    limitMs: 60_000,
    everyMs: 5,
  });
}

/** Waits until nothing is owed, or gives up; what is missing is reported as a violation. */
export async function untilDrained(
  ledger: Ledger,
  last: ReadonlyMap<string, number>,
): Promise<void> {
  const isDone = () => (missing(ledger, last).length === 0 ? true : undefined);
  await eventually(isDone, { what: "the latest states", limitMs: DRAIN_LIMIT_MS }).catch(
    () => undefined,
  );
}

/** What is owed still, in sentences. */
export function missing(ledger: Ledger, last: ReadonlyMap<string, number>): readonly string[] {
  return [...last].flatMap(([group, sequence]) => ledger.missing(group, sequence));
}

/** Starts the compiled program and waits until it is ready. */
export async function startCompiled(config: string, port: number): Promise<ChildProcess> {
  const main = path.join(repositoryRoot, "dist/main.js");
  const child = spawn(process.execPath, [main, "serve", `--config.file=${config}`], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const lines: string[] = [];
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    lines.push(text);
    if (lines.length > 50) lines.shift();
  });
  process.once("exit", () => child.kill("SIGKILL"));
  process.setMaxListeners(0);
  await eventually(
    async () => {
      if (child.exitCode !== null) throw new Error(lines.join(""));
      const answer = await fetch(`http://127.0.0.1:${port}/-/ready`);
      return answer.ok ? true : undefined;
    },
    { what: "alertlore to be ready", limitMs: 30_000, everyMs: 20 },
  );
  return child;
}

const configText = (wish: { storeUrl: string; port: number; receiver: string }) => `
store: ${JSON.stringify(wish.storeUrl)}
web: {listen_address: "127.0.0.1:${wish.port}"}
webhook: {deadline: 1s}
records: {starter: false}
destinations:
  - {name: ledger, type: alertmanager_webhook, url: ${JSON.stringify(wish.receiver)}, timeout: 2s}
`;
