import type { Catalogue } from "./compile-catalogue.ts";
import { POSTED_WORDS_MIN } from "./word-postings.ts";

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

  /** Whether any template shares enough rare words with the text to be looked at. */
  hasAny(text: string): boolean {
    const most = this.count(text);
    this.clear();
    return most >= POSTED_WORDS_MIN;
  }

  /** Shapes that share enough rare words with the text, those with most first, at most 32. */
  of(text: string): readonly number[] {
    this.count(text);
    const { counts } = this;
    const picked = this.touched.filter((shape) => (counts?.[shape] ?? 0) >= POSTED_WORDS_MIN);
    picked.sort((a, b) => (counts?.[b] ?? 0) - (counts?.[a] ?? 0) || a - b);
    this.clear();
    return picked.slice(0, CANDIDATES_MAX);
  }

  private clear(): void {
    for (const shape of this.touched) if (this.counts !== undefined) this.counts[shape] = 0;
    this.touched.length = 0;
  }

  /** Counts each posted word of the text once a shape; returns the highest count. */
  private count(text: string): number {
    const hashes = this.postedHashes(text);
    if (hashes.length < POSTED_WORDS_MIN) return 0;
    const { wordPostings, shapeBits } = this.catalogue;
    const counts = (this.counts ??= new Uint8Array(shapeBits.length));
    let most = 0;
    for (const hash of hashes) {
      const bucket = hash & wordPostings.bucketMask;
      const end = wordPostings.bucketStarts[bucket + 1] as number;
      for (let i = wordPostings.bucketStarts[bucket] as number; i < end; i += 1) {
        if (wordPostings.entryHashes[i] !== hash) continue;
        const shape = wordPostings.entryLiterals[i] as number;
        const count = (counts[shape] as number) + 1;
        if (count === 1) this.touched.push(shape);
        counts[shape] = count;
        if (count > most) most = count;
      }
    }
    return most;
  }

  /** Hashes of the text's words that have postings, each once. */
  private postedHashes(text: string): readonly number[] {
    const { bitmap, bitmapShift } = this.catalogue.wordPostings;
    const { hashes } = this;
    hashes.length = 0;
    const end = Math.min(text.length, TEXT_MAX);
    for (let at = 0; at < end; at += 1) {
      let code = foldLetter(text.charCodeAt(at));
      if (code === 0) continue;
      let hash = 0x811c9dc5;
      const start = at;
      do {
        hash = Math.imul(hash ^ code, 0x01000193);
        at += 1;
        code = foldWordCode(text.charCodeAt(at));
      } while (code !== 0 && at < end);
      if (at - start < 2) continue;
      const bit = (hash >>> 0) >>> bitmapShift;
      if ((((bitmap[bit >>> 5] as number) >>> (bit & 31)) & 1) === 0) continue;
      if (!hashes.includes(hash >>> 0)) hashes.push(hash >>> 0);
    }
    return hashes;
  }
}

/** Lower-case code of an ASCII letter, else 0. */
function foldLetter(code: number): number {
  const lower = code | 0x20;
  return lower >= 97 && lower <= 122 && code < 128 ? lower : 0;
}

function foldWordCode(code: number): number {
  return code >= 48 && code <= 57 ? code : foldLetter(code);
}
