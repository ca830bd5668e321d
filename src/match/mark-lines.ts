import type { Excerpt } from "../log/excerpt.ts";
import type { Catalogue } from "./compile-catalogue.ts";
import { CUTTABLE_BITS } from "./compile-catalogue.ts";
import { findLongestSafeRun } from "./safe-run.ts";
import { GAP_KINDS, SHORT_GAPS } from "./compile-template.ts";
import { scanText } from "./scan-literals.ts";
import { SimilarCandidates } from "./similar-candidates.ts";
import { stringAt } from "./string-table.ts";
import { GAP_MAX } from "./text-finder.ts";

// Colours and unicode escapes may stand inside a literal, CRI parts break it, `\/` hides a slash.
// eslint-disable-next-line no-control-regex -- colours begin with an escape character
const NEEDS_DECODING = /\u001b|\\u00|\\\/|\\x|#0|std(?:out|err) P /;
const HAS_ESCAPES = ["\u001b", "\\u00", "\\/", "\\x", "#0", "out P ", "err P "] as const;
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
  const bytes = scanText(catalogue, text, (literal, start) => {
    // A key may be reported a little behind the one before it, but never far.
    while (line > 0 && start < (starts[line] ?? 0)) line -= 1;
    while (start >= (starts[line + 1] ?? Number.POSITIVE_INFINITY)) line += 1;
    if (marks[line] === 0 && neighbours.isPlausible(literal, start)) marks[line] = 1;
  });
  const reader = new RestReader(catalogue, text, bytes);
  for (let i = 0; i < starts.length; i += 1) {
    const end = (starts[i + 1] ?? text.length + 1) - 1;
    if (marks[i] === 0 && reader.isWorthReading(starts[i] ?? 0, end)) marks[i] = 1;
  }
  return marks;
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** Judges the lines without a literal: text to be decoded first, and records in changed words. */
class RestReader {
  private readonly text: string;
  private readonly bytes: Uint8Array;
  private readonly similar: SimilarCandidates;
  private readonly hasEscapes: boolean;

  constructor(catalogue: Catalogue, text: string, bytes: Uint8Array) {
    this.text = text;
    this.bytes = bytes;
    this.similar = new SimilarCandidates(catalogue);
    this.hasEscapes = HAS_ESCAPES.some((each) => text.includes(each));
  }

  isWorthReading(start: number, end: number): boolean {
    if (this.hasEscapes && NEEDS_DECODING.test(this.text.slice(start, end))) return true;
    if (QUIET.test(this.text.slice(start, Math.min(end, start + HEAD_LENGTH)))) return false;
    return this.similar.hasAny(this.bytes, start, end);
  }
}

/**
 * Whether a literal that stands in the raw text can belong to its template: nothing is glued to its
 * front, and the literal after it comes too. Most common phrases fall here without being parsed.
 */
class NeighbourCheck {
  private readonly catalogue: Catalogue;
  private readonly text: string;
  private readonly runs = new Map<number, string>();
  private readonly places = new Map<number, number>();

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
    const isFolded = !this.text.startsWith(stringAt(catalogue.literals, literal), start);
    return this.follows(next, start, isFolded);
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

  private follows(next: number, start: number, isFolded: boolean): boolean {
    const run = this.runOf(next);
    if (run.length < 2) return true;
    const gap = GAP_KINDS[this.catalogue.literalGaps[next] ?? 0] ?? "any";
    const reach = start + LITERAL_MAX + (SHORT_GAPS.has(gap) ? SHORT_GAP_MAX : GAP_MAX);
    const at = this.nextOf(next, run, start);
    if (at >= 0 && at <= reach) return true;
    if (!isFolded) return false;
    return this.text.slice(start, reach).toLowerCase().includes(run.toLowerCase());
  }

  /** First occurrence at or after `start`; each answer serves until a later start passes it. */
  private nextOf(literal: number, run: string, start: number): number {
    const known = this.places.get(literal);
    if (known !== undefined && (known < 0 || known >= start)) return known;
    const at = this.text.indexOf(run, start);
    this.places.set(literal, at);
    return at;
  }

  private runOf(literal: number): string {
    let run = this.runs.get(literal);
    if (run === undefined) {
      const text = stringAt(this.catalogue.literals, literal);
      const { start, end } = findLongestSafeRun(text);
      run = text.slice(start, end);
      this.runs.set(literal, run);
    }
    return run;
  }
}

/** Longer literals exist; what stands beyond the reach is then not looked for here. */
const LITERAL_MAX = 4_096;
const SHORT_GAP_MAX = 128;
