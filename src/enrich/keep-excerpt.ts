import type { Excerpt, LogEntry } from "../log/excerpt.ts";
import type { Match } from "../record/match.ts";
import type { KeptExcerpt, KeptLine } from "./enrichment.ts";

/** Lines kept before and after each line of a match. */
const AROUND = 3;
/** Lines kept when there is no match: the newest. */
const NEWEST = 12;
const LINES_MAX = 40;
/** UTF-16 units of one line, and of all lines together. */
const LINE_LENGTH_MAX = 2000;
const LENGTH_MAX = 12_000;
/** Of a line that is too long, so much stands before the match. */
const BEFORE_MATCH = 200;
const MATCHES_SHOWN_MAX = 8;
const NS_PER_MS = 1_000_000n;

/**
 * Chooses what of an excerpt is kept with its episode: the lines that show matches, best first, then
 * those round them, then the newest, within 40 lines and 12,000 characters. Pure.
 *
 * @param excerpt - Redacted.
 */
export function keepExcerpt(excerpt: Excerpt, matches: readonly Match[]): KeptExcerpt {
  const lines = linesOf(excerpt.entries);
  const columns = columnsOf(matches);
  const kept = new Map<number, KeptLine>();
  let lengthLeft = LENGTH_MAX;
  for (const index of wantedLines([...columns.keys()], lines.length)) {
    const found = lines[index];
    if (found === undefined || kept.has(index)) continue;
    const line = windowOf(found, index, columns.get(index) ?? 0);
    if (kept.size >= LINES_MAX || line.text.length > lengthLeft) break;
    lengthLeft -= line.text.length;
    kept.set(index, line);
  }
  return {
    provenance: excerpt.provenance,
    linesTotal: lines.length,
    cut: excerpt.cut,
    lines: [...kept.values()].sort((one, other) => one.line - other.line),
  };
}

interface FoundLine {
  readonly text: string;
  readonly entry: LogEntry;
}

function linesOf(entries: readonly LogEntry[]): readonly FoundLine[] {
  return entries.flatMap((entry) => entry.text.split("\n").map((text) => ({ text, entry })));
}

/** The lines that matches stand in, the best match's first, with the first column of each. */
function columnsOf(matches: readonly Match[]): ReadonlyMap<number, number> {
  const columns = new Map<number, number>();
  for (const { spans, line } of matches.slice(0, MATCHES_SHOWN_MAX)) {
    for (const span of [...spans, { line, start: 0 }]) {
      if (!columns.has(span.line)) columns.set(span.line, span.start);
    }
  }
  return columns;
}

function* wantedLines(matched: readonly number[], linesTotal: number): Generator<number> {
  yield* matched;
  for (let distance = 1; distance <= AROUND; distance += 1) {
    for (const line of matched) {
      yield line - distance;
      yield line + distance;
    }
  }
  if (matched.length > 0) return;
  for (let back = 1; back <= Math.min(NEWEST, linesTotal); back += 1) yield linesTotal - back;
}

function windowOf({ text, entry }: FoundLine, line: number, from: number): KeptLine {
  const isLong = text.length > LINE_LENGTH_MAX;
  const column = isLong && from > LINE_LENGTH_MAX / 2 ? from - BEFORE_MATCH : 0;
  return {
    line,
    column,
    timeMs: entry.timestampNs === undefined ? undefined : Number(entry.timestampNs / NS_PER_MS),
    text: isLong ? text.slice(column, column + LINE_LENGTH_MAX) : text,
  };
}
