import type { View } from "../log/view.ts";
import type { MatchKind } from "../record/match.ts";
import { TRUNCATED_SHARE } from "./choose-fragment.ts";
import { CUTTABLE_BITS, type Catalogue } from "./compile-catalogue.ts";
import { GAP_KINDS, type GapKind } from "./compile-template.ts";
import { gapFits, integerStart, isBalanced, leadingStart } from "./gap-text.ts";
import { stringAt } from "./string-table.ts";
import type { TextFinder } from "./text-finder.ts";
import { trailingEnd } from "./trailing-capture.ts";

/** A half-open range of offsets in a view's text. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A template whose literals were found in order in one view. */
export interface FoundTemplate {
  readonly shape: number;
  readonly view: View;
  readonly literals: readonly Range[];
  /** In the order of the text. */
  readonly captures: readonly Range[];
  readonly kind: MatchKind;
  /** Whether a literal was found in other letter case only. */
  readonly isFolded: boolean;
  /** Whether the `: {source}` tail was printed elsewhere, as the next numbered cause. */
  readonly isTailMissing: boolean;
  /**
   * Whether the template stands only as a heading, its tail nowhere near: such a match is not reported,
   * yet it tells whose report this is.
   */
  readonly isContext: boolean;
  /** Information of the literals that were seen. */
  readonly bits: number;
}

/** How many balanced places are tried for a literal before the nearest one is taken. */
const BALANCED_TRIES = 8;
/** How many places of a literal are looked at in one gap. */
const PLACES_TRIED = 64;

interface Wanted {
  readonly gap: GapKind;
  /** Global index of the literal after the wanted one; -1 when it is the last. */
  readonly following: number;
  readonly isFolded: boolean;
}

/** A match on a cut text needs at least this much, whatever the share. */
const TRUNCATED_BITS = 24;

/**
 * Confirms a candidate: all literals of the shape in order around the one that stands at `anchorStart`,
 * with gaps that their placeholders can have printed.
 *
 * Linear in the gaps' lengths: literals are searched outward from the anchor, the nearest place first,
 * preferring one that leaves brackets and quotes in the gap paired.
 */
export function verifyTemplate(
  catalogue: Catalogue,
  view: View,
  finder: TextFinder,
  anchor: { readonly literal: number; readonly start: number },
): FoundTemplate | undefined {
  return new Verification(catalogue, view, finder).verify(anchor.literal, anchor.start);
}

class Verification {
  private readonly catalogue: Catalogue;
  private readonly view: View;
  private readonly finder: TextFinder;
  private isFolded = false;
  private seenBits = 0;
  private isCut = false;

  constructor(catalogue: Catalogue, view: View, finder: TextFinder) {
    this.catalogue = catalogue;
    this.view = view;
    this.finder = finder;
  }

  verify(anchor: number, start: number): FoundTemplate | undefined {
    const { catalogue } = this;
    const shape = catalogue.literalShapes[anchor] ?? 0;
    const first = catalogue.shapeLiterals[shape] ?? 0;
    const last = (catalogue.shapeLiterals[shape + 1] ?? 1) - 1;
    const anchored = this.place(anchor, start);
    if (anchored === undefined) return undefined;
    const before = this.readBackward(first, anchor, anchored.start);
    if (before === undefined) return undefined;
    const after = this.readForward(anchor, last, anchored.end);
    if (after === undefined) return undefined;
    const literals = [...before, anchored, ...after];
    if (this.isCut && !this.isCutEnough(shape)) return undefined;
    return this.finish(shape, first, literals);
  }

  private isCutEnough(shape: number): boolean {
    const bits = this.catalogue.shapeBits[shape] ?? 0;
    return (
      bits >= CUTTABLE_BITS && this.seenBits >= Math.max(TRUNCATED_BITS, bits * TRUNCATED_SHARE)
    );
  }

  /** The literal at a place, whole or cut off by the end of the text. */
  private place(literal: number, start: number): Range | undefined {
    const text = stringAt(this.catalogue.literals, literal);
    const spelling = this.finder.spellingAt(text, start);
    const bits = this.catalogue.literalBits[literal] ?? 0;
    if (spelling !== undefined) {
      if (spelling === "folded") this.isFolded = true;
      this.seenBits += bits;
      return { start, end: start + text.length };
    }
    const cut = this.finder.cutLength(text, start);
    if (cut === 0) return undefined;
    this.isCut = true;
    this.seenBits += (bits * cut) / text.length;
    return { start, end: start + cut };
  }

  private gapBefore(literal: number): GapKind {
    return GAP_KINDS[this.catalogue.literalGaps[literal] ?? 0] ?? "any";
  }

  private readBackward(first: number, anchor: number, anchorStart: number): Range[] | undefined {
    const ranges: Range[] = [];
    let end = anchorStart;
    for (let literal = anchor - 1; literal >= first; literal -= 1) {
      const text = stringAt(this.catalogue.literals, literal);
      const at = this.placeBefore(text, end, this.gapBefore(literal + 1));
      if (at < 0) return undefined;
      ranges.unshift({ start: at, end: at + text.length });
      this.seenBits += this.catalogue.literalBits[literal] ?? 0;
      end = at;
    }
    return ranges;
  }

