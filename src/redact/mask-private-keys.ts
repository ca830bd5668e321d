import { isBase64, isBreak } from "./characters.ts";
import type { Span } from "./span.ts";

const BEGIN = "-----BEGIN ";
const END = "-----END ";
const DASHES = "-----";
const LABEL_LENGTH_MAX = 64;
/** A key with its end this near is masked whole; a longer one only where it looks like one. */
const BODY_LENGTH_MAX = 16_384;
const RUN_LENGTH_MIN = 16;
/** Headers of old PEM and PGP bodies. */
const HEADER = /^(?:Proc-Type|DEK-Info|Comment|Version|Hash|Charset):/;

/**
 * Masks the bodies of private keys in PEM form, on many lines or on one with `\n` in it; certificates
 * and public keys stay. A key whose end is not there is masked as far as its lines look like one.
 */
export function maskPrivateKeys(text: string, spans: Span[]): void {
  const marks = new Marks(text);
  let at = 0;
  for (let begin = marks.nextBegin(at); begin < text.length; begin = marks.nextBegin(at)) {
    const start = startOfBody(text, begin);
    at = start === undefined ? begin + BEGIN.length : maskBody(text, start, marks, spans);
  }
}

/** Masks a body and says where to go on. */
function maskBody(text: string, start: number, marks: Marks, spans: Span[]): number {
  const end = marks.nextEnd(start);
  const isWhole = end < text.length && end - start <= BODY_LENGTH_MAX;
  const stop = isWhole ? end : Math.min(marks.nextBegin(start), end);
  for (const line of linesOf(text, start, stop)) {
    if (isWhole) maskLine(text, line, spans);
    else if (!maskRuns(text, line, spans)) return line.from;
  }
  return stop;
}

/**
 * Places of the next marks from a place on, or the length of the text; places must not go back. What
 * was found once is not searched again, which keeps thousands of beginnings without an end linear.
 */
class Marks {
  readonly #text: string;
  #begin = -1;
  #end = -1;

  constructor(text: string) {
    this.#text = text;
  }

  nextBegin(from: number): number {
    if (this.#begin < from) this.#begin = this.#find(BEGIN, from);
    return this.#begin;
  }

  nextEnd(from: number): number {
    if (this.#end < from) this.#end = this.#find(END, from);
    return this.#end;
  }

  #find(mark: string, from: number): number {
    const at = this.#text.indexOf(mark, from);
    return at < 0 ? this.#text.length : at;
  }
}

/** Where the body of a private key begins; `undefined` for a certificate or a broken label. */
function startOfBody(text: string, begin: number): number | undefined {
  const labelStart = begin + BEGIN.length;
  const label = text.slice(labelStart, labelStart + LABEL_LENGTH_MAX);
  const length = label.indexOf(DASHES);
  const isPrivate = length > 0 && label.slice(0, length).includes("PRIVATE KEY");
  return isPrivate ? labelStart + length + DASHES.length : undefined;
}

interface Line {
  readonly from: number;
  readonly to: number;
}

/** The lines of a stretch without their line breaks; an empty stretch is one empty line. */
function* linesOf(text: string, from: number, to: number): Generator<Line> {
  let start = from;
  for (let at = from; at < to; at += 1) {
    if (!isBreak(text, at)) continue;
    yield { from: start, to: at };
    start = at + 1;
  }
  yield { from: start, to };
}

/** Masks a line but for the blanks around it. */
function maskLine(text: string, { from, to }: Line, spans: Span[]): void {
  const content = text.slice(from, to);
  const start = from + content.length - content.trimStart().length;
  const end = from + content.trimEnd().length;
  if (start < end) spans.push({ start, end });
}

/** Masks the runs of Base64 in a line; says whether the line may belong to a key. */
function maskRuns(text: string, { from, to }: Line, spans: Span[]): boolean {
  const line = text.slice(from, to).trim();
  if (line === "" || HEADER.test(line)) return true;
  let isKey = false;
  let at = from;
  while (at < to) {
    const start = at;
    while (at < to && isBase64(text, at)) at += 1;
    if (at - start >= RUN_LENGTH_MIN || (at > start && at - start === line.length)) {
      spans.push({ start, end: at });
      isKey = true;
    }
    at += 1;
  }
  return isKey;
}
