/**
 * Builds `src/match/background-words.ts`, the table of word frequencies behind the information content
 * of a literal. usage: node --import tsx bench/tools/build-background.ts FILE.json|FILE.jsonl|FOLDER …
 *
 * Counts each word once a distinct message. Only counts leave this script, no text.
 */
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { splitWords } from "../../src/match/words.ts";

const COUNT_MIN = 4;

function filesBelow(place: string): string[] {
  if (!statSync(place).isDirectory()) return [place];
  return readdirSync(place)
    .sort()
    .flatMap((name) => filesBelow(path.join(place, name)))
    .filter((file) => file.endsWith(".json") || file.endsWith(".jsonl"));
}

function messagesOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  const rows: unknown = file.endsWith(".jsonl")
    ? text
        .split("\n")
        .filter((line) => line !== "")
        .map((line): unknown => JSON.parse(line))
    : JSON.parse(text);
  if (!Array.isArray(rows)) return [];
  return rows.flatMap((row: unknown) =>
    typeof row === "object" &&
    row !== null &&
    "errorMessage" in row &&
    typeof row.errorMessage === "string"
      ? [row.errorMessage]
      : [],
  );
}

const messages = new Set(process.argv.slice(2).flatMap(filesBelow).flatMap(messagesOf));
const counts = new Map<string, number>();
let total = 0;
for (const message of messages) {
  for (const word of new Set(splitWords(message).map((each) => each.text))) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
    total += 1;
  }
}
const buckets = new Map<number, string[]>();
for (const [word, count] of counts) {
  if (count < COUNT_MIN) continue;
  const bits = Math.round(Math.log2(total / count) * 4) / 4;
  buckets.set(bits, [...(buckets.get(bits) ?? []), word]);
}
const lines = [...buckets]
  .sort((a, b) => a[0] - b[0])
  .map(([bits, words]) => `${bits} ${words.sort().join(" ")}`);
writeFileSync(
  "src/match/background-words.ts",
  `/**
 * Information of common words of error messages in bits, by rising information: written by
 * bench/tools/build-background.ts from ${messages.size} distinct messages, ${total} words. Version 1. Changing it
 * changes scores: measure the corpus again and say so in the change log.
 */
export const BACKGROUND_WORDS = \`
${lines.join("\n")}
\`;
`,
);
console.log(
  `${messages.size} messages, ${total} words, ${[...buckets.values()].flat().length} in the table`,
);
