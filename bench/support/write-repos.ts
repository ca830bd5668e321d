import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { KnownError } from "../../src/record/known-error.ts";

/** Writes records as a published dataset has them: one file for each repository below `repos`. */
export function writeRepos(records: readonly KnownError[], folder: string): void {
  const repos = new Map<string, KnownError[]>();
  for (const record of records) {
    const known = repos.get(record.repo);
    if (known === undefined) repos.set(record.repo, [record]);
    else known.push(record);
  }
  for (const [repo, members] of repos) {
    const file = path.join(folder, "repos", `${repo}.json`);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(members));
  }
}
