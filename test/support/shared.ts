import { existsSync } from "node:fs";
import path from "node:path";
import type { Skippable } from "./require-binary.ts";

/** Root of the repository. */
export const repositoryRoot = path.resolve(import.meta.dirname, "../..");

/**
 * Absolute path in the folder of corpus, dataset and contracts that may lie beside the repository, or
 * where `ALERTLORE_SHARED` says; `undefined` where it does not exist.
 */
export function findShared(relative: string): string | undefined {
  const folder = process.env["ALERTLORE_SHARED"] ?? path.join(repositoryRoot, "../shared");
  const found = path.resolve(folder, relative);
  return existsSync(found) ? found : undefined;
}

/** The same for a test, which is skipped with a sentence where the path does not exist. */
export function requireShared(context: Skippable, relative: string): string {
  return (
    findShared(relative) ??
    context.skip(`${relative} is not there: put the shared folder beside the repository`)
  );
}
