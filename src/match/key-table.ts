/**
 * Occurrences of short keys in literals: hash → (literal, offset of the key in it), as flat arrays.
 *
 * Buckets are found by the low bits of the hash; entries of one bucket with another hash are passed over.
 */
export interface KeyTable {
  readonly bucketMask: number;
  readonly bucketStarts: Uint32Array;
  readonly entryHashes: Uint32Array;
  readonly entryLiterals: Uint32Array;
  readonly entryOffsets: Uint16Array;
  /** The fragment around the key, as a half-open range of offsets in the literal: all of it must stand in the text. */
  readonly entryStarts: Uint16Array;
  readonly entryEnds: Uint16Array;
}

/** A key of a literal on its way into a table. */
export interface KeyEntries {
  readonly hashes: number[];
  readonly literals: number[];
  readonly offsets: number[];
  readonly starts: number[];
  readonly ends: number[];
}

/** No entries yet. */
export function createKeyEntries(): KeyEntries {
  return { hashes: [], literals: [], offsets: [], starts: [], ends: [] };
}

function powerOfTwoFrom(least: number): number {
  return 2 ** Math.max(6, Math.ceil(Math.log2(Math.max(1, least))));
}

/** Builds a table by counting sort: linear in the number of keys. */
export function buildKeyTable(entries: KeyEntries): KeyTable {
  const count = entries.hashes.length;
  const buckets = powerOfTwoFrom(count * 2);
  const bucketStarts = new Uint32Array(buckets + 1);
  const mask = buckets - 1;
  for (const hash of entries.hashes) {
    bucketStarts[(hash & mask) + 1] = (bucketStarts[(hash & mask) + 1] ?? 0) + 1;
  }
  for (let i = 0; i < buckets; i += 1)
    bucketStarts[i + 1] = (bucketStarts[i + 1] ?? 0) + (bucketStarts[i] ?? 0);
  const next = bucketStarts.slice();
  const entryHashes = new Uint32Array(count);
  const entryLiterals = new Uint32Array(count);
  const entryOffsets = new Uint16Array(count);
  const entryStarts = new Uint16Array(count);
  const entryEnds = new Uint16Array(count);
  for (let i = 0; i < count; i += 1) {
    const hash = entries.hashes[i] ?? 0;
    const at = next[hash & mask] ?? 0;
    next[hash & mask] = at + 1;
    entryHashes[at] = hash;
    entryLiterals[at] = entries.literals[i] ?? 0;
    entryOffsets[at] = entries.offsets[i] ?? 0;
    entryStarts[at] = entries.starts[i] ?? 0;
    entryEnds[at] = entries.ends[i] ?? 0;
  }
  return {
    bucketMask: mask,
    bucketStarts,
    entryHashes,
    entryLiterals,
    entryOffsets,
    entryStarts,
    entryEnds,
  };
}

/** ASCII letters of both cases look the same after this; other characters may fall together too. */
const FOLD = 0x20202020;

/** Hash of four folded bytes, little endian, as an unsigned 32-bit number. */
export function hashFour(a: number): number {
  return Math.imul(a ^ (a >>> 15), 0x2c1b3c6d) >>> 0;
}

/** Hash of five folded bytes: the hash of the first four and the next four, of which one counts. */
export function hashFive(four: number, b: number): number {
  return Math.imul(four ^ (b & 255), 0x9e3779b1) >>> 0;
}

/** Hash of eight folded bytes: the hash of the first four and the next four, little endian. */
export function hashEight(four: number, b: number): number {
  const mixed = Math.imul(four ^ b, 0x85ebca6b);
  return Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> 0;
}

/** A character of a literal as the scan reads it: its low byte, folded; that of a blank past the end. */
export function foldedAt(text: string, at: number): number {
  return (text.charCodeAt(at) & 255) | 0x20;
}

/** Four characters of a literal as one word, little endian and folded, as the scan reads them from bytes. */
export function wordAt(text: string, at: number): number {
  return (
    ((text.charCodeAt(at) & 255) |
      ((text.charCodeAt(at + 1) & 255) << 8) |
      ((text.charCodeAt(at + 2) & 255) << 16) |
      ((text.charCodeAt(at + 3) & 255) << 24) |
      FOLD) >>>
    0
  );
}
