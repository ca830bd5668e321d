import type { CompiledTemplate } from "./compile-template.ts";
import { isSafe } from "./safe-run.ts";
import { foldedAt, hashEight, hashFive, hashFour, wordAt } from "./key-table.ts";

/**
 * Which keys of a template the scan looks for. The scan reads the text at every fourth byte, so a
 * fragment is registered under the keys of all four alignments: 11 characters give four keys of eight
 * bytes, 8 characters four of five bytes. A template with less in a row is too vague.
 */
export type FragmentTier = "eight" | "five";

/** Tiers by rarity of their keys, the rarest first. */
const TIERS: readonly FragmentTier[] = ["eight", "five"];

const WINDOW: Readonly<Record<FragmentTier, number>> = {
  eight: 11,
  five: 8,
};

/** The stretch of a template that the scan looks for. */
export interface Fragment {
  readonly tier: FragmentTier;
  /** Index of the literal within the template. */
  readonly literal: number;
  /** Offset of the fragment in the literal. */
  readonly offset: number;
}

const COUNTS_SIZE = 2 ** 20;

/** How many templates share a key, by hash: too many where hashes fall together, never too few. */
export interface KeyCounts {
  readonly eight: Uint32Array;
  readonly five: Uint32Array;
}

/** Counts with nothing counted. */
export function createKeyCounts(): KeyCounts {
  return {
    eight: new Uint32Array(COUNTS_SIZE),
    five: new Uint32Array(COUNTS_SIZE),
  };
}

/** Keys of a fragment: one for each alignment. */
export const KEYS_PER_FRAGMENT = 4;

/** Keys of one literal at each of its offsets: made once for all that is asked of them. */
export class LiteralKeys {
  private eight = new Uint32Array(256);
  private five = new Uint32Array(256);
  /** Keys of five bytes; of eight there are three fewer. */
  private count = 0;

  /** Reads the keys of a literal in the place of the last one's. */
  read(text: string): this {
    this.count = Math.max(0, text.length - 4);
    if (this.count > this.five.length) {
      this.eight = new Uint32Array(this.count * 2);
      this.five = new Uint32Array(this.count * 2);
    }
    let first = wordAt(text, 0);
    let next = wordAt(text, 4);
    for (let at = 0; at < this.count; at += 1) {
      const four = hashFour(first);
      this.five[at] = hashFive(four, next);
      this.eight[at] = hashEight(four, next);
      first = ((first >>> 8) | (next << 24)) >>> 0;
      next = ((next >>> 8) | (foldedAt(text, at + 8) << 24)) >>> 0;
    }
    return this;
  }

  /** Hash of the key at an offset. */
  at(offset: number, tier: FragmentTier): number {
    return (tier === "eight" ? this.eight : this.five)[offset] ?? 0;
  }

  /** Counts the keys once each. */
  countInto(counts: KeyCounts): void {
    for (let at = 0; at < this.count; at += 1) {
      const five = (this.five[at] ?? 0) & (COUNTS_SIZE - 1);
      counts.five[five] = (counts.five[five] ?? 0) + 1;
      if (at + 3 >= this.count) continue;
      const eight = (this.eight[at] ?? 0) & (COUNTS_SIZE - 1);
      counts.eight[eight] = (counts.eight[eight] ?? 0) + 1;
    }
  }

  /** How many templates the keys of a fragment stand in, summed. */
  costOf(offset: number, tier: FragmentTier, counts: KeyCounts): number {
    const keys = tier === "eight" ? this.eight : this.five;
    const table = tier === "eight" ? counts.eight : counts.five;
    let cost = 0;
    for (let i = offset; i < offset + KEYS_PER_FRAGMENT; i += 1)
      cost += table[(keys[i] ?? 0) & (COUNTS_SIZE - 1)] ?? 0;
    return cost;
  }
}

const scratch = new LiteralKeys();

/** Counts the keys of a template's literals. */
export function countKeys(counts: KeyCounts, template: CompiledTemplate): void {
  for (const literal of template.literals) scratch.read(literal.text).countInto(counts);
}

/** Share of a template's bits that must be seen before a cut text may count as a match. */
export const TRUNCATED_SHARE = 0.6;

/**
 * Chooses the rarest fragment of a template: the longest tier that fits, then the fewest other
 * templates on its keys, then the earliest.
 *
 * @param template - Its bits say how much of it a cut text must show.
 * @param counts - Keys of all templates.
 * @param isCuttable - Whether the template may match a cut text: then the fragment lies within the part that must be seen.
 */
export function chooseFragment(
  template: CompiledTemplate,
  counts: KeyCounts,
  isCuttable: boolean,
): Fragment | undefined {
  for (const tier of TIERS) {
    const found = bestOf(template, counts, tier, isCuttable ? TRUNCATED_SHARE : 1);
    if (found !== undefined)
      return isCuttable && found.cost > SHARED_COST_MAX
        ? rarer(template, counts, found)
        : found.fragment;
  }
  return isCuttable ? chooseFragment(template, counts, false) : undefined;
}

/** Above this the first part of a template is that of many others, and a text cut inside it tells nothing. */
const SHARED_COST_MAX = 24;

function rarer(template: CompiledTemplate, counts: KeyCounts, found: Costed): Fragment {
  const whole = bestOf(template, counts, found.fragment.tier, 1);
  return whole !== undefined && whole.cost < found.cost ? whole.fragment : found.fragment;
}

interface Costed {
  readonly fragment: Fragment;
  /** How many templates its keys stand in, summed. */
  readonly cost: number;
}

function bestOf(
  template: CompiledTemplate,
  counts: KeyCounts,
  tier: FragmentTier,
  share: number,
): Costed | undefined {
  let best: Fragment | undefined;
  let bestCost = Number.POSITIVE_INFINITY;
  let seenBits = 0;
  const limit = template.bits * share;
  template.literals.forEach((literal, index) => {
    const usable = usableLength(literal.text, literal.bits, limit - seenBits);
    seenBits += literal.bits;
    if (usable < WINDOW[tier]) return;
    const keys = scratch.read(literal.text);
    let safeFrom = 0;
    for (let end = 0; end < usable; end += 1) {
      if (!isSafe(literal.text, end)) safeFrom = end + 1;
      const offset = end + 1 - WINDOW[tier];
      if (offset < safeFrom) continue;
      const cost = keys.costOf(offset, tier, counts);
      if (cost >= bestCost) continue;
      bestCost = cost;
      best = { tier, literal: index, offset };
    }
  });
  return best === undefined ? undefined : { fragment: best, cost: bestCost };
}

/** How many characters of a literal lie within the bits that are left. */
function usableLength(text: string, bits: number, left: number): number {
  if (left >= bits) return text.length;
  return left <= 0 ? 0 : Math.floor((text.length * left) / bits);
}
