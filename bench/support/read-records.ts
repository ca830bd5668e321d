import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import type { KnownError } from "../../src/record/known-error.ts";
import { hashWord } from "../../src/match/word-postings.ts";

/** Folder with the data that lies beside the repository. */
export const SHARED = path.resolve(process.env["ALERTLORE_SHARED"] ?? "../shared");

/**
 * All records of the dataset that lies beside the repository, ordered by id.
 *
 * @returns Empty where it is absent.
 */
export function readDataset(): readonly KnownError[] {
  const root = path.join(SHARED, "dataset", "repos");
  if (!existsSync(root)) return [];
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".json"),
  );
  const records = files.flatMap(
    (file) => JSON.parse(readFileSync(path.join(root, file), "utf8")) as KnownError[],
  );
  return records.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** The first `count` records by a hash of their id, so that a smaller catalogue is a mixture too. */
export function sampleRecords(
  records: readonly KnownError[],
  count: number,
): readonly KnownError[] {
  return [...records].sort((a, b) => hashWord(a.id) - hashWord(b.id)).slice(0, count);
}

const SYLLABLES = [
  "ba",
  "ko",
  "mi",
  "ru",
  "te",
  "la",
  "zo",
  "vi",
  "nu",
  "pe",
  "sha",
  "dre",
  "qui",
  "fo",
  "gla",
  "hy",
];

function uniqueWord(number: number): string {
  let word = "";
  for (let rest = number + 4_096; rest > 0; rest >>= 4) word += SYLLABLES[rest & 15] ?? "";
  return word;
}

/** A record with one literal word replaced by a word that no other variant has. */
function variantOf(record: KnownError, number: number): KnownError {
  const words = [...record.errorMessage.matchAll(/(?<![%${\w])[A-Za-z]{4,}(?![\w}(])/g)];
  const chosen = words[number % Math.max(1, words.length)];
  const word = uniqueWord(number);
  const replace = (text: string, from: number, length: number): string =>
    text.slice(0, from) + word + text.slice(from + length);
  const errorMessage =
    chosen === undefined
      ? `${record.errorMessage} ${word}`
      : replace(record.errorMessage, chosen.index, chosen[0].length);
  const id =
    hashWord(`${record.id}${number}`).toString(16).padStart(8, "0") +
    number.toString(16).padStart(8, "0");
  return {
    ...record,
    id,
    errorMessage,
    messagePattern: errorMessage.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`),
  };
}

/** The dataset and variants of it, up to `count` records. */
export function growRecords(records: readonly KnownError[], count: number): readonly KnownError[] {
  const grown = [...records];
  for (let number = 0; grown.length < count && records.length > 0; number += 1) {
    const base = records[number % records.length];
    if (base !== undefined) grown.push(variantOf(base, number));
  }
  return grown.slice(0, count);
}
