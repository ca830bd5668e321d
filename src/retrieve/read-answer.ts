import type { LogAnswer } from "../enrich/ports.ts";
import type { LogEntry } from "../log/excerpt.ts";
import { LokiError } from "./loki-failure.ts";

/** Labels that Loki works out line by line; where they stand in the stream they would tear it apart. */
const LINE_LABELS = new Set(["detected_level", "__error__", "__error_details__"]);
const TIMESTAMP = /^\d{1,19}$/u;

/**
 * Reads the answer to a log query asked backward.
 *
 * Streams are merged, oldest entry first; Loki sorts within a stream only. Times stay exact: they are
 * never a JavaScript number. Structured metadata and parsed labels are no part of a stream's identity.
 *
 * @throws {LokiError} `server` when the text is no such answer.
 */
export function readLogAnswer(text: string, entriesMax: number): LogAnswer {
  const data = memberOf(parseJson(text), "data");
  const result = memberOf(data, "result");
  if (memberOf(data, "resultType") !== "streams" || !Array.isArray(result)) throw noAnswer();
  const entries = result.flatMap(readStream);
  // Stable: entries of equal times keep the order of their stream.
  entries.sort(byTime);
  return { entries, cut: entries.length >= entriesMax };
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

function readStream(element: unknown): TimedEntry[] {
  const labels = memberOf(element, "stream");
  const values = memberOf(element, "values");
  if (typeof labels !== "object" || labels === null || !Array.isArray(values)) throw noAnswer();
  const stream = JSON.stringify(
    Object.entries(labels)
      .filter(([name]) => !LINE_LABELS.has(name))
      .sort(([left], [right]) => (left < right ? -1 : 1)),
  );
  return values.map((value) => readValue(value, stream)).reverse();
}

function readValue(value: unknown, stream: string): TimedEntry {
  const [time, text] = Array.isArray(value) ? (value as unknown[]) : [];
  if (typeof time !== "string" || !TIMESTAMP.test(time) || typeof text !== "string") {
    throw noAnswer();
  }
  return { timestampNs: BigInt(time), text, stream };
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
