/** usage: npm run -s fault -- [--kills 200] [--seed 1] [--store sqlite|postgres]… */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { findPostgres, startPostgres } from "../support/start-postgres.ts";
import { buildProgram, runFault } from "./run-fault.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    store: { type: "string", multiple: true, default: ["sqlite", "postgres"] },
  },
});

async function runOn(kind: string): Promise<boolean> {
  const folder = await mkdtemp(path.join(tmpdir(), "alertlore-fault-"));
  const binaries = kind === "postgres" ? findPostgres() : undefined;
  if (kind === "postgres" && binaries === undefined) {
    process.stdout.write("postgres: not installed (Debian package postgresql), skipped\n");
    return process.env["CI"] !== "true";
  }
  const postgres = binaries === undefined ? undefined : await startPostgres(binaries);
  try {
    const storeUrl = postgres?.url ?? `sqlite:${path.join(folder, "fault.db")}`;
    const wish = { storeUrl, folder, kills: Number(values.kills), seed: Number(values.seed) };
    const { violations, ...counts } = await runFault(wish);
    process.stdout.write(`${kind}: ${JSON.stringify(counts)}\n`);
    for (const violation of violations) process.stdout.write(`${kind}: VIOLATED ${violation}\n`);
    return violations.length === 0;
  } finally {
    await postgres?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

await buildProgram();
for (const kind of values.store) if (!(await runOn(kind))) process.exitCode = 1;
