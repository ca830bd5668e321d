/**
 * Decoded text that remembers where each part of it stood in the excerpt.
 *
 * Segment `i` begins at `offsets[i]` in `text` and comes from physical line `lines[i]` of the excerpt,
 * UTF-16 column `columns[i]`. Within a segment text and source advance together; `offsets` rises
 * strictly and begins with 0 (all three are empty for an empty text).
 */
export interface MappedText {
  readonly text: string;
  readonly offsets: readonly number[];
  readonly lines: readonly number[];
  readonly columns: readonly number[];
}

/** A place in the excerpt: index from 0 of the physical line and UTF-16 column. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Text that is one stretch of one line. */
export function mapLine(text: string, line: number, column: number): MappedText {
  return { text, offsets: [0], lines: [line], columns: [column] };
}

/** Index of the segment that holds `offset`; the last one that begins at or before it. */
function segmentAt(mapped: MappedText, offset: number): number {
  let low = 0;
  let high = mapped.offsets.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((mapped.offsets[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Where the character at `offset` stood; the start of the excerpt for an empty text. */
export function locate(mapped: MappedText, offset: number): Place {
  const segment = segmentAt(mapped, offset);
  const line = mapped.lines[segment] ?? 0;
  const column = (mapped.columns[segment] ?? 0) + offset - (mapped.offsets[segment] ?? 0);
  return { line, column };
}

/** The half-open range `[start, end)` of a mapped text, with its map. */
export function sliceMapped(mapped: MappedText, start: number, end: number): MappedText {
  const text = mapped.text.slice(start, end);
  const offsets: number[] = [];
  const lines: number[] = [];
  const columns: number[] = [];
  for (let i = segmentAt(mapped, start); i < mapped.offsets.length; i += 1) {
    const at = mapped.offsets[i] ?? 0;
    if (at >= end && offsets.length > 0) break;
    const skipped = Math.max(0, start - at);
    offsets.push(Math.max(0, at - start));
    lines.push(mapped.lines[i] ?? 0);
    columns.push((mapped.columns[i] ?? 0) + skipped);
  }
  return { text, offsets, lines, columns };
}

/** Collects pieces into one mapped text. */
export class MappedTextBuilder {
  private readonly pieces: string[] = [];
  private readonly offsets: number[] = [];
  private readonly lines: number[] = [];
  private readonly columns: number[] = [];
  private size = 0;

  /** Characters so far. */
  get length(): number {
    return this.size;
  }

  /** Adds text that stands at one place and advances with it. */
  append(text: string, place: Place): void {
    if (text === "") return;
    this.pieces.push(text);
    this.offsets.push(this.size);
    this.lines.push(place.line);
    this.columns.push(place.column);
    this.size += text.length;
  }

  /** Adds a range of another mapped text with its map. */
  appendMapped(mapped: MappedText, start = 0, end = mapped.text.length): void {
    if (start >= end) return;
    for (let i = segmentAt(mapped, start); i < mapped.offsets.length; i += 1) {
      const at = mapped.offsets[i] ?? 0;
      if (at >= end) break;
      const from = Math.max(at, start);
      this.offsets.push(this.size + from - start);
      this.lines.push(mapped.lines[i] ?? 0);
      this.columns.push((mapped.columns[i] ?? 0) + from - at);
    }
    this.pieces.push(mapped.text.slice(start, end));
    this.size += end - start;
  }

  build(): MappedText {
    return {
      text: this.pieces.length === 1 ? (this.pieces[0] ?? "") : this.pieces.join(""),
      offsets: this.offsets,
      lines: this.lines,
      columns: this.columns,
    };
  }
}
