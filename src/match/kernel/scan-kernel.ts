import type { Catalogue } from "../compile-catalogue.ts";
import { CUTTABLE_BITS } from "../compile-catalogue.ts";
import { GAP_KINDS, SHORT_GAPS } from "../compile-template.ts";
import type { KeyTable } from "../key-table.ts";
import { GAP_MAX } from "../text-finder.ts";
import { WORDS_SHIFT } from "../word-postings.ts";
import { KERNEL_BYTES } from "./kernel-bytes.ts";
import { MemoryLayout } from "./memory-layout.ts";
import { type WasmMemory, type WasmModule, webAssembly } from "./web-assembly.ts";

/** The functions of the compiled kernel; `scan-kernel.as` tells what each does. */
interface KernelFunctions {
  beginText(length: number, isWide: number): void;
  nextPlausible(): number;
  markLines(length: number, isWide: number): number;
  findSimilar(length: number): number;
}

/** Takes a place where a catalogue literal may stand: its global index and the offset of its first character. */
export type OnCandidate = (literal: number, start: number) => void;

// Where the kernel reads its configuration from; the order of these words is that of `scan-kernel.as`.
const CONFIG = 64 / 4;
const EPOCH = CONFIG + 29;
const LINES = CONFIG + 27;
const MARKS = CONFIG + 28;
const PAGE = 2 ** 16;
/** Blocks of 16 bytes are read over the end of a text. */
const PADDING = 64;
const TEXT_FIRST = 2 ** 16;
const OUT_MIN = 1024;
const TOUCHED_MAX = 2 ** 16;
const HASHES_MAX = 4096;
/** Longer literals exist; what stands beyond the reach is then not looked for here. */
const LITERAL_MAX = 4_096;
const SHORT_GAP_MAX = 128;
const FLAG_UNGLUED = 1;

/** Characters that a byte cannot hold; costs nothing for a text that has none. */
const WIDE = /[^\0-\xff]/;

let compiled: WasmModule | undefined;

/**
 * One catalogue's keys and words in the memory of a WebAssembly instance, with the loops that go over every
 * byte of a text. Keeps its buffers from one text to the next: it is for one text at a time.
 */
export class ScanKernel {
  private readonly memory: WasmMemory;
  private readonly kernel: KernelFunctions;
  private readonly textAt: number;
  private readonly outAt: number;
  private words: Uint32Array;
  private bytes: Buffer;
  private textMax = 0;

  constructor(catalogue: Catalogue) {
    const layout = new MemoryLayout();
    const outMax = Math.max(
      OUT_MIN,
      largestBucket(catalogue.keysEight),
      largestBucket(catalogue.keysFive),
    );
    const tables = placeTables(layout, catalogue, outMax);
    this.outAt = tables.outAt;
    this.textAt = layout.end;
    const pages = Math.ceil((this.textAt + TEXT_FIRST * 8) / PAGE) + 1;
    this.memory = new webAssembly.Memory({ initial: pages });
    layout.write(this.memory.buffer);
    this.words = new Uint32Array(this.memory.buffer);
    this.words.set(tables.config, CONFIG);
    this.bytes = Buffer.from(this.memory.buffer);
    compiled ??= new webAssembly.Module(Buffer.from(KERNEL_BYTES, "base64"));
    const instance = new webAssembly.Instance(compiled, { env: { memory: this.memory } });
    this.kernel = instance.exports as KernelFunctions;
    this.reserve(TEXT_FIRST);
  }

  /** See `scanText`. */
  scan(text: string, found: OnCandidate): void {
    this.load(text);
    this.kernel.beginText(text.length, Number(WIDE.test(text)));
    for (;;) {
      const count = this.kernel.nextPlausible();
      if (count === 0) return;
      const out = this.outAt / 4;
      for (let i = out; i < out + count * 2; i += 2) {
        found(this.words[i] as number, (this.words[i + 1] as number) | 0);
      }
    }
  }

  /** See `markLines`; lines are those between line feeds. */
  mark(text: string): Uint8Array {
    this.load(text);
    const count = this.kernel.markLines(text.length, Number(WIDE.test(text)));
    const at = this.words[MARKS] as number;
    return this.bytes.subarray(at, at + count);
  }

  /** Shapes that share enough pairs of rare words with a text, in no order, with how many. */
  similar(text: string): readonly (readonly [shape: number, pairs: number])[] {
    this.load(text);
    const count = this.kernel.findSimilar(text.length);
    const out = this.outAt / 4;
    return Array.from({ length: count }, (_, i) => [
      this.words[out + i * 2] as number,
      this.words[out + i * 2 + 1] as number,
    ]);
  }

