import type { Excerpt } from "../log/excerpt.ts";
import type { Catalogue } from "./compile-catalogue.ts";
import { ScanBuffer } from "./scan-literals.ts";

/** A line with a catalogue literal's key. */
export const MARK_LITERAL = 1;
/** A line whose text must be decoded before anything can be said about it. */
export const MARK_DECODE = 2;
/** A line that may show a record in changed words. */
export const MARK_SIMILAR = 3;

// Colours and unicode escapes may stand inside a literal, CRI parts break it, `\/` hides a slash.
// eslint-disable-next-line no-control-regex -- colours begin with an escape character
const NEEDS_DECODING = /\u001b|\\u00|\\\/|#0|^\S+ std(?:out|err) P |\\x/m;
const QUIET = /(?:^|[^a-z])(?:info|debug|trace|notice|log)[^a-z]/i;

/**
 * Marks the physical lines of an excerpt in which a record may stand: a pass over the raw text, so
 * that only these need to be parsed. May mark too much, never too little.
 *
 * @returns One number a line, entries split at line feeds; 0 for lines of no interest.
 */
export function markLines(catalogue: Catalogue, excerpt: Excerpt): Uint8Array {
  const lineCount = excerpt.entries.reduce((sum, entry) => sum + countFeeds(entry.text) + 1, 0);
  const marks = new Uint8Array(lineCount);
  const buffer = new ScanBuffer();
  let line = 0;
  for (const { text } of excerpt.entries) {
    line = markEntry(catalogue, text, { marks, buffer, line });
  }
  return marks;
}

interface Marking {
  readonly marks: Uint8Array;
  readonly buffer: ScanBuffer;
  readonly line: number;
}

function markEntry(catalogue: Catalogue, text: string, marking: Marking): number {
  const { marks, buffer } = marking;
  let { line } = marking;
  let lineEnd = endOfLine(text, 0);
  buffer.load(text);
  buffer.scan(catalogue, (_literal, start) => {
    while (start > lineEnd) {
      line += 1;
      lineEnd = endOfLine(text, lineEnd + 1);
    }
    marks[line] = MARK_LITERAL;
  });
  return markRest(text, marks, marking.line);
}

/** Marks what the scan of raw text cannot judge; returns the number of the line after the entry. */
function markRest(text: string, marks: Uint8Array, first: number): number {
  let line = first;
  let start = 0;
  for (;;) {
    const end = endOfLine(text, start);
    if (marks[line] === 0) {
      const each = start === 0 && end === text.length ? text : text.slice(start, end);
      if (NEEDS_DECODING.test(each)) marks[line] = MARK_DECODE;
      else if (!QUIET.test(each.slice(0, HEAD_LENGTH))) marks[line] = MARK_SIMILAR;
    }
    line += 1;
    if (end >= text.length) return line;
    start = end + 1;
  }
}

const HEAD_LENGTH = 160;

function endOfLine(text: string, from: number): number {
  const feed = text.indexOf("\n", from);
  return feed < 0 ? text.length : feed;
}

function countFeeds(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