  private placeBefore(text: string, end: number, gap: GapKind): number {
    const nearest = this.fittingBefore(text, end, gap, false);
    if (nearest >= 0) return nearest;
    const folded = this.fittingBefore(text, end, gap, true);
    if (folded >= 0) this.isFolded = true;
    return folded;
  }

  private fittingBefore(text: string, end: number, gap: GapKind, isFolded: boolean): number {
    let nearest = -1;
    let limit = end;
    for (let i = 0; i < BALANCED_TRIES; i += 1) {
      const at = this.finder.previous(text, limit, isFolded);
      if (at < 0) break;
      const from = at + text.length;
      if (gapFits(gap, this.finder.text.slice(from, end))) {
        if (nearest < 0) nearest = at;
        if (isBalanced(this.finder.text, from, end)) return at;
      }
      limit = from - 1;
    }
    return nearest;
  }

  private readForward(anchor: number, last: number, anchorEnd: number): Range[] | undefined {
    const ranges: Range[] = [];
    let from = anchorEnd;
    for (let literal = anchor + 1; literal <= last && !this.isCut; literal += 1) {
      const text = stringAt(this.catalogue.literals, literal);
      const gap = this.gapBefore(literal);
      const at = this.placeAfter(text, from, gap, literal < last ? literal + 1 : -1);
      if (at < 0) {
        const cut = this.cutAfter(literal, text, from);
        if (cut === undefined) return undefined;
        if (cut.end > cut.start) ranges.push(cut);
        break;
      }
      this.seenBits += this.catalogue.literalBits[literal] ?? 0;
      ranges.push({ start: at, end: at + text.length });
      from = at + text.length;
    }
    return ranges;
  }

  private placeAfter(text: string, from: number, gap: GapKind, following: number): number {
    const nearest = this.fittingAfter(text, from, { gap, following, isFolded: false });
    // The letter case of a message changes at its beginning; later words follow only where it did.
    if (nearest >= 0 || !this.isFolded) return nearest;
    const folded = this.fittingAfter(text, from, { gap, following, isFolded: true });
    if (folded >= 0) this.isFolded = true;
    return folded;
  }

  private fittingAfter(text: string, from: number, want: Wanted): number {
    let nearest = -1;
    let at = this.finder.next(text, from, want.isFolded);
    for (let i = 0; i < PLACES_TRIED && at >= 0; i += 1) {
      if (gapFits(want.gap, this.finder.text.slice(from, at))) {
        if (this.canFollow(want.following, at + text.length)) {
          if (nearest < 0) nearest = at;
          if (isBalanced(this.finder.text, from, at)) return at;
          if (i >= BALANCED_TRIES) return nearest;
        }
      } else if (want.gap === "blank") break;
      at = this.finder.next(text, at + 1, want.isFolded);
    }
    return nearest;
  }

