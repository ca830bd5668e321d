import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { eventually } from "./eventually.ts";
import { freePort } from "./free-port.ts";
import type { Skippable } from "./require-binary.ts";

const run = promisify(execFile);

/** A started PostgreSQL with one empty database. */
export interface RunningPostgres {
  readonly port: number;
  readonly url: string;
  /** Makes a further empty database and gives its URL. */
  readonly createDatabase: () => Promise<string>;
  readonly stop: () => Promise<void>;
}

/** Folder with `initdb` and `postgres`, the newest version first; `undefined` where there is none. */
export function findPostgres(): string | undefined {
  const root = "/usr/lib/postgresql";
  if (!existsSync(root)) return undefined;
  return readdirSync(root)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => path.join(root, version, "bin"))
    .find((folder) => existsSync(path.join(folder, "initdb")));
}

/** The folder, or the end of the test: skipped with a sentence locally, failed under `CI=true`. */
export function requirePostgres(context: Skippable): string {
  const found = findPostgres();
  if (found !== undefined) return found;
  const sentence = "PostgreSQL is not installed (Debian package postgresql)";
  if (process.env["CI"] === "true") throw new Error(`${sentence}, and CI=true forbids skipping`);
  return context.skip(sentence);
}

/** Starts a PostgreSQL on a free port of loopback, in a temporary folder of its own. */
export async function startPostgres(binaries: string): Promise<RunningPostgres> {
  const folder = await mkdtemp(path.join(tmpdir(), "alertlore-postgres-"));
  const port = await freePort();
  // PostgreSQL refuses to run as root.
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? { uid: await idOf("-u"), gid: await idOf("-g") } : {};
  if (user.uid !== undefined) await chown(folder, user.uid, user.gid);
  const data = path.join(folder, "data");
  const setup = ["-D", data, "-U", "alertlore", "-A", "trust", "-E", "UTF8", "--no-sync"];
  await run(path.join(binaries, "initdb"), setup, { cwd: folder, ...user });
  // It is ended in order, never by a crash of the machine: no flush is waited for.
  const settings = ["listen_addresses=127.0.0.1", `unix_socket_directories=${folder}`, "fsync=off"];
  const child = spawn(
    path.join(binaries, "postgres"),
    ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])],
    { cwd: folder, stdio: "ignore", ...user },
  );
  const over = once(child, "exit");
  const killAtExit = () => child.kill("SIGQUIT");
  process.once("exit", killAtExit);
  const urlOf = (name: string) => `postgres://alertlore@127.0.0.1:${port}/${name}`;
  await eventually(
    async () => {
      await query(urlOf("postgres"), "select 1");
      return true;
    },
    { what: "PostgreSQL to answer", limitMs: 60_000 },
  );
  let databases = 0;
  const createDatabase = async () => {
    databases += 1;
    await query(urlOf("postgres"), `create database alertlore_${databases}`);
    return urlOf(`alertlore_${databases}`);
  };
  return {
    port,
    url: await createDatabase(),
    createDatabase,
    stop: async () => {
      process.off("exit", killAtExit);
      // Fast shutdown: open connections are ended.
      child.kill("SIGINT");
      await over;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function idOf(flag: "-u" | "-g"): Promise<number> {
  const { stdout } = await run("id", [flag, "postgres"]);
  return Number(stdout);
}

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
