import type { Excerpt } from "../log/excerpt.ts";
import type { NumberedLine } from "./join-lines.ts";
import { startsEvent } from "./log-header.ts";
import { stripLine } from "./strip-prefix.ts";

/** Which lines of an excerpt are worth parsing: one number a physical line, 0 for no. */
export type LineMarks = Uint8Array;

const LINES_MAX = 64;

interface RawLine {
  readonly text: string;
  readonly stream: string;
  /** Line before and after it in the same stream; -1 at the ends. */
  readonly previous: number;
  next: number;
}

/**
 * Splits an excerpt into numbered physical lines without their prefixes.
 *
 * With `marks`, only marked lines and the rest of their events are read, so that a long excerpt costs
 * what is interesting in it; what is left out could not have matched.
 */
export function pickLines(excerpt: Excerpt, marks?: LineMarks): readonly NumberedLine[] {
  const raw = splitLines(excerpt);
  const stripped = new Map<number, NumberedLine>();
  const read = (line: number): NumberedLine => {
    let known = stripped.get(line);
    if (known === undefined) {
      const { text, stream, previous } = raw[line] ?? EMPTY;
      known = { ...stripLine(text, line), line, stream, previous };
      stripped.set(line, known);
    }
    return known;
  };
  const wanted = new Set<number>();
  for (let line = 0; line < raw.length; line += 1) {
    if (marks === undefined) wanted.add(line);
    else if (marks[line] !== 0 && !wanted.has(line)) addEvent(raw, line, { read, wanted });
  }
  return [...wanted].sort((a, b) => a - b).map(read);
}

const EMPTY: RawLine = { text: "", stream: "", previous: -1, next: -1 };

function splitLines(excerpt: Excerpt): readonly RawLine[] {
  const lines: RawLine[] = [];
  const last = new Map<string, number>();
  for (const { text: entry, stream } of excerpt.entries) {
    for (const text of entry.includes("\n") ? entry.split("\n") : [entry]) {
      const previous = last.get(stream) ?? -1;
      const before = lines[previous];
      if (before !== undefined) before.next = lines.length;
      last.set(stream, lines.length);
      lines.push({ text, stream, previous, next: -1 });
    }
  }
  return lines;
}

interface Picking {
  readonly read: (line: number) => NumberedLine;
  readonly wanted: Set<number>;
}

/** Adds the lines of the event that a line belongs to: back to its header, on to the next one. */
function addEvent(raw: readonly RawLine[], line: number, { read, wanted }: Picking): void {
  for (let at = line, i = 0; at >= 0 && i < LINES_MAX; i += 1) {
    wanted.add(at);
    const previous = raw[at]?.previous ?? -1;
    const isBroken = previous >= 0 && isPartial(raw[previous]?.text ?? "");
    if (!isBroken && startsEvent(read(at).content.text)) break;
    at = previous;
  }
  let isOpen = read(line).partial;
  for (let at = raw[line]?.next ?? -1, i = 0; at >= 0 && i < LINES_MAX; i += 1) {
    const next = read(at);
    if (!isOpen && startsEvent(next.content.text)) break;
    wanted.add(at);
    isOpen = next.partial;
    at = raw[at]?.next ?? -1;
  }
}

/** Whether a raw line looks like a CRI part that goes on in the next line. */
function isPartial(text: string): boolean {
  return text.includes(" P ");
}
