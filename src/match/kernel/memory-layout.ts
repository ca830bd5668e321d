import type { KeyTable } from "../key-table.ts";

/** Below lies the block that tells the kernel where everything is. */
const FIRST = 1024;
/** Bits of a filter for each key: with two bits set a key, about two other texts in a hundred pass. */
const BITS_PER_KEY = 16;
const FILTER_BITS_MAX = 2 ** 26;

type Part = { readonly at: number } & (
  { readonly data: Uint32Array } | { readonly text: string; readonly data?: undefined }
);

/**
 * Lays out what a kernel reads, part behind part, and writes it once the memory is there.
 *
 * Every `place…` returns the byte address of what it placed; those of tables return the words that the
 * kernel's configuration has for them: filter, its shift, buckets, mask, entries.
 */
export class MemoryLayout {
  private readonly parts: Part[] = [];
  private next = FIRST;

  /** First address behind all parts. */
  get end(): number {
    return this.next;
  }

  /** Room of a number of bytes, zero at first. */
  reserve(bytes: number): number {
    const at = this.next;
    this.next = (at + bytes + 63) & ~63;
    return at;
  }

  /** Numbers as they are. */
  place(data: Uint32Array): number {
    const at = this.reserve(data.byteLength);
    this.parts.push({ at, data });
    return at;
  }

  /** A text, a byte a character, letters in lower case and other characters folded alike. */
  placeText(text: string): number {
    const at = this.reserve(text.length);
    this.parts.push({ at, text });
    return at;
  }

  /** Keys with their fragments: 16 bytes an entry. */
  placeKeys(table: KeyTable): readonly number[] {
    const { entryHashes, entryLiterals, entryOffsets, entryStarts, entryEnds } = table;
    const entries = new Uint32Array(entryHashes.length * 4);
    for (let e = 0, at = 0; e < entryHashes.length; e += 1, at += 4) {
      entries[at] = entryHashes[e] as number;
      entries[at + 1] = entryLiterals[e] as number;
      entries[at + 2] = (entryOffsets[e] as number) | ((entryStarts[e] as number) << 16);
      entries[at + 3] = entryEnds[e] as number;
    }
    return this.placeTable(table, entries);
  }

  /** Pairs of words with their shapes: 8 bytes an entry. */
  placePairs(table: KeyTable): readonly number[] {
    const { entryHashes, entryLiterals } = table;
    const entries = new Uint32Array(entryHashes.length * 2);
    for (let e = 0; e < entryHashes.length; e += 1) {
      entries[e * 2] = entryHashes[e] as number;
      entries[e * 2 + 1] = entryLiterals[e] as number;
    }
    return this.placeTable(table, entries);
  }

  private placeTable(table: KeyTable, entries: Uint32Array): readonly number[] {
    const { filter, shift } = buildFilter(table.entryHashes);
    return [
      this.place(filter),
      shift,
      this.place(table.bucketStarts),
      table.bucketMask,
      this.place(entries),
    ];
  }

  /** Writes all parts. */
  write(memory: ArrayBuffer): void {
    const bytes = Buffer.from(memory);
    for (const part of this.parts) {
      if (part.data !== undefined) {
        new Uint32Array(memory, part.at, part.data.length).set(part.data);
        continue;
      }
      const end = part.at + bytes.write(part.text, part.at, "latin1");
      for (let i = part.at; i < end; i += 1) bytes[i] = (bytes[i] as number) | 0x20;
    }
  }
}

interface Filter {
  readonly filter: Uint32Array;
  readonly shift: number;
}

/** Two bits of one word for each hash; both must be set for a key to be looked up. */
function buildFilter(hashes: Uint32Array): Filter {
  const wanted = Math.max(64, hashes.length * BITS_PER_KEY);
  const bits = Math.min(FILTER_BITS_MAX, 2 ** Math.ceil(Math.log2(wanted)));
  const shift = 32 - Math.log2(bits);
  const filter = new Uint32Array(bits / 32);
  for (const hash of hashes) {
    const place = hash >>> shift;
    const word = place >>> 5;
    filter[word] = (filter[word] as number) | (1 << (place & 31)) | (1 << (hash & 31));
  }
  return { filter, shift };
}
