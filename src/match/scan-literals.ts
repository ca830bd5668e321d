import type { Catalogue } from "./compile-catalogue.ts";
import { FOLD, type KeyTable, hashEight, hashFour } from "./key-table.ts";

/** Takes a place where a catalogue literal may stand: its global index and the offset of its first character. */
export type OnCandidate = (literal: number, start: number) => void;

/**
 * The bytes of texts to be scanned, grown as needed and used again. Characters above U+00FF keep their
 * low byte only: that may claim a literal where there is none, never miss one, for fragments are ASCII.
 */
export class ScanBuffer {
  private bytes = new Uint8Array(1 << 16);
  private words = new Uint32Array(this.bytes.buffer);
  private length = 0;

  /** Puts a text in; it replaces what was there. */
  load(text: string): void {
    const size = (text.length + 16 + 3) & ~3;
    if (size > this.bytes.length) {
      this.bytes = new Uint8Array(1 << Math.ceil(Math.log2(size)));
      this.words = new Uint32Array(this.bytes.buffer);
    }
    const { bytes } = this;
    for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i);
    bytes.fill(0, text.length, size);
    this.length = text.length;
  }

  /**
   * Looks for the catalogue's keys at every fourth byte, for short ones at every byte. May claim too
   * much, never too little: what it claims is verified by `verifyTemplate`.
   */
  scan(catalogue: Catalogue, found: OnCandidate): void {
    const { words } = this;
    const { keysEight, keysFour, keysShort } = catalogue;
    const end = (this.length + 3) >> 2;
    const hasShort = keysShort.entryHashes.length > 0;
    let a = (words[0] as number) | FOLD;
    for (let i = 0; i < end; i += 1) {
      const b = (words[i + 1] as number) | FOLD;
      const eight = hashEight(a, b);
      const bit = eight >>> keysEight.bitmapShift;
      if (((keysEight.bitmap[bit >>> 5] as number) >>> (bit & 31)) & 1)
        report(keysEight, eight, i << 2, found);
      const four = hashFour(a);
      const bitFour = four >>> keysFour.bitmapShift;
      if (((keysFour.bitmap[bitFour >>> 5] as number) >>> (bitFour & 31)) & 1)
        report(keysFour, four, i << 2, found);
      if (hasShort) scanShort(keysShort, a, b, i << 2, found);
      a = b;
    }
  }
}

function report(keys: KeyTable, hash: number, at: number, found: OnCandidate): void {
  const bucket = hash & keys.bucketMask;
  const end = keys.bucketStarts[bucket + 1] as number;
  for (let e = keys.bucketStarts[bucket] as number; e < end; e += 1) {
    if (keys.entryHashes[e] !== hash) continue;
    const start = at - (keys.entryOffsets[e] as number);
    if (start >= 0) found(keys.entryLiterals[e] as number, start);
  }
}

function scanShort(keys: KeyTable, a: number, b: number, at: number, found: OnCandidate): void {
  for (let shift = 0; shift < 4; shift += 1) {
    const word = shift === 0 ? a : (a >>> (shift << 3)) | (b << (32 - (shift << 3)));
    const hash = hashFour(word >>> 0);
    const bit = hash >>> keys.bitmapShift;
    if (((keys.bitmap[bit >>> 5] as number) >>> (bit & 31)) & 1)
      report(keys, hash, at + shift, found);
  }
}
