import type { View } from "../log/view.ts";
import { isLetterOrDigit } from "./character-codes.ts";
import type { GapKind } from "./compile-template.ts";
import { gapFits, integerStart, leadingStart, quotedStart } from "./gap-text.ts";
import type { Range } from "./place-literals.ts";
import { trailingEnd } from "./trailing-capture.ts";

/**
 * The capture before the first literal, which begins at `end`.
 *
 * @returns Empty where the template begins with the literal; `undefined` when the text does not fit or a
 *   word runs into the literal.
 */
export function readLeading(text: string, end: number, gap: GapKind): readonly Range[] | undefined {
  if (gap === "none") return joinsWord(text, end) ? undefined : [];
  const start = leadingOf(text, end, gap);
  if (gap === "integer" && start === end) return undefined;
  return gapFits(gap, text.slice(start, end)) ? [{ start, end }] : undefined;
}

function leadingOf(text: string, end: number, gap: GapKind): number {
  if (gap === "integer") return integerStart(text, end);
  return gap === "quoted" ? quotedStart(text, end) : leadingStart(text, end);
}

/** What is known when the end of a template is looked for. */
export interface TrailingPlace {
  readonly literals: readonly Range[];
  /** Where the template's text begins, its leading capture included. */
  readonly start: number;
  readonly gap: GapKind;
  readonly hasOptionalTail: boolean;
  readonly bits: number;
}

/**
 * What became of the text after the last literal: `printed` with its capture; `next_item`, where a
 * final `: {source}` is printed as the next item of a numbered list; `heading`, where it is nowhere near.
 */
export interface Trailing {
  readonly kind: "printed" | "next_item" | "heading";
  readonly captures: readonly Range[];
}

/** Reads what stands after the last literal; `undefined` when it does not fit the template. */
export function readTrailing(view: View, place: TrailingPlace): Trailing | undefined {
  const end = place.literals.at(-1)?.end ?? 0;
  const { text } = view;
  if (place.gap === "none")
    return joinsWord(text, end) ? undefined : { kind: "printed", captures: [] };
  const colon = place.hasOptionalTail ? /^:\s*/.exec(text.slice(end, end + 16)) : undefined;
  if (colon === null) return missingTail(text, place, end);
  const start = end + (colon?.[0].length ?? 0);
  const value = { start, end: valueEnd(view, place, start) };
  return fitsTrailing(place.gap, text, value) ? { kind: "printed", captures: [value] } : undefined;
}

function valueEnd(view: View, place: TrailingPlace, start: number): number {
  const { text } = view;
  const stop = trailingEnd(view, place.start, start);
  if (place.gap === "integer") {
    return (
      start + (/^\s*[-+]?\d+/.exec(text.slice(start, Math.min(stop, start + 64)))?.[0].length ?? 0)
    );
  }
  const feed = place.gap === "line" ? text.indexOf("\n", start) : -1;
  return feed >= 0 ? Math.min(feed, stop) : stop;
}

const LINE_END = /^[\s"'`)\]};,.]*(?:\n|$)/;
const NEXT_CAUSE = /^[^\n]{0,160}\n[^\S\n]*(\d{1,3}): /;
const OWN_NUMBER = /^\s*(\d{1,3}): /;
/** Without its tail the rest of a wrapper must say this much: a bare `Storage error` is only a label. */
const WRAPPER_BITS = 24;

function missingTail(text: string, place: TrailingPlace, end: number): Trailing | undefined {
  if (!LINE_END.test(text.slice(end, end + 80))) return undefined;
  const isNumbered =
    place.bits >= WRAPPER_BITS && isNumberedWrapper(text, place.literals[0]?.start ?? 0, end);
  return { kind: isNumbered ? "next_item" : "heading", captures: [] };
}

/** Whether a wrapper stands as an item of a numbered cause list with the next item right after it. */
function isNumberedWrapper(text: string, start: number, end: number): boolean {
  const next = NEXT_CAUSE.exec(text.slice(end, end + 200));
  const own = OWN_NUMBER.exec(text.slice(text.lastIndexOf("\n", start - 1) + 1, start));
  return next !== null && own !== null && Number(own[1]) + 1 === Number(next[1]);
}

const UNBOUNDED: ReadonlySet<GapKind> = new Set(["any", "line", "debug", "pretty", "quoted"]);

function fitsTrailing(gap: GapKind, text: string, value: Range): boolean {
  if (gap === "integer") {
    return /^\s*(?:[-+]?\d|\[|Some\(|None|<nil>)/.test(text.slice(value.start, value.start + 40));
  }
  if (UNBOUNDED.has(gap)) return true;
  const word =
    /^\s*\S*/.exec(text.slice(value.start, Math.min(value.end, value.start + 80)))?.[0] ?? "";
  return gapFits(gap, word.replace(/[,.;:]+$/, ""));
}

/** Whether letters or digits touch on both sides of an offset: a literal does not begin or end inside a word. */
function joinsWord(text: string, at: number): boolean {
  return isWordCode(text.charCodeAt(at - 1)) && isWordCode(text.charCodeAt(at));
}

/** ASCII letters, digits and the underscore. */
function isWordCode(code: number): boolean {
  return isLetterOrDigit(code) || code === 95;
}
