import type { View } from "../log/view.ts";
import type { MatchKind } from "../record/match.ts";
import { TRUNCATED_SHARE } from "./choose-fragment.ts";
import { CUTTABLE_BITS, type Catalogue } from "./compile-catalogue.ts";
import { GAP_KINDS } from "./compile-template.ts";
import { readLeading, readTrailing } from "./bound-captures.ts";
import { isBalanced } from "./gap-text.ts";
import { LiteralPlacer, type Range } from "./place-literals.ts";
import type { TextFinder } from "./text-finder.ts";
import { isSpace } from "./white-space.ts";

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
  /**
   * Whether the template stands only as a heading, its tail nowhere near: such a match is not reported,
   * yet it tells whose report this is.
   */
  readonly isContext: boolean;
  /** For a cut text: whether it looks cut, and does not just end differently. */
  readonly isCutClear: boolean;
  /** Information of the literals that were seen. */
  readonly bits: number;
}

/** A match on a cut text needs at least this much, whatever the share. */
const TRUNCATED_BITS = 24;

/**
 * Confirms a candidate: all literals of the shape in order around the one that stands at `anchor.start`,
 * with gaps that their placeholders can have printed.
 *
 * Linear in the gaps' lengths, for literals are searched outward and each at most 8 KiB away.
 */
export function verifyTemplate(
  catalogue: Catalogue,
  view: View,
  finder: TextFinder,
  anchor: { readonly literal: number; readonly start: number },
): FoundTemplate | undefined {
  const shape = catalogue.literalShapes[anchor.literal] ?? 0;
  const first = catalogue.shapeLiterals[shape] ?? 0;
  const last = (catalogue.shapeLiterals[shape + 1] ?? 1) - 1;
  const placer = new LiteralPlacer(catalogue, finder);
  const anchored = placer.place(anchor.literal, anchor.start);
  if (anchored === undefined) return undefined;
  const before = placer.readBackward(first, anchor.literal, anchored.start);
  const after = before && placer.readForward(anchor.literal, last, anchored.end);
  if (before === undefined || after === undefined) return undefined;
  if (placer.isCut && !isCutEnough(catalogue, shape, placer.seenBits)) return undefined;
  return bound(catalogue, view, { shape, placer, literals: [...before, anchored, ...after] });
}

function isCutEnough(catalogue: Catalogue, shape: number, seenBits: number): boolean {
  const bits = catalogue.shapeBits[shape] ?? 0;
  return bits >= CUTTABLE_BITS && seenBits >= Math.max(TRUNCATED_BITS, bits * TRUNCATED_SHARE);
}

interface Placed {
  readonly shape: number;
  readonly placer: LiteralPlacer;
  readonly literals: readonly Range[];
}

/** Finds where the captures begin and end. */
function bound(catalogue: Catalogue, view: View, placed: Placed): FoundTemplate | undefined {
  const { shape, placer, literals } = placed;
  const { text } = view;
  const first = catalogue.shapeLiterals[shape] ?? 0;
  const head = literals[0];
  const end = literals.at(-1)?.end ?? 0;
  const leading = head && readLeading(text, head.start, placer.gapBefore(first));
  if (head === undefined || leading === undefined) return undefined;
  const captures = [
    ...leading,
    ...gapsBetween(literals, (i) => placer.gapBefore(first + i) !== "blank"),
  ];
  const trailing = placer.isCut
    ? {
        kind: "printed" as const,
        captures: end < text.length ? [{ start: end, end: text.length }] : [],
      }
    : readTrailing(view, {
        literals,
        start: leading[0]?.start ?? head.start,
        gap: GAP_KINDS[catalogue.shapeTrailingGaps[shape] ?? 0] ?? "any",
        hasOptionalTail: catalogue.shapeOptionalTails[shape] === 1,
        bits: placer.seenBits,
      });
  if (trailing === undefined) return undefined;
  return {
    shape,
    view,
    literals,
    captures: [...captures, ...trailing.captures].map((each) => trimRange(text, each)),
    kind: placer.isCut ? "truncated" : "exact",
    isFolded: placer.isFolded,
    isContext: trailing.kind === "heading",
    isCutClear: placer.isCut && looksCut(text, end),
    bits: placer.seenBits,
  };
}

function gapsBetween(
  literals: readonly Range[],
  isCapture: (literal: number) => boolean,
): readonly Range[] {
  const gaps: Range[] = [];
  for (let i = 1; i < literals.length; i += 1) {
    if (isCapture(i)) gaps.push({ start: literals[i - 1]?.end ?? 0, end: literals[i]?.start ?? 0 });
  }
  return gaps;
}

const ELLIPSIS = /(?:…|\.\.\.)\s*$/;

/** Whether a text stops in the middle: inside a literal, inside brackets or quotes, or with an ellipsis. */
function looksCut(text: string, end: number): boolean {
  return (
    end === text.length || ELLIPSIS.test(text.slice(-8)) || !isBalanced(text, end, text.length)
  );
}

function trimRange(text: string, range: Range): Range {
  let { start, end } = range;
  while (start < end && isSpace(text, start)) start += 1;
  while (end > start && isSpace(text, end - 1)) end -= 1;
  return start === range.start && end === range.end ? range : { start, end };
}
