import type { Catalogue } from "./compile-catalogue.ts";
import type { StringTable } from "./string-table.ts";
import { FOLD, type KeyTable, hashEight, hashFive, hashFour } from "./key-table.ts";

/** Takes a place where a catalogue literal may stand: its global index and the offset of its first character. */
export type OnCandidate = (literal: number, start: number) => void;

interface ScanState {
  readonly bytes: Uint8Array;
  readonly length: number;
  readonly literals: StringTable;
  readonly found: OnCandidate;
}

/**
 * The bytes of texts to be scanned, grown as needed and used again. Characters above U+00FF keep their
 * low byte only: that may claim a literal where there is none, never miss one, for fragments are ASCII.
 */
class ScanBuffer {
  private bytes = new Uint8Array(1 << 16);
  private words = new Uint32Array(this.bytes.buffer);
  private length = 0;
  private hits = new Uint32Array(1 << 12);
  private readonly encoder = new TextEncoder();

  /** Puts a text in; it replaces what was there. */
  load(text: string): Uint8Array {
    const size = (text.length + 16 + 3) & ~3;
    if (size > this.bytes.length) {
      this.bytes = new Uint8Array(1 << Math.ceil(Math.log2(size)));
      this.words = new Uint32Array(this.bytes.buffer);
    }
    const { bytes } = this;
    const { read, written } = this.encoder.encodeInto(text, bytes);
    // UTF-8 of ASCII is the text itself; anything else is copied by hand, a byte a character.
    if (read !== text.length || written !== text.length) {
      for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i);
    }
    bytes.fill(0, text.length, size);
    this.length = text.length;
    return bytes;
  }

  /**
   * Looks for the catalogue's keys at every fourth byte. May claim too
   * much, never too little: what it claims is verified by `verifyTemplate`.
   */
  scan(catalogue: Catalogue, found: OnCandidate): void {
    const { keysEight, keysFive } = catalogue;
    const places = (this.length + 3) >> 2;
    if (this.hits.length < places * 4) this.hits = new Uint32Array(places * 4);
    const count = collectHits(this.words, places, { keysEight, keysFive, hits: this.hits });
    const scan: ScanState = {
      bytes: this.bytes,
      length: this.length,
      literals: catalogue.literals,
      found,
    };
    for (let i = 0; i < count; i += 2) {
      const place = this.hits[i] as number;
      const keys = (place & 1) === 0 ? keysEight : keysFive;
      report(scan, keys, this.hits[i + 1] as number, (place >>> 1) << 2);
    }
  }
}

interface HitTables {
  readonly keysEight: KeyTable;
  readonly keysFive: KeyTable;
  /** Filled with pairs: twice the number of the word, plus 1 for a five-byte key, and the hash. */
  readonly hits: Uint32Array;
}

/**
 * The innermost loop: asks both bitmaps at every word and notes the places where one says yes. It calls
 * nothing, so that it stays a few machine instructions a byte.
 *
 * @returns How many numbers of `hits` were written.
 */
function collectHits(
  words: Uint32Array,
  places: number,
  { keysEight, keysFive, hits }: HitTables,
): number {
  const { bitmap: bitmapEight, bitmapShift: shiftEight } = keysEight;
  const { bitmap: bitmapFive, bitmapShift: shiftFive } = keysFive;
  let count = 0;
  let a = (words[0] as number) | FOLD;
  for (let i = 0; i < places; i += 1) {
    const b = (words[i + 1] as number) | FOLD;
    const four = hashFour(a);
    const five = hashFive(four, b);
    const bitFive = five >>> shiftFive;
    if (((bitmapFive[bitFive >>> 5] as number) >>> (bitFive & 31)) & 1) {
      hits[count] = (i << 1) | 1;
      hits[count + 1] = five;
      count += 2;
    }
    const eight = hashEight(four, b);
    const bit = eight >>> shiftEight;
    if (((bitmapEight[bit >>> 5] as number) >>> (bit & 31)) & 1) {
      hits[count] = i << 1;
      hits[count + 1] = eight;
      count += 2;
    }
    a = b;
  }
  return count;
}

/** Hands on the entries of a key whose whole fragment stands in the text around it. */
function report(scan: ScanState, keys: KeyTable, hash: number, at: number): void {
  const bucket = hash & keys.bucketMask;
  const end = keys.bucketStarts[bucket + 1] as number;
  for (let e = keys.bucketStarts[bucket] as number; e < end; e += 1) {
    if (keys.entryHashes[e] !== hash) continue;
    const start = at - (keys.entryOffsets[e] as number);
    const literal = keys.entryLiterals[e] as number;
    if (start + (keys.entryStarts[e] as number) >= 0 && standsAt(scan, keys, e, start))
      scan.found(literal, start);
  }
}

/** Whether the fragment's characters, letter case aside, stand where the literal would begin at `start`. */
function standsAt(scan: ScanState, keys: KeyTable, e: number, start: number): boolean {
  const { bytes, literals } = scan;
  const literal = keys.entryLiterals[e] as number;
  const base = literal === 0 ? 0 : (literals.ends[literal - 1] as number);
  const end = keys.entryEnds[e] as number;
  for (let i = keys.entryStarts[e] as number; i < end; i += 1) {
    if (start + i >= scan.length) return i - (keys.entryStarts[e] as number) >= CUT_MIN;
    if (((bytes[start + i] as number) | 0x20) !== (literals.text.charCodeAt(base + i) | 0x20))
      return false;
  }
  return true;
}

/** A fragment may be cut off by the end of the text once this many of its characters stand there. */
const CUT_MIN = 11;

// One buffer for all texts: scans never nest, and a fresh one for each short text costs more than the scan.
const buffer = new ScanBuffer();

/**
 * Reports every place where the rare fragment of a catalogue literal stands, letter case aside, in
 * rising order but for a few characters. May claim too much, never too little: `verifyTemplate`
 * confirms. `found` must not scan itself.
 *
 * @returns The text's bytes, as `loadBytes` gives them.
 */
export function scanText(catalogue: Catalogue, text: string, found: OnCandidate): Uint8Array {
  const bytes = buffer.load(text);
  buffer.scan(catalogue, found);
  return bytes;
}

/**
 * The bytes of a text, a byte a character: ASCII as it is, others by their low byte. Valid until the
 * next text is scanned or loaded.
 */
export function loadBytes(text: string): Uint8Array {
  return buffer.load(text);
}
