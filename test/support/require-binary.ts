import { accessSync, constants } from "node:fs";
import path from "node:path";

/** Programs that contract and end-to-end tests start, with the names they go by. */
const PROGRAMS = {
  prometheus: { names: ["prometheus"], debianPackage: "prometheus" },
  promtool: { names: ["promtool"], debianPackage: "prometheus" },
  // Debian renames the server, for there is another program called alertmanager; amtool keeps its name.
  alertmanager: {
    names: ["prometheus-alertmanager", "alertmanager"],
    debianPackage: "prometheus-alertmanager",
  },
  amtool: { names: ["amtool"], debianPackage: "prometheus-alertmanager" },
  openssl: { names: ["openssl"], debianPackage: "openssl" },
  // Gives a program a terminal.
  script: { names: ["script"], debianPackage: "bsdutils" },
  curl: { names: ["curl"], debianPackage: "curl" },
  jq: { names: ["jq"], debianPackage: "jq" },
  chromium: { names: ["chromium", "chromium-browser"], debianPackage: "chromium" },
} as const;

export type Program = keyof typeof PROGRAMS;

/** The part of vitest's test context that ends a test as skipped. */
export interface Skippable {
  readonly skip: (note: string) => never;
}

/** Absolute path of the first of the names that stands in a folder of `PATH` and may be run. */
export function findBinary(names: readonly string[]): string | undefined {
  const folders = (process.env["PATH"] ?? "")
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder));
  return names
    .flatMap((name) => folders.map((folder) => path.join(folder, name)))
    .find((candidate) => isExecutable(candidate));
}

/**
 * Finds a program, or ends the test: skipped with a sentence on a developer's machine, failed under
 * `CI=true`, so that a missing package never turns into a green run.
 */
export function requireBinary(context: Skippable, program: Program): string {
  const { names, debianPackage } = PROGRAMS[program];
  const found = findBinary(names);
  if (found !== undefined) return found;
  const sentence = `${program} is not installed (Debian package ${debianPackage})`;
  if (process.env["CI"] === "true") throw new Error(`${sentence}, and CI=true forbids skipping`);
  return context.skip(sentence);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
