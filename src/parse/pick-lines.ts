import type { Excerpt } from "../log/excerpt.ts";
import type { NumberedLine } from "./join-lines.ts";
import { startsEvent } from "./log-header.ts";
import { stripLine } from "./strip-prefix.ts";

/** Which lines of an excerpt are worth parsing: one number a physical line, 0 for no. */
export type LineMarks = Uint8Array;

const LINES_MAX = 64;

/**
 * Splits an excerpt into numbered physical lines without their prefixes.
 *
 * With `marks`, only marked lines and the rest of their events are read, so that a long excerpt costs
 * what is interesting in it; what is left out could not have matched.
 */
export function pickLines(excerpt: Excerpt, marks?: LineMarks): readonly NumberedLine[] {
  const picker = new LinePicker(excerpt);
  for (let line = 0; line < picker.count; line += 1) {
    if (marks === undefined) picker.add(line);
    else if (marks[line] !== 0) picker.addEvent(line);
  }
  return picker.picked();
}

/** The physical lines of an excerpt, each read at most once and only when it is asked for. */
class LinePicker {
  private readonly texts: string[] = [];
  /** The stream of each line; `undefined` while all lines are of the first one. */
  private streams: string[] | undefined;
  private readonly firstStream: string;
  /** Line before and after each in its stream, -1 at the ends; made for more than one stream. */
  private before: Int32Array | undefined;
  private after: Int32Array | undefined;
  private readonly read = new Map<number, NumberedLine>();
  private readonly wanted = new Set<number>();

  constructor({ entries }: Excerpt) {
    this.firstStream = entries[0]?.stream ?? "";
    for (const { text, stream } of entries) {
      if (text.includes("\n")) for (const line of text.split("\n")) this.push(line, stream);
      else this.push(text, stream);
    }
    if (this.streams !== undefined) this.link(this.streams);
  }

  get count(): number {
    return this.texts.length;
  }

  private push(text: string, stream: string): void {
    if (this.streams === undefined && stream !== this.firstStream)
      this.streams = this.texts.map(() => this.firstStream);
    this.texts.push(text);
    this.streams?.push(stream);
  }

  private link(streams: readonly string[]): void {
    const last = new Map<string, number>();
    const before = (this.before = new Int32Array(streams.length));
    const after = (this.after = new Int32Array(streams.length).fill(-1));
    streams.forEach((stream, line) => {
      const previous = last.get(stream) ?? -1;
      before[line] = previous;
      if (previous >= 0) after[previous] = line;
      last.set(stream, line);
    });
  }

  private previousOf(line: number): number {
    return this.before === undefined ? line - 1 : (this.before[line] ?? -1);
  }

  private nextOf(line: number): number {
    if (this.after !== undefined) return this.after[line] ?? -1;
    return line + 1 < this.texts.length ? line + 1 : -1;
  }

  private lineAt(line: number): NumberedLine {
    let known = this.read.get(line);
    if (known === undefined) {
      const { content, partial, programs } = stripLine(this.texts[line] ?? "", line);
      const stream = this.streams === undefined ? this.firstStream : (this.streams[line] ?? "");
      known = { content, partial, programs, line, stream, previous: this.previousOf(line) };
      this.read.set(line, known);
    }
    return known;
  }

  add(line: number): void {
    this.wanted.add(line);
  }

  /** Adds the lines of the event that a line belongs to: back to its header, on to the next one. */
  addEvent(line: number): void {
    if (this.wanted.has(line)) return;
    for (let at = line, i = 0; at >= 0 && i < LINES_MAX; i += 1) {
      this.wanted.add(at);
      const previous = this.previousOf(at);
      const isBroken = previous >= 0 && isPartial(this.texts[previous] ?? "");
      if (!isBroken && startsEvent(this.lineAt(at).content.text)) break;
      at = previous;
    }
    let isOpen = this.lineAt(line).partial;
    for (let at = this.nextOf(line), i = 0; at >= 0 && i < LINES_MAX; i += 1) {
      const next = this.lineAt(at);
      if (!isOpen && startsEvent(next.content.text)) break;
      this.wanted.add(at);
      isOpen = next.partial;
      at = this.nextOf(at);
    }
  }

  picked(): readonly NumberedLine[] {
    return [...this.wanted].sort((a, b) => a - b).map((line) => this.lineAt(line));
  }
}

/** Whether a raw line looks like a CRI part that goes on in the next line. */
function isPartial(text: string): boolean {
  return text.includes(" P ");
}
