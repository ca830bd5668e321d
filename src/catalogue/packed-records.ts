import type { RecordStore } from "../enrich/ports.ts";
import type { CatalogueRecord } from "../record/known-error.ts";

/**
 * Records as JSON in a few large buffers: threads share them without a copy, the garbage collector
 * has nothing to walk through, and only a record that is asked for becomes an object.
 */
export interface PackedRecords {
  /** Two words for each id, the upper half first; in ascending order. */
  readonly ids: Uint32Array;
  /** Index in `chunks`. */
  readonly chunkOf: Uint16Array;
  /** Half-open range of bytes in the chunk. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly chunks: readonly Uint8Array[];
}

/** Size of the buffers; a record that needs more gets one of its own. */
const CHUNK_BYTES = 2 ** 24;
/** A UTF-16 unit becomes at most so many bytes. */
const UNIT_BYTES_MAX = 3;

/** Packs records that come in the order of their ids, each id once. */
export function packRecords(records: readonly CatalogueRecord[]): PackedRecords {
  const size = records.length;
  const ids = new Uint32Array(2 * size);
  const chunkOf = new Uint16Array(size);
  const starts = new Uint32Array(size);
  const ends = new Uint32Array(size);
  const chunks: Uint8Array[] = [];
  const encoder = new TextEncoder();
  let open: Uint8Array = new Uint8Array(0);
  let used = 0;
  for (const [index, entry] of records.entries()) {
    const text = JSON.stringify(entry);
    const bytesMax = text.length * UNIT_BYTES_MAX;
    if (open.length - used < bytesMax) {
      if (used > 0) chunks.push(open.subarray(0, used));
      open = new Uint8Array(new SharedArrayBuffer(Math.max(CHUNK_BYTES, bytesMax)));
      used = 0;
    }
    const { written } = encoder.encodeInto(text, open.subarray(used));
    ids.set(wordsOf(entry.record.id), 2 * index);
    chunkOf[index] = chunks.length;
    starts[index] = used;
    used += written;
    ends[index] = used;
  }
  if (used > 0) chunks.push(open.subarray(0, used));
  return { ids, chunkOf, starts, ends, chunks };
}

function wordsOf(id: string): readonly [number, number] {
  return [Number.parseInt(id.slice(0, 8), 16), Number.parseInt(id.slice(8), 16)];
}

/** Records that `get` keeps as objects: an alert asks for its record several times, a storm for few records. */
const RECENT_MAX = 512;

/** Reads packed records; a `get` parses one record of a few kilobytes, unless it was asked for lately. */
export function createPackedStore(packed: PackedRecords, datasetVersion: string): RecordStore {
  const size = packed.starts.length;
  const recent = new Map<string, CatalogueRecord>();
  return {
    get(id) {
      const known = recent.get(id);
      if (known !== undefined) return known;
      const index = /^[0-9a-f]{16}$/u.test(id) ? indexOf(packed.ids, id) : undefined;
      if (index === undefined) return undefined;
      // All at once instead of the oldest: cheap, and a storm fills it again with what it needs.
      if (recent.size >= RECENT_MAX) recent.clear();
      const entry = recordAt(packed, index);
      recent.set(id, entry);
      return entry;
    },
    size,
    datasetVersion,
    *records() {
      for (let index = 0; index < size; index += 1) yield recordAt(packed, index);
    },
  };
}

function indexOf(ids: Uint32Array, id: string): number | undefined {
  const [upper, lower] = wordsOf(id);
  let low = 0;
  let high = ids.length / 2;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const difference = (ids[2 * middle] ?? 0) - upper || (ids[2 * middle + 1] ?? 0) - lower;
    if (difference === 0) return middle;
    if (difference < 0) low = middle + 1;
    else high = middle;
  }
  return undefined;
}

function recordAt(
  { chunks, chunkOf, starts, ends }: PackedRecords,
  index: number,
): CatalogueRecord {
  const chunk = chunks[chunkOf[index] ?? 0] ?? new Uint8Array(0);
  const { buffer, byteOffset } = chunk;
  const start = starts[index] ?? 0;
  const bytes = Buffer.from(buffer, byteOffset + start, (ends[index] ?? 0) - start);
  return JSON.parse(bytes.toString("utf8")) as CatalogueRecord;
}
