import { parseTemplate } from "../../src/match/parse-template.ts";
import type { KnownError } from "../../src/record/known-error.ts";
import { printTemplate, randomValues } from "../../test/support/print-template.ts";
import {
  type Random,
  createRandom,
  oneOf,
  wholeBetween,
} from "../../test/support/seeded-random.ts";
import { LOG_FORMATS, type LogFormat, type LogMessage } from "./log-formats.ts";
import { NOISE_STATEMENTS } from "./noise-statements.ts";

const FORMATS = Object.values(LOG_FORMATS) as [LogFormat, ...LogFormat[]];
const NOISE = NOISE_STATEMENTS as [string, ...string[]];
const LEVELS: Readonly<Record<string, LogMessage["level"]>> = { i: "INFO", d: "DEBUG", w: "WARN" };
const WORDS = [
  "orders",
  "payments",
  "users",
  "billing",
  "checkout",
  "events",
  "metrics",
  "audit",
  "search",
  "images",
] as const;

const FILLS: Readonly<Record<string, (random: Random) => string>> = {
  n: (random) => String(wholeBetween(random, 0, 10 ** wholeBetween(random, 1, 9))),
  w: (random) => oneOf(random, WORDS),
  h: (random) =>
    `10.${wholeBetween(random, 0, 255)}.${wholeBetween(random, 0, 255)}.${wholeBetween(random, 1, 254)}:${wholeBetween(random, 1024, 65535)}`,
  t: (random) => `${wholeBetween(random, 1, 9999)}.${wholeBetween(random, 100, 999)}ms`,
  p: (random) => `/var/lib/${oneOf(random, WORDS)}/${wholeBetween(random, 1, 99999)}`,
  i: (random) =>
    wholeBetween(random, 0, 2 ** 31)
      .toString(16)
      .padStart(8, "0"),
};

function noiseMessage(random: Random, number: number): LogMessage {
  const statement = oneOf(random, NOISE);
  const text = statement
    .slice(2)
    .replaceAll(/\{(\w)\}/g, (_, kind: string) => FILLS[kind]?.(random) ?? "");
  return { level: LEVELS[statement.charAt(0)] ?? "INFO", text, number };
}

/** A record's message with random values. */
export function printRecord(record: KnownError, random: Random): string {
  const template = parseTemplate(record);
  return printTemplate(template, randomValues(template, random));
}

/** Share of lines printed from records. */
const RECORD_SHARE = 0.05;
const LINES_PER_EXCERPT = 200;

/**
 * Makes excerpts of 200 lines, `bytes` characters in all, the same ones for the same seed.
 *
 * @param records - Where the 5 % come from; their templates must not be too vague.
 */
export function makeExcerpts(
  records: readonly KnownError[],
  bytes: number,
  seed: number,
): readonly (readonly string[])[] {
  const random = createRandom(seed);
  const excerpts: string[][] = [];
  for (let made = 0, number = 0; made < bytes;) {
    const lines: string[] = [];
    while (lines.length < LINES_PER_EXCERPT) {
      const record =
        random() < RECORD_SHARE ? records[Math.floor(random() * records.length)] : undefined;
      const message =
        record === undefined
          ? noiseMessage(random, number)
          : { level: "ERROR" as const, text: printRecord(record, random), number };
      const line = oneOf(random, FORMATS)(message);
      lines.push(line);
      made += line.length + 1;
      number += 1;
    }
    excerpts.push(lines);
  }
  return excerpts;
}
