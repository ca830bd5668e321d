import type { LogAnswer } from "../enrich/ports.ts";
import type { LogEntry } from "../log/excerpt.ts";
import { cutValues } from "./cut-values.ts";
import { LokiError } from "./loki-failure.ts";

/** Labels that Loki works out line by line; where they stand in the stream they would tear it apart. */
const LINE_LABELS = new Set(["detected_level", "__error__", "__error_details__"]);
const TIMESTAMP = /^\d{1,19}$/;

/**
 * Reads the answer to a log query asked backward.
 *
 * Streams are merged, oldest entry first; Loki sorts within a stream only. Times stay exact: they are
 * never a JavaScript number. Structured metadata and parsed labels are no part of a stream's identity.
 *
 * @throws {LokiError} `server` when the text is no such answer.
 */
export function readLogAnswer(text: string, entriesMax: number): LogAnswer {
  const entries = readCutAnswer(text) ?? readWholeAnswer(text);
  // Most answers are one stream in order. Stable: entries of equal times keep the order of their stream.
  if (!isInOrder(entries)) entries.sort(byTime);
  return { entries, cut: entries.length >= entriesMax };
}

function readCutAnswer(text: string): TimedEntry[] | undefined {
  const cut = cutValues(text);
  if (cut === undefined) return undefined;
  const result = readResult(cut.skeleton);
  const isWhole =
    cut.lists.length === result.length &&
    result.every((element, index) => memberOf(element, "values") === index);
  if (!isWhole) return undefined;
  const entries: TimedEntry[] = [];
  for (const [index, values] of cut.lists.entries()) {
    addEntries(memberOf(result[index], "stream"), values, entries);
  }
  return entries;
}

function readWholeAnswer(text: string): TimedEntry[] {
  const entries: TimedEntry[] = [];
  for (const element of readResult(text)) {
    const values = memberOf(element, "values");
    if (!Array.isArray(values)) throw noAnswer();
    addEntries(memberOf(element, "stream"), values, entries);
  }
  return entries;
}

function readResult(text: string): readonly unknown[] {
  const data = memberOf(parseJson(text), "data");
  const result = memberOf(data, "result");
  if (memberOf(data, "resultType") !== "streams" || !Array.isArray(result)) throw noAnswer();
  return result as readonly unknown[];
}

/**
 * Reads the answer of `/labels`; without any label Loki sends no `data`.
 *
 * @throws {LokiError} `server` when the text is no such answer.
 */
export function readLabelNames(text: string): ReadonlySet<string> {
  const answer = parseJson(text);
  const names = memberOf(answer, "data") ?? [];
  if (memberOf(answer, "status") !== "success" || !Array.isArray(names)) throw noAnswer();
  return new Set(names.filter((name) => typeof name === "string"));
}

interface TimedEntry extends LogEntry {
  readonly timestampNs: bigint;
}

/** Adds a stream's entries, oldest first where Loki keeps its order. */
function addEntries(labels: unknown, values: readonly unknown[], entries: TimedEntry[]): void {
  if (typeof labels !== "object" || labels === null) throw noAnswer();
  const stream = JSON.stringify(
    Object.entries(labels)
      .filter(([name]) => !LINE_LABELS.has(name))
      .sort(([left], [right]) => (left < right ? -1 : 1)),
  );
  for (let index = values.length - 1; index >= 0; index -= 1) {
    entries.push(readValue(values[index], stream));
  }
}

function readValue(value: unknown, stream: string): TimedEntry {
  if (!Array.isArray(value)) throw noAnswer();
  const time: unknown = value[0];
  const text: unknown = value[1];
  if (typeof time !== "string" || !TIMESTAMP.test(time) || typeof text !== "string") {
    throw noAnswer();
  }
  return { timestampNs: BigInt(time), text, stream };
}

function isInOrder(entries: readonly TimedEntry[]): boolean {
  let last = 0n;
  for (const { timestampNs } of entries) {
    if (timestampNs < last) return false;
    last = timestampNs;
  }
  return true;
}

function byTime(left: TimedEntry, right: TimedEntry): number {
  if (left.timestampNs === right.timestampNs) return 0;
  return left.timestampNs < right.timestampNs ? -1 : 1;
}

function memberOf(parent: unknown, name: string): unknown {
  if (typeof parent !== "object" || parent === null || !Object.hasOwn(parent, name)) {
    return undefined;
  }
  return (parent as Readonly<Record<string, unknown>>)[name];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw noAnswer();
  }
}

// Says nothing of the text: it may hold log lines.
function noAnswer(): LokiError {
  return new LokiError(
    "server",
    "Loki answered 200 with something that is no answer to a log query",
  );
}
