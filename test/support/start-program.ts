import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { eventually } from "./eventually.ts";
import { freePort } from "./free-port.ts";

/** A server to start on loopback, in a temporary folder of its own. */
export interface Program {
  readonly binary: string;
  /** Files to write into the folder first, by name. */
  readonly files: Readonly<Record<string, string>>;
  /** Command line for a port and the folder. */
  readonly args: (port: number, folder: string) => readonly string[];
  /** Path that answers 2xx once the server can do its work. */
  readonly readyPath: string;
  /** Limit for becoming ready; 20 s by default. */
  readonly readyLimitMs?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** A started server. */
export interface RunningProgram {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Everything printed so far on both outputs. */
  readonly output: () => string;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Ends the server by its process id, waits for it and removes its folder; may be called twice. */
  readonly stop: () => Promise<void>;
}

const BIND_TRIES = 3;
const STOP_LIMIT_MS = 10_000;

/**
 * Starts a server and waits until it is ready.
 *
 * @throws {Error} With the end of its output, when it exits or is not ready within the limit.
 */
export async function startProgram(program: Program): Promise<RunningProgram> {
  for (let attempt = 1; ; attempt += 1) {
    const running = await launch(program);
    try {
      await untilReady(running, program);
      return running;
    } catch (error) {
      await running.stop();
      // freePort cannot reserve: a port lost to somebody else is no failure of the program.
      const isLost = running.output().includes("address already in use");
      if (!isLost || attempt === BIND_TRIES) throw error;
    }
  }
}

interface Launched extends RunningProgram {
  readonly isOver: () => boolean;
}

async function launch({ binary, files, args, env }: Program): Promise<Launched> {
  const folder = await mkdtemp(path.join(tmpdir(), "alertlore-test-"));
  for (const [name, text] of Object.entries(files)) {
    await writeFile(path.join(folder, name), text);
  }
  const port = await freePort();
  const child = spawn(binary, args(port, folder), {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => chunks.push(chunk));
  }
  let isOver = false;
  // "close", not "exit": the last words of a failing program come after its exit.
  const over = new Promise<void>((resolve) => {
    child.once("close", () => {
      isOver = true;
      resolve();
    });
  });
  try {
    await once(child, "spawn");
  } catch (cause) {
    await rm(folder, { recursive: true, force: true });
    throw new Error(`${binary} could not be started`, { cause });
  }
  // A crash of the test run must not leave servers behind.
  const killAtExit = () => child.kill("SIGKILL");
  process.once("exit", killAtExit);
  return {
    isOver: () => isOver,
    url: `http://127.0.0.1:${port}`,
    port,
    pid: child.pid ?? 0,
    output: () => chunks.join(""),
    signal: (signal) => void child.kill(signal),
    stop: async () => {
      process.off("exit", killAtExit);
      if (!isOver) {
        child.kill("SIGTERM");
        const kill = setTimeout(() => child.kill("SIGKILL"), STOP_LIMIT_MS);
        await over;
        clearTimeout(kill);
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function untilReady(running: Launched, program: Program): Promise<void> {
  const { isOver, url } = running;
  try {
    await eventually(
      async () => {
        if (isOver()) return "ended" as const;
        const answer = await fetch(url + program.readyPath, { signal: AbortSignal.timeout(2_000) });
        await answer.arrayBuffer();
        return answer.ok ? ("ready" as const) : undefined;
      },
      { what: `${program.binary} to be ready`, limitMs: program.readyLimitMs ?? 20_000 },
    );
  } catch (cause) {
    throw new Error(`${String(cause)}; its output ends:\n${running.output().slice(-2_000)}`, {
      cause,
    });
  }
  if (isOver()) {
    const output = running.output().slice(-2_000);
    throw new Error(`${program.binary} ended before it was ready; its output ends:\n${output}`);
  }
}
