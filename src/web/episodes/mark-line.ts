import type { KeptLine } from "../../enrich/enrichment.ts";
import type { Match, MatchSpan } from "../../record/match.ts";

/** A stretch of a line: what a template says, what stood in its place, or neither. */
export interface Segment {
  readonly kind: "plain" | "literal" | "capture";
  readonly text: string;
}

const KINDS = ["plain", "literal", "capture"] as const;
const LITERAL = 1;
const CAPTURE = 2;

/**
 * Divides a kept line by what matches say of it; literals and captures of the best match come out on
 * top. Joined, the segments are the line's text.
 */
export function markLine(line: KeptLine, matches: readonly Match[]): readonly Segment[] {
  const paint = new Uint8Array(line.text.length);
  for (const match of matches.toReversed()) paintMatch(paint, line, match);
  const segments: Segment[] = [];
  let start = 0;
  for (let at = 1; at <= paint.length; at += 1) {
    if (at < paint.length && paint[at] === paint[start]) continue;
    segments.push({ kind: KINDS[paint[start] ?? 0] ?? "plain", text: line.text.slice(start, at) });
    start = at;
  }
  return segments;
}

function paintMatch(paint: Uint8Array, line: KeptLine, { spans, captures }: Match): void {
  const own = spans
    .filter((span) => span.line === line.line)
    .map(({ start, end }) => ({ start: start - line.column, end: end - line.column }))
    .sort((one, other) => one.start - other.start);
  const first = own[0];
  const last = own.at(-1);
  if (first === undefined || last === undefined) return;
  own.forEach((span, index) => {
    const next = own[index + 1];
    if (next !== undefined) fill(paint, { start: span.end, end: next.start }, CAPTURE);
  });
  paintEnds(paint, line.text, { first, last, captures });
  for (const span of own) fill(paint, span, LITERAL);
}

/** A capture before the first literal or behind the last. */
function paintEnds(
  paint: Uint8Array,
  text: string,
  { first, last, captures }: { first: Place; last: Place; captures: readonly string[] },
): void {
  const before = captures[0]?.split("\n").at(-1) ?? "";
  if (before !== "" && text.slice(0, Math.max(first.start, 0)).endsWith(before)) {
    fill(paint, { start: first.start - before.length, end: first.start }, CAPTURE);
  }
  const after = captures.at(-1)?.split("\n")[0] ?? "";
  if (after !== "" && text.startsWith(after, last.end)) {
    fill(paint, { start: last.end, end: last.end + after.length }, CAPTURE);
  }
}

type Place = Pick<MatchSpan, "start" | "end">;

function fill(paint: Uint8Array, { start, end }: Place, value: number): void {
  if (end > 0) paint.fill(value, Math.max(start, 0), end);
}
