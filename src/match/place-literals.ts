import type { Catalogue } from "./compile-catalogue.ts";
import { GAP_KINDS, type GapKind } from "./compile-template.ts";
import { gapFits, isBalanced, isUnbounded } from "./gap-text.ts";
import { stringAt } from "./string-table.ts";
import { GAP_MAX, type Sought, type TextFinder } from "./text-finder.ts";

/** A half-open range of offsets in a view's text. */
export interface Range {
  readonly start: number;
  readonly end: number;
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

/**
 * Places the literals of one shape in one text, outward from an anchor: the nearest place first,
 * preferring one that leaves brackets and quotes in the gap paired. For one use.
 */
export class LiteralPlacer {
  /** Whether a literal was found in other letter case only. */
  isFolded = false;
  /** Whether the text ended before the last literal. */
  isCut = false;
  /** Information of the literals that were seen. */
  seenBits = 0;
  private readonly catalogue: Catalogue;
  private readonly finder: TextFinder;

  constructor(catalogue: Catalogue, finder: TextFinder) {
    this.catalogue = catalogue;
    this.finder = finder;
  }

  /** The literal at a place, whole or cut off by the end of the text. */
  place(literal: number, start: number): Range | undefined {
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

  /** What may stand before a literal. */
  gapBefore(literal: number): GapKind {
    return GAP_KINDS[this.catalogue.literalGaps[literal] ?? 0] ?? "any";
  }

  /** The literals before the anchor, outward from it; `undefined` when one is missing. */
  readBackward(first: number, anchor: number, anchorStart: number): Range[] | undefined {
    const ranges: Range[] = [];
    let end = anchorStart;
    for (let literal = anchor - 1; literal >= first; literal -= 1) {
      const sought = this.sought(literal);
      const at = this.placeBefore(sought, end, this.gapBefore(literal + 1));
      if (at < 0) return undefined;
      ranges.unshift({ start: at, end: at + sought.text.length });
      this.seenBits += this.catalogue.literalBits[literal] ?? 0;
      end = at;
    }
    return ranges;
  }

  private sought(literal: number): Sought {
    return { literal, text: stringAt(this.catalogue.literals, literal) };
  }

  private placeBefore(sought: Sought, end: number, gap: GapKind): number {
    const nearest = this.fittingBefore(sought, end, gap, false);
    if (nearest >= 0) return nearest;
    const folded = this.fittingBefore(sought, end, gap, true);
    if (folded >= 0) this.isFolded = true;
    return folded;
  }

  private fittingBefore(sought: Sought, end: number, gap: GapKind, isFolded: boolean): number {
    let nearest = -1;
    let limit = end;
    for (let i = 0; i < BALANCED_TRIES; i += 1) {
      const at = this.finder.previous(sought, limit, isFolded);
      if (at < 0) break;
      const from = at + sought.text.length;
      if (this.fits(gap, from, end)) {
        if (nearest < 0) nearest = at;
        if (isBalanced(this.finder.text, from, end)) return at;
      }
      limit = from - 1;
    }
    return nearest;
  }

  /** The literals after the anchor, as far as the text goes; `undefined` when one is missing. */
  readForward(anchor: number, last: number, anchorEnd: number): Range[] | undefined {
    const ranges: Range[] = [];
    let from = anchorEnd;
    for (let literal = anchor + 1; literal <= last && !this.isCut; literal += 1) {
      const sought = this.sought(literal);
      const gap = this.gapBefore(literal);
      const at = this.placeAfter(sought, from, gap, literal < last ? literal + 1 : -1);
      if (at < 0) {
        const cut = this.cutAfter(sought, from);
        if (cut === undefined) return undefined;
        if (cut.end > cut.start) ranges.push(cut);
        break;
      }
      this.seenBits += this.catalogue.literalBits[literal] ?? 0;
      from = at + sought.text.length;
      ranges.push({ start: at, end: from });
    }
    return ranges;
  }

  private placeAfter(sought: Sought, from: number, gap: GapKind, following: number): number {
    const nearest = this.fittingAfter(sought, from, { gap, following, isFolded: false });
    // The letter case of a message changes at its beginning; later words follow only where it did.
    if (nearest >= 0 || !this.isFolded) return nearest;
    const folded = this.fittingAfter(sought, from, { gap, following, isFolded: true });
    if (folded >= 0) this.isFolded = true;
    return folded;
  }

  private fittingAfter(sought: Sought, from: number, want: Wanted): number {
    let nearest = -1;
    let at = this.finder.next(sought, from, want.isFolded);
    for (let i = 0; i < PLACES_TRIED && at >= 0; i += 1) {
      const fits = this.fits(want.gap, from, at);
      if (!fits && want.gap === "blank") break;
      if (fits && this.canFollow(want.following, at + sought.text.length)) {
        if (nearest < 0) nearest = at;
        if (isBalanced(this.finder.text, from, at)) return at;
        if (i >= BALANCED_TRIES) return nearest;
      }
      at = this.finder.next(sought, at + 1, want.isFolded);
    }
    return nearest;
  }

  private fits(gap: GapKind, from: number, end: number): boolean {
    return isUnbounded(gap) || gapFits(gap, this.finder.text.slice(from, end));
  }

  /** Whether the literal after the next one may come: at once after white space, or after digits. */
  private canFollow(literal: number, at: number): boolean {
    if (literal < 0) return true;
    const gap = this.gapBefore(literal);
    if (gap !== "integer" && gap !== "blank") return true;
    const rest = this.finder.text.slice(at, at + 200);
    if (gap === "integer") return /^\s*(?:[-+[(]?\d|Some|None|<nil>|$)/.test(rest);
    const next = stringAt(this.catalogue.literals, literal);
    const begun = rest.trimStart();
    return begun.startsWith(next.slice(0, Math.min(next.length, begun.length)));
  }

  /** Whether the text ends inside the gap before a literal or inside the literal itself. */
  private cutAfter({ literal, text }: Sought, from: number): Range | undefined {
    const all = this.finder.text;
    if (all.length - from > GAP_MAX) return undefined;
    this.isCut = true;
    for (let length = Math.min(text.length - 1, all.length - from); length > 1; length -= 1) {
      if (!all.endsWith(text.slice(0, length))) continue;
      this.seenBits += ((this.catalogue.literalBits[literal] ?? 0) * length) / text.length;
      return { start: all.length - length, end: all.length };
    }
    return { start: all.length, end: all.length };
  }
}