  /** Whether the literal after the next one may come: at once after white space, or after digits. */
  private canFollow(literal: number, at: number): boolean {
    if (literal < 0) return true;
    const gap = this.gapBefore(literal);
    const rest = this.finder.text.slice(at, at + 200);
    if (gap === "integer") return /^\s*(?:[-+[(]?\d|Some|None|<nil>|$)/.test(rest);
    if (gap !== "blank") return true;
    const next = stringAt(this.catalogue.literals, literal);
    const begun = rest.trimStart();
    return begun.startsWith(next.slice(0, Math.min(next.length, begun.length)));
  }

  /** Whether the text ends inside the gap before a literal or inside the literal itself. */
  private cutAfter(literal: number, text: string, from: number): Range | undefined {
    const all = this.finder.text;
    if (all.length - from > TextLimits.cutGapMax) return undefined;
    this.isCut = true;
    for (let length = Math.min(text.length - 1, all.length - from); length > 1; length -= 1) {
      if (!all.endsWith(text.slice(0, length))) continue;
      this.seenBits += ((this.catalogue.literalBits[literal] ?? 0) * length) / text.length;
      return { start: all.length - length, end: all.length };
    }
    return { start: all.length, end: all.length };
  }

  private finish(
    shape: number,
    first: number,
    literals: readonly Range[],
  ): FoundTemplate | undefined {
    const captures: Range[] = [];
    const head = literals[0];
    if (head === undefined || !this.leading(first, head.start, captures)) return undefined;
    for (let i = 1; i < literals.length; i += 1) {
      const gap = {
        start: literals[i - 1]?.end ?? 0,
        end: literals[i]?.start ?? 0,
      };
      if (this.gapBefore(first + i) !== "blank") captures.push(gap);
    }
    const tail = this.trailing(shape, literals, captures);
    if (tail === undefined) return undefined;
    return {
      shape,
      view: this.view,
      literals,
      captures: captures.map((each) => trimRange(this.finder.text, each)),
      kind: this.isCut ? "truncated" : "exact",
      isFolded: this.isFolded,
      isTailMissing: tail !== "printed",
      isContext: tail === "heading",
      bits: this.seenBits,
    };
  }

  /** Adds the capture before the first literal; false when it does not fit or a word runs into the literal. */
  private leading(first: number, end: number, captures: Range[]): boolean {
    const gap = this.gapBefore(first);
    const { text } = this.finder;
    if (gap === "none") return !joinsWord(text, end);
    const start = gap === "integer" ? integerStart(text, end) : leadingStart(text, end);
    if (gap === "integer" && start === end) return false;
    if (!gapFits(gap, text.slice(start, end))) return false;
    captures.push({ start, end });
    return true;
  }

  private trailing(shape: number, literals: readonly Range[], captures: Range[]): Tail | undefined {
    const end = literals.at(-1)?.end ?? 0;
    const gap = GAP_KINDS[this.catalogue.shapeTrailingGaps[shape] ?? 0] ?? "any";
    const { text } = this.finder;
    if (this.isCut) return this.cutTrailing(end, captures);
    if (gap === "none") return joinsWord(text, end) ? undefined : "printed";
    let start = end;
    if (this.catalogue.shapeOptionalTails[shape] === 1) {
      const colon = /^:\s*/.exec(text.slice(end, end + 16));
      if (colon === null) return this.missingTail(literals, end);
      start = end + colon[0].length;
    }
    const stop = trailingEnd(
      this.view,
      captures[0] !== undefined && captures[0].start < (literals[0]?.start ?? 0)
        ? captures[0].start
        : (literals[0]?.start ?? 0),
      start,
    );
    const feed = gap === "line" ? text.indexOf("\n", start) : -1;
    const value = { start, end: feed >= 0 ? Math.min(feed, stop) : stop };
    if (!fitsTrailing(gap, text, value)) return undefined;
    captures.push(
      gap === "integer"
        ? {
            start,
            end: start + (/^\s*[-+]?\d+/.exec(text.slice(start, stop))?.[0].length ?? 0),
          }
        : value,
    );
    return "printed";
  }

  private missingTail(literals: readonly Range[], end: number): Tail | undefined {
    if (!LINE_END.test(this.finder.text.slice(end, end + 80))) return undefined;
    return this.isNumberedWrapper(literals, end) ? "next_item" : "heading";
  }

  /**
   * Whether a wrapper stands as an item of a numbered cause list with the next item right after it.
   * Without its tail the rest must say enough: a bare `Storage error` is only a label.
   */
  private isNumberedWrapper(literals: readonly Range[], end: number): boolean {
    if (this.seenBits < WRAPPER_BITS) return false;
    const { text } = this.finder;
    const next = NEXT_CAUSE.exec(text.slice(end, end + 200));
    if (next === null) return false;
    const start = literals[0]?.start ?? 0;
    const line = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
    const own = OWN_NUMBER.exec(line);
    return own !== null && Number(own[1]) + 1 === Number(next[1]);
  }

  /** The text ended inside a placeholder: what is there of it is a capture, though not the whole one. */
  private cutTrailing(end: number, captures: Range[]): Tail {
    if (end < this.finder.text.length) captures.push({ start: end, end: this.finder.text.length });
    return "printed";
  }
}

/** What became of a final `: {source}`. */
type Tail = "printed" | "next_item" | "heading";

const LINE_END = /^[\s"'`)\]};,.]*(?:\n|$)/;
const NEXT_CAUSE = /^[^\n]{0,160}\n[^\S\n]*(\d{1,3}): /;
const OWN_NUMBER = /^\s*(\d{1,3}): /;
const WRAPPER_BITS = 24;

const TextLimits = { cutGapMax: 8 * 1024 } as const;

const UNBOUNDED: ReadonlySet<GapKind> = new Set(["any", "line", "debug", "pretty", "quoted"]);

function fitsTrailing(gap: GapKind, text: string, value: Range): boolean {
  if (gap === "integer")
    return /^\s*(?:[-+]?\d|\[|Some\(|None|<nil>)/.test(text.slice(value.start, value.start + 40));
  if (UNBOUNDED.has(gap)) return true;
  return gapFits(
    gap,
    (/^\s*\S*/.exec(text.slice(value.start, value.start + 80))?.[0] ?? "").replace(/[,.;:]+$/, ""),
  );
}

/** Whether letters or digits touch on both sides of an offset: a literal does not begin or end inside a word. */
export function joinsWord(text: string, at: number): boolean {
  return isWordCode(text.charCodeAt(at - 1)) && isWordCode(text.charCodeAt(at));
}

function isWordCode(code: number): boolean {
  return (
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    (code >= 97 && code <= 122) ||
    code === 95
  );
}

function trimRange(text: string, range: Range): Range {
  let { start, end } = range;
  while (start < end && /[\s]/.test(text[start] ?? "")) start += 1;
  while (end > start && /[\s]/.test(text[end - 1] ?? "")) end -= 1;
  return { start, end };
}
