import type { TimestampNs } from "../alert/alert.ts";
import type { Excerpt } from "../log/excerpt.ts";
import type { Match } from "../record/match.ts";

/** The lines of an excerpt that show a match. */
export interface ShownLines {
  /** In the order of the excerpt. */
  readonly lines: readonly string[];
  /** Time of the last of them; `undefined` when it came without a time. */
  readonly lastSeenNs: TimestampNs | undefined;
}

/** More lines than any annotation has room for. */
const LINES_MAX = 64;

/** Finds the physical lines that a match's spans stand in. */
export function findShownLines(excerpt: Excerpt, match: Match): ShownLines {
  const wanted = new Set(match.spans.map((span) => span.line).concat(match.line));
  const lines: string[] = [];
  let lastSeenNs: TimestampNs | undefined;
  let index = 0;
  for (const entry of excerpt.entries) {
    for (const line of entry.text.split("\n")) {
      if (wanted.has(index) && lines.length < LINES_MAX) {
        lines.push(line);
        lastSeenNs = entry.timestampNs;
      }
      index += 1;
    }
  }
  return { lines, lastSeenNs };
}
