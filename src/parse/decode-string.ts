import { type MappedText, MappedTextBuilder, locate } from "../log/mapped-text.ts";

const SIMPLE: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  b: "\b",
  f: "\f",
  v: "\v",
  a: "\u0007",
  "0": "\0",
  '"': '"',
  "'": "'",
  "`": "`",
  "\\": "\\",
  "/": "/",
};

/** An escape that was read: the text it stands for and the offset after it. */
interface Unescaped {
  readonly text: string;
  readonly end: number;
}

function fromHex(text: string, start: number, digits: number): Unescaped | undefined {
  const hex = text.slice(start, start + digits);
  if (hex.length !== digits || !/^[0-9a-fA-F]+$/.test(hex)) return undefined;
  const code = Number.parseInt(hex, 16);
  if (code > 0x10ffff) return undefined;
  return { text: String.fromCodePoint(code), end: start + digits };
}

/** Rust prints `\u{1f600}`. */
function fromBraces(text: string, start: number): Unescaped | undefined {
  const close = text.indexOf("}", start);
  if (close < 0 || close - start > 7) return undefined;
  const read = fromHex(text, start + 1, close - start - 1);
  return read === undefined ? undefined : { text: read.text, end: close + 1 };
}

/** Reads the escape whose backslash stands at `at`: JSON, Go `%q`, Rust `{:?}` and C spellings. */
function unescapeAt(text: string, at: number): Unescaped {
  const letter = text[at + 1] ?? "";
  const simple = SIMPLE[letter];
  if (simple !== undefined) return { text: simple, end: at + 2 };
  let read: Unescaped | undefined;
  if (letter === "u")
    read = text[at + 2] === "{" ? fromBraces(text, at + 2) : fromHex(text, at + 2, 4);
  else if (letter === "x") read = fromHex(text, at + 2, 2);
  else if (letter === "U") read = fromHex(text, at + 2, 8);
  // An unknown escape stands for itself: a Windows path or a regular expression that nobody escaped.
  return read ?? { text: "\\", end: at + 1 };
}

/** Undoes the escapes in `[start, end)` of a text, keeping the map. */
export function decodeEscapes(mapped: MappedText, start: number, end: number): MappedText {
  const builder = new MappedTextBuilder();
  let from = start;
  while (from < end) {
    let at = mapped.text.indexOf("\\", from);
    if (at < 0 || at >= end) at = end;
    if (at > from) builder.appendMapped(mapped, from, at);
    if (at >= end) break;
    const read = unescapeAt(mapped.text, at);
    builder.append(read.text, locate(mapped, at));
    from = Math.max(read.end, at + 1);
  }
  return builder.build();
}

/**
 * Offset of the quote that closes the string opened before `start`, or `-1` when the text ends first.
 */
export function closingQuote(text: string, start: number, quote: string): number {
  let at = start;
  for (;;) {
    const close = text.indexOf(quote, at);
    if (close < 0) return -1;
    const backslashes = countBackslashes(text, close, start);
    if (backslashes % 2 === 0) return close;
    at = close + 1;
  }
}

function countBackslashes(text: string, before: number, floor: number): number {
  let count = 0;
  while (before - 1 - count >= floor && text[before - 1 - count] === "\\") count += 1;
  return count;
}
