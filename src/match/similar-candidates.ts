import type { Catalogue } from "./compile-catalogue.ts";
import { loadBytes } from "./scan-literals.ts";
import { PAIRS_MIN, WORDS_SHIFT, hashPair } from "./word-postings.ts";

/** Templates that are looked at closely for one text. */
const CANDIDATES_MAX = 32;
const TEXT_MAX = 4_096;

/**
 * Finds templates that share rare words with a text, by counting postings. Keeps its counters from one
 * text to the next; for one excerpt at a time.
 */
export class SimilarCandidates {
  private readonly catalogue: Catalogue;
  private counts: Uint8Array | undefined;
  private readonly touched: number[] = [];
  private readonly hashes: number[] = [];

  constructor(catalogue: Catalogue) {
    this.catalogue = catalogue;
  }

  /** Whether any template shares enough rare words with the text in `[start, end)` to be looked at. */
  hasAny(bytes: Uint8Array, start: number, end: number): boolean {
    const most = this.count(bytes, start, end);
    this.clear();
    return most >= PAIRS_MIN;
  }

  /** Shapes that share enough rare words with the text, those with most first, at most 32. */
  of(text: string): readonly number[] {
    this.count(loadBytes(text), 0, text.length);
    const { counts } = this;
    const picked = this.touched.filter((shape) => (counts?.[shape] ?? 0) >= PAIRS_MIN);
    picked.sort((a, b) => (counts?.[b] ?? 0) - (counts?.[a] ?? 0) || a - b);
    this.clear();
    return picked.slice(0, CANDIDATES_MAX);
  }

  private clear(): void {
    for (const shape of this.touched) if (this.counts !== undefined) this.counts[shape] = 0;
    this.touched.length = 0;
  }

  /** Counts each pair of rare words of the text once a shape; returns the highest count. */
  private count(bytes: Uint8Array, start: number, end: number): number {
    const hashes = this.rareWords(bytes, start, Math.min(end, start + TEXT_MAX));
    if (hashes.length <= PAIRS_MIN) return 0;
    this.counts ??= new Uint8Array(this.catalogue.shapeBits.length);
    let most = 0;
    for (let i = 1; i < hashes.length; i += 1) {
      const hash = hashes[i] as number;
      most = Math.max(most, this.countPair(hashPair(hashes[i - 1] as number, hash)));
      // A value may happen to be a rare word of some other template: it is passed over once.
      if (i > 1) most = Math.max(most, this.countPair(hashPair(hashes[i - 2] as number, hash)));
    }
    return most;
  }

  private countPair(pair: number): number {
    const { pairs } = this.catalogue.wordPostings;
    const bit = pair >>> pairs.bitmapShift;
    if ((((pairs.bitmap[bit >>> 5] as number) >>> (bit & 31)) & 1) === 0) return 0;
    const counts = this.counts as Uint8Array;
    const bucket = pair & pairs.bucketMask;
    const end = pairs.bucketStarts[bucket + 1] as number;
    let most = 0;
    for (let i = pairs.bucketStarts[bucket] as number; i < end; i += 1) {
      if (pairs.entryHashes[i] !== pair) continue;
      const shape = pairs.entryLiterals[i] as number;
      const count = (counts[shape] as number) + 1;
      if (count === 1) this.touched.push(shape);
      counts[shape] = count;
      if (count > most) most = count;
    }
    return most;
  }

  /** Hashes of the text's words that are rare words of some template, in order. */
  private rareWords(bytes: Uint8Array, start: number, end: number): readonly number[] {
    const { words } = this.catalogue.wordPostings;
    const { hashes } = this;
    hashes.length = 0;
    for (let at = start; at < end; at += 1) {
      let code = WORD_CODES[bytes[at] as number] as number;
      if (code < LETTERS_FROM) continue;
      let hash = 0x811c9dc5;
      const first = at;
      do {
        hash = Math.imul(hash ^ code, 0x01000193);
        at += 1;
        code = WORD_CODES[bytes[at] as number] as number;
      } while (code !== 0 && at < end);
      if (at - first < 2) continue;
      const bit = hash >>> WORDS_SHIFT;
      if (((words[bit >>> 5] as number) >>> (bit & 31)) & 1) hashes.push(hash >>> 0);
    }
    return hashes;
  }
}

const LETTERS_FROM = 97;
/** Byte → lower-case code of a letter or the code of a digit; 0 for what separates words. */
const WORD_CODES = Uint8Array.from({ length: 256 }, (_, code) => {
  if (code >= 48 && code <= 57) return code;
  const lower = code | 0x20;
  return code < 128 && lower >= LETTERS_FROM && lower <= 122 ? lower : 0;
});
