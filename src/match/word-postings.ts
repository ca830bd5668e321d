import type { CompiledTemplate } from "./compile-template.ts";
import { type KeyEntries, type KeyTable, buildKeyTable, createKeyEntries } from "./key-table.ts";
import { splitWords, wordBits } from "./words.ts";

/** From how many bits on a word is rare enough to lead to a template. */
export const RARE_BITS = 9;
/** Rare words that a template and a text must share, in order, to be called similar. */
export const RARE_WORDS_MIN = 4;
/** A pair of more templates than this leads nowhere. */
const POSTINGS_MAX = 128;

/** Hash of a lower-case word (FNV-1a, 32 bit). */
export function hashWord(word: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i += 1) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Words of a template's literals, in order. */
function templateWords(template: Pick<CompiledTemplate, "literals">): readonly string[] {
  return template.literals.flatMap((each) => splitWords(each.text).map((word) => word.text));
}

/** Hash of two rare words that follow one another, by their hashes. */
function hashPair(first: number, second: number): number {
  return Math.imul(Math.imul(first, 0x9e3779b1) ^ second, 0x85ebca6b) >>> 0;
}

/** Rare words of templates, and pairs of them → shapes. */
export interface WordPostings {
  /** One bit a hash of a rare word of some template: a text's other words are passed over. */
  readonly words: Uint32Array;
  /** Pairs of neighbouring rare words → shapes (in place of literals) with at least four rare words. */
  readonly pairs: KeyTable;
}

/** Size of the word bitmap in bits; the index is the hash shifted right by `WORDS_SHIFT`. */
const WORDS_BITS = 2 ** 20;
/** See `WordPostings.words`. */
export const WORDS_SHIFT = 12;

/**
 * Builds the postings. A message that was reworded in one place keeps most of its pairs; values between
 * two words are passed over by the reader, for they are seldom rare words of a template.
 */
export function buildWordPostings(templates: readonly CompiledTemplate[]): WordPostings {
  const words = new Uint32Array(WORDS_BITS / 32);
  const postings = new Map<number, number[]>();
  templates.forEach((template, shape) => {
    const rare = templateWords(template).filter((word) => wordBits(word) >= RARE_BITS);
    if (new Set(rare).size < RARE_WORDS_MIN) return;
    const hashes = rare.map(hashWord);
    for (const hash of hashes)
      words[(hash >>> WORDS_SHIFT) >>> 5] =
        (words[(hash >>> WORDS_SHIFT) >>> 5] ?? 0) | (1 << ((hash >>> WORDS_SHIFT) & 31));
    const pairs = new Set(hashes.slice(1).map((hash, i) => hashPair(hashes[i] ?? 0, hash)));
    for (const pair of pairs) {
      const known = postings.get(pair);
      if (known === undefined) postings.set(pair, [shape]);
      else known.push(shape);
    }
  });
  return { words, pairs: buildKeyTable(entriesOf(postings)) };
}

function entriesOf(postings: ReadonlyMap<number, readonly number[]>): KeyEntries {
  const entries = createKeyEntries();
  for (const [hash, shapes] of postings) {
    if (shapes.length > POSTINGS_MAX) continue;
    for (const shape of shapes) {
      entries.hashes.push(hash);
      entries.literals.push(shape);
    }
  }
  return entries;
}
