import { readFileSync } from "node:fs";
import path from "node:path";

/** Folder of `package.json`; `src/` and `dist/` stand at the same depth below it. */
const ROOT = path.resolve(import.meta.dirname, "..", "..");

/** Starter records that come with the program. */
export const STARTER_RECORDS_PATH = path.join(ROOT, "rules", "records");
/** The retry table that comes with the program. */
export const RETRY_RULES_PATH = path.join(ROOT, "rules", "retry.yaml");
/** Where copies of what URLs gave are kept unless the configuration says otherwise. */
export const CACHE_PATH = path.resolve("data", "catalogue");
/** The list of muted records that comes with the program; nothing is muted in it. */
export const MUTES_PATH = path.join(ROOT, "rules", "mute.yaml");

/** Names of programs and label scopes that come with the program. */
export const SCOPES_PATH = path.join(ROOT, "rules", "scopes.yaml");

/** The program's version, as in `package.json`. */
export function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"));
  const isManifest = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return isManifest && typeof manifest.version === "string" ? manifest.version : "unknown";
}
