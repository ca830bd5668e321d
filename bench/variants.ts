import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { loadRecords } from "../src/catalogue/load-records.ts";
import type { KnownError } from "../src/record/known-error.ts";
import { findShared } from "../test/support/shared.ts";

/**
 * Makes `count` records of fewer: after the originals come variants with one literal word of the
 * message replaced by one that no other record has. The same input gives the same records.
 */
export function makeVariants(records: readonly KnownError[], count: number): readonly KnownError[] {
  const made = records.slice(0, count);
  const bases = records.filter(({ errorMessage }) => wordIn(errorMessage) !== undefined);
  for (let number = 0; made.length < count && bases.length > 0; number += 1) {
    const base = bases[number % bases.length];
    if (base !== undefined) made.push(variantOf(base, number));
  }
  return made;
}

/** The first word of letters that is text of the message and not the name of a placeholder. */
function wordIn(message: string): string | undefined {
  const text = message.replace(/\$?\{[^}]*\}|%\([^)]*\)\w|%[-+#.\d]*\w/gu, " ");
  return /[A-Za-z]{4,}/u.exec(text)?.[0];
}

function variantOf(base: KnownError, number: number): KnownError {
  const word = wordIn(base.errorMessage) ?? "";
  // Letters only, so that it is one word as the word it replaces.
  const letters = number
    .toString(26)
    .replace(/./gu, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)));
  const unique = `v${letters}q`;
  const errorMessage = base.errorMessage.replace(word, unique);
  const filePath = base.filePath.replace(/([^/]+)$/u, `v${number}/$1`);
  const key = [base.repo, base.errorCode ?? errorMessage, filePath].join("\u0001");
  const id = createHash("sha256").update(key).digest("hex").slice(0, 16);
  return {
    ...base,
    id,
    slug: `variant-${number}`,
    errorMessage,
    messagePattern: base.messagePattern.replace(word, unique),
    filePath,
  };
}

/** Writes records as a published dataset's repository files. */
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

/** The records of the shared dataset, and variants of them up to a number. */
export async function loadVariants(count: number): Promise<readonly KnownError[]> {
  const dataset = findShared("dataset");
  if (dataset === undefined) throw new Error("the shared dataset is not there");
  const { records } = await loadRecords([{ path: dataset, origin: "dataset" }]);
  return makeVariants(
    records.map(({ record }) => record),
    count,
  );
}

// npm run -s bench -- variants 150000 FOLDER
if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [count = "150000", folder = "variants"] = process.argv.slice(2);
  writeRepos(await loadVariants(Number(count)), folder);
}
