import { isBlank, isBreak, isKeyCharacter, isQuote, isSpace, isWord } from "./characters.ts";

/** Where a setting's value stands, and how it was written. */
export interface FoundValue {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
  /** Written `key: value` behind another word of a sentence, as in `invalid token: unexpected`. */
  readonly prose: boolean;
  /** Written `key: value` without quotes, so that the rest of a sentence may follow. */
  readonly open: boolean;
}

/** Where a key ends, what parts it from its value, and where the value begins. */
interface Separation {
  readonly at: number;
  readonly sign: "=" | ":" | ">" | " ";
  readonly spaced: boolean;
  /** Whether the sign is `=` and stands right behind the key. */
  readonly isTight: boolean;
  readonly keyQuoted: boolean;
}

const BLANKS_MAX = 8;
/** A sentence's quoted word is looked at this far; settings are taken to their end. */
const PROSE_LENGTH_MAX = 128;
const NAME_LENGTH_MAX = 40;
const COLOURS_MAX = 4;
// eslint-disable-next-line no-control-regex -- colours begin with an escape character
const COLOUR = /\u001b\[[0-9;]{0,12}m/y;

/**
 * Finds the value of the key at `[keyStart, keyEnd)` in every spelling that logs use: `k=v`, `k: v`,
 * `"k":"v"` in any depth of escaping, `k => v`, `--k v`, `<k>v</k>`, `k%3Dv`, `k[x]=v`, `k 'v'`.
 *
 * Looks no further than the end of the line.
 */
export function findValue(text: string, keyStart: number, keyEnd: number): FoundValue | undefined {
  const parted = findSeparator(text, keyStart, keyEnd);
  if (parted === undefined) return undefined;
  const open = parted.sign === ":" && parted.spaced && !parted.keyQuoted;
  const prose = open && followsWord(text, keyStart);
  const start = skipWrapper(text, parted.at);
  const quote = readQuote(text, start);
  if (quote !== undefined) {
    const end = findClosing(text, quote, prose ? PROSE_LENGTH_MAX : Number.POSITIVE_INFINITY);
    if (end === undefined) return undefined;
    return { start: quote.after, end, quoted: true, prose, open: false };
  }
  if (isLeftEmpty(text, parted, start)) return undefined;
  const end = parted.sign === ">" ? untilTag(text, start) : untilDelimiter(text, start);
  return { start, end, quoted: false, prose, open };
}

/**
 * Whether no value is given without quotes: a mapping's own keys are looked at by themselves, and
 * behind `password= user=bob` the next setting follows. `{SSHA}abc` is a value all the same.
 */
function isLeftEmpty(text: string, { isTight, spaced }: Separation, at: number): boolean {
  if (text[at] === "{") return !/^\{\w{1,16}\}\S/.test(text.slice(at, at + 24));
  return (
    isTight && spaced && /^[\w.-]{1,40}=[^\s=:,;]/.test(text.slice(at, at + NAME_LENGTH_MAX + 2))
  );
}

function findSeparator(text: string, keyStart: number, keyEnd: number): Separation | undefined {
  const nameEnd = skipColours(text, keyEnd);
  const keyQuote = readQuote(text, nameEnd);
  const keyQuoted = keyQuote !== undefined;
  const at = keyQuote?.after ?? nameEnd;
  if (text[at] === ">" && text[keyStart - 1] === "<") {
    return { at: at + 1, sign: ">", spaced: false, isTight: false, keyQuoted };
  }
  const signAt = skipGap(text, text[at] === "]" ? at + 1 : at);
  const sign = readSign(text, signAt);
  if (sign === undefined) {
    const from = keyQuoted ? undefined : valueWithoutSign(text, keyStart, at, signAt);
    return from === undefined
      ? undefined
      : { at: from, sign: " ", spaced: true, isTight: false, keyQuoted };
  }
  const { after } = sign;
  return {
    at: skipGap(text, after),
    sign: sign.sign,
    spaced: isBlank(text, after),
    isTight: sign.sign === "=" && signAt === at,
    keyQuoted,
  };
}

/** A sign between key and value, LDIF's `::` too; comparisons, paths of names and schemes of URLs are none. */
const SIGN = /=(?![=~])>?|:=|::(?= )|:(?!:|\/\/)|%3D/iy;

function readSign(
  text: string,
  at: number,
): { readonly sign: "=" | ":"; readonly after: number } | undefined {
  SIGN.lastIndex = at;
  const sign = SIGN.exec(text)?.[0];
  if (sign === undefined) return undefined;
  return { sign: sign === ":" ? ":" : "=", after: at + sign.length };
}

/** Where the value begins behind a long flag, or in SQL's `PASSWORD 'x'` and `PASSWORD('x')`. */
function valueWithoutSign(
  text: string,
  keyStart: number,
  keyEnd: number,
  next: number,
): number | undefined {
  const spaced = next > keyEnd;
  if (text.startsWith("--", keyStart)) return spaced && text[next] !== "-" ? next : undefined;
  if (!/^passw/i.test(text.slice(keyStart, keyStart + 5))) return undefined;
  if (text.startsWith("('", keyEnd)) return keyEnd + 1;
  return spaced && text[next] === "'" ? next : undefined;
}

/** Whether the key continues a sentence: only blanks stand between it and a word before. */
function followsWord(text: string, keyStart: number): boolean {
  let at = keyStart - 1;
  const limit = keyStart - BLANKS_MAX;
  while (at > limit && isBlank(text, at)) at -= 1;
  return at < keyStart - 1 && isWord(text, at);
}

/** Skips blanks and colours, at most a few of each. */
function skipGap(text: string, from: number): number {
  let at = skipColours(text, from);
  while (at < from + BLANKS_MAX && isBlank(text, at)) at += 1;
  return skipColours(text, at);
}

/** Skips sequences that colour a terminal: loggers print names and signs in colours of their own. */
function skipColours(text: string, from: number): number {
  let at = from;
  COLOUR.lastIndex = at;
  for (
    let count = 0;
    count < COLOURS_MAX && text[at] === "\u001b" && COLOUR.test(text);
    count += 1
  ) {
    at = COLOUR.lastIndex;
  }
  return at;
}

/** Rust's `Some("x")`, Go's `[x]` and the prefix of a Python literal. */
function skipWrapper(text: string, at: number): number {
  if (text.startsWith("Some(", at)) return at + 5;
  if (text[at] === "[") return at + 1;
  return /[bru]/.test(text[at] ?? "") && /["']/.test(text[at + 1] ?? "") ? at + 1 : at;
}

interface Quote {
  readonly sign: string;
  /** Backslashes before the sign: 0, 1, 3, 7 … by the depth of escaping. */
  readonly escapes: number;
  readonly after: number;
}

const ESCAPES_MAX = 15;

function readQuote(text: string, at: number): Quote | undefined {
  let escapes = 0;
  while (escapes < ESCAPES_MAX && text[at + escapes] === "\\") escapes += 1;
  const sign = text[at + escapes] ?? "";
  if (!isQuote(text, at + escapes)) return undefined;
  return { sign, escapes, after: at + escapes + 1 };
}

/**
 * Where a quoted value ends: before the backslashes of the closing quote, which has as many as the
 * opening one once those of the value's own are taken off; at the end of the line when it is missing.
 */
function findClosing(text: string, quote: Quote, reach: number): number | undefined {
  const depth = 2 * (quote.escapes + 1);
  let escapes = 0;
  let at = quote.after;
  for (; at < text.length && !isBreak(text, at); at += 1) {
    if (at - quote.after > reach) return undefined;
    if (text[at] === "\\") {
      escapes += 1;
      continue;
    }
    if (isDoubled(text, at, quote.after)) at += 1;
    else if (text[at] === quote.sign && escapes % depth === quote.escapes)
      return at - quote.escapes;
    escapes = 0;
  }
  return at;
}

/** SQL doubles a quote inside a value. */
function isDoubled(text: string, at: number, valueStart: number): boolean {
  return at > valueStart && text[at] === "'" && text[at + 1] === "'" && text[at - 1] !== "'";
}

function untilTag(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isBreak(text, at) && text[at] !== "<") at += 1;
  return at;
}

/**
 * Where a value without quotes ends. Blanks, quotes, angle brackets and backslashes always end it;
 * commas and the like only where something else begins or the text ends, for they occur in passwords.
 */
function untilDelimiter(text: string, from: number): number {
  let at = from;
  let brackets = 0;
  while (at < text.length && !isSpace(text, at)) {
    const sign = text[at] ?? "";
    // eslint-disable-next-line no-control-regex -- colours begin with an escape character
    if (isQuote(text, at) || /[<>\\\u001b]/.test(sign)) break;
    if (/[([{]/.test(sign)) brackets += 1;
    // A bracket that was opened inside the value, as in `${NAME}`, does not end it.
    else if (brackets > 0 && /[)\]}]/.test(sign)) brackets -= 1;
    else if (isDelimiter(text, at)) break;
    at += 1;
  }
  return at;
}

function isDelimiter(text: string, at: number): boolean {
  const sign = text[at] ?? "";
  if (sign === "%") return text.startsWith("%26", at);
  if (!/[&,;.:|)\]}]/.test(sign)) return false;
  if (endsAt(text, at + 1)) return true;
  if (/[&,;]/.test(sign)) return beginsName(text, at + 1);
  return /[)\]}]/.test(sign) && /[,;:.)\]}]/.test(text[at + 1] ?? "");
}

function endsAt(text: string, at: number): boolean {
  return at >= text.length || isSpace(text, at) || isQuote(text, at) || text[at] === "\\";
}

/** Whether a name and a sign begin here, as in `a=1,b=2` and `a=1&b=2`. */
function beginsName(text: string, from: number): boolean {
  let at = from;
  while (at < from + NAME_LENGTH_MAX && isKeyCharacter(text, at)) at += 1;
  return at > from && (text[at] === "=" || text[at] === ":" || text[at] === "%");
}
