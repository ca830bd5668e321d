import type { Excerpt } from "../log/excerpt.ts";
import type { Catalogue } from "./compile-catalogue.ts";
import { CUTTABLE_BITS } from "./compile-catalogue.ts";
import { safeRun } from "./choose-fragment.ts";
import { GAP_KINDS } from "./compile-template.ts";
import { scanText } from "./scan-literals.ts";
import { SimilarCandidates } from "./similar-candidates.ts";
import { stringAt } from "./string-table.ts";
import { GAP_MAX } from "./text-finder.ts";

// Colours and unicode escapes may stand inside a literal, CRI parts break it, `\/` hides a slash.
const NEEDS_DECODING = /\u001b|\\u00|\\\/|\\x|#0|std(?:out|err) P /;
const QUIET = /(?:^|[^a-z])(?:info|debug|trace|notice|log)[^a-z]/i;
/** The level stands near the beginning of a line, after a container prefix at most. */
const HEAD_LENGTH = 160;

/**
 * Marks the physical lines of an excerpt in which a record may stand: one pass over the raw text, so
 * that only these and the rest of their events need to be parsed. May mark too much, never too little.
 *
 * @returns One number a line, entries split at line feeds; 0 for lines of no interest.
 */
export function markLines(catalogue: Catalogue, excerpt: Excerpt): Uint8Array {
  const text = excerpt.entries.map((entry) => entry.text).join("\n");
  const starts = lineStarts(text);
  const marks = new Uint8Array(starts.length);
  let line = 0;
  const neighbours = new NeighbourCheck(catalogue, text);
  scanText(catalogue, text, (literal, start) => {
    // A key may be reported a little behind the one before it, but never far.
    while (line > 0 && start < (starts[line] ?? 0)) line -= 1;
    while (start >= (starts[line + 1] ?? Number.POSITIVE_INFINITY)) line += 1;
    if (marks[line] === 0 && neighbours.isPlausible(literal, start)) marks[line] = 1;
  });
  const similar = new SimilarCandidates(catalogue);
  for (let i = 0; i < starts.length; i += 1) {
    if (
      marks[i] === 0 &&
      isWorthReading(text.slice(starts[i], (starts[i + 1] ?? text.length + 1) - 1), similar)
    ) {
      marks[i] = 1;
    }
  }
  return marks;
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** Lines that the raw scan cannot judge: text to be decoded first, and records in changed words. */
function isWorthReading(line: string, similar: SimilarCandidates): boolean {
  if (NEEDS_DECODING.test(line)) return true;
  return !QUIET.test(line.slice(0, HEAD_LENGTH)) && similar.hasAny(line);
}

/**
 * Whether a literal that stands in the raw text can belong to its template: nothing is glued to its
 * front, and the literal after it comes too. Most common phrases fall here without being parsed.
 */
class NeighbourCheck {
  private readonly catalogue: Catalogue;
  private readonly text: string;
  private lower: string | undefined;

  constructor(catalogue: Catalogue, text: string) {
    this.catalogue = catalogue;
    this.text = text;
  }

  isPlausible(literal: number, start: number): boolean {
    const { catalogue } = this;
    const shape = catalogue.literalShapes[literal] ?? 0;
    if (literal === catalogue.shapeLiterals[shape] && this.isGlued(literal, start)) return false;
    // A text may be cut off before the next literal of a long template.
    if ((catalogue.shapeBits[shape] ?? 0) >= CUTTABLE_BITS) return true;
    const next = literal + 1;
    if (next >= (catalogue.shapeLiterals[shape + 1] ?? 0)) return true;
    return this.follows(stringAt(catalogue.literals, next), start);
  }

  private isGlued(literal: number, start: number): boolean {
    if (GAP_KINDS[this.catalogue.literalGaps[literal] ?? 0] !== "none") return false;
    const { text } = this;
    // `\n` before a word is an escape, not a letter.
    return (
      /[A-Za-z0-9_]/.test(text.charAt(start)) &&
      /[A-Za-z0-9_]/.test(text.charAt(start - 1)) &&
      text.charAt(start - 2) !== "\\"
    );
  }

  private follows(literal: string, start: number): boolean {
    const { start: from, end } = longestSafeRun(literal);
    const run = literal.slice(from, end);
    if (run.length < 2) return true;
    if (this.text.slice(start, start + GAP_MAX + literal.length + 1_024).includes(run)) return true;
    this.lower ??= this.text.toLowerCase();
    return this.lower
      .slice(start, start + GAP_MAX + literal.length + 1_024)
      .includes(run.toLowerCase());
  }
}

function longestSafeRun(literal: string): { readonly start: number; readonly end: number } {
  let best = { start: 0, end: 0 };
  for (let at = 0; at < literal.length; at += 1) {
    const run = safeRun(literal, at);
    if (run.end - run.start > best.end - best.start) best = run;
    at = Math.max(at, run.end);
  }
  return best;
}