  /** A byte a character, the low one of each. */
  private load(text: string): void {
    if (text.length > this.textMax) this.reserve(text.length);
    this.bytes.write(text, this.textAt, "latin1");
    this.bytes.fill(0, this.textAt + text.length, this.textAt + text.length + PADDING);
  }

  /** Makes room for a text, and for its lines: at most one more than it has characters. */
  private reserve(length: number): void {
    const size = 2 ** Math.ceil(Math.log2(length + PADDING));
    const end = this.textAt + size * 6 + PADDING;
    if (end > this.memory.buffer.byteLength) {
      this.memory.grow(Math.ceil((end - this.memory.buffer.byteLength) / PAGE));
      this.words = new Uint32Array(this.memory.buffer);
      this.bytes = Buffer.from(this.memory.buffer);
    }
    this.words[LINES] = this.textAt + size;
    this.words[MARKS] = this.textAt + size * 5;
    this.words[EPOCH] = 0;
    this.textMax = size - PADDING;
  }
}

const kernels = new WeakMap<Catalogue, ScanKernel>();

/** The kernel of a catalogue, made when it is first asked for. */
export function kernelOf(catalogue: Catalogue): ScanKernel {
  let kernel = kernels.get(catalogue);
  if (kernel === undefined) kernels.set(catalogue, (kernel = new ScanKernel(catalogue)));
  return kernel;
}

function largestBucket({ bucketStarts }: KeyTable): number {
  let most = 0;
  for (let i = 1; i < bucketStarts.length; i += 1)
    most = Math.max(most, (bucketStarts[i] as number) - (bucketStarts[i - 1] as number));
  return most;
}

interface PlacedTables {
  readonly config: readonly number[];
  readonly outAt: number;
}

function placeTables(layout: MemoryLayout, catalogue: Catalogue, outMax: number): PlacedTables {
  const { wordPostings, literals, shapeBits } = catalogue;
  const eight = layout.placeKeys(catalogue.keysEight);
  const five = layout.placeKeys(catalogue.keysFive);
  const literalBytes = layout.placeText(literals.text);
  const literalTable = layout.place(literalEntries(catalogue, literalBytes));
  const memos = layout.reserve(literals.ends.length * 8);
  const words = layout.place(wordPostings.words);
  const pairs = layout.placePairs(wordPostings.pairs);
  const counts = layout.reserve(shapeBits.length);
  const touchedMax = Math.min(TOUCHED_MAX, shapeBits.length + 1);
  const touched = layout.reserve(touchedMax * 4);
  const hashes = layout.reserve(HASHES_MAX * 4);
  const outAt = layout.reserve(outMax * 8);
  const config = [
    ...eight,
    ...five,
    ...[literalTable, literalBytes, memos, words, WORDS_SHIFT],
    ...pairs,
    ...[counts, touched, touchedMax, hashes, outAt, outMax, layout.end, 0, 0, 0],
  ];
  return { config, outAt };
}

/** Four words a literal: where its bytes are, whether a word may be glued to it, and what must come after it. */
function literalEntries(catalogue: Catalogue, bytesAt: number): Uint32Array {
  const { literals, shapeBits, shapeLiterals, literalShapes, literalGaps } = catalogue;
  const count = literals.ends.length;
  const table = new Uint32Array(count * 4);
  for (let literal = 0; literal < count; literal += 1) {
    const shape = literalShapes[literal] as number;
    const begin = literal === 0 ? 0 : (literals.ends[literal - 1] as number);
    const isFirst = literal === shapeLiterals[shape];
    const isUnglued = isFirst && GAP_KINDS[literalGaps[literal] as number] === "none";
    table[literal * 4] = bytesAt + begin;
    table[literal * 4 + 1] = isUnglued ? FLAG_UNGLUED << 16 : 0;
    const next = literal + 1;
    // A text may be cut off before the next literal of a long template.
    if ((shapeBits[shape] as number) >= CUTTABLE_BITS) continue;
    if (next >= (shapeLiterals[shape + 1] as number)) continue;
    const run = catalogue.literalRunStarts[next] as number;
    const length = (catalogue.literalRunEnds[next] as number) - run;
    const gap = GAP_KINDS[literalGaps[next] as number] ?? "any";
    const reach = LITERAL_MAX + (SHORT_GAPS.has(gap) ? SHORT_GAP_MAX : GAP_MAX);
    table[literal * 4 + 2] = bytesAt + (literals.ends[literal] as number) + run;
    table[literal * 4 + 3] = length | (reach << 16);
  }
  return table;
}
