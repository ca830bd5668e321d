import { type GapKind, SHORT_GAPS } from "./compile-template.ts";
import { isSpace } from "./white-space.ts";

const DIGIT_0 = 48;
const SHORT_VALUE_MAX = 64;

const FORMS: Partial<Readonly<Record<GapKind, RegExp>>> = {
  blank: /^\s*$/,
  integer:
    /^\s*(?:[-+]?\d[\d,_]*|\[[\d\s,+-]*\]|(?:Some|Ok)\([-+]?\d+\)|None|<nil>|0x[\da-fA-F]+)\s*$/,
  number: /^\s*[-+]?(?:\d[\d,_]*(?:\.\d*)?(?:[eE][-+]?\d+)?|inf|Inf|\+Inf|NaN|nan)\s*$/,
  hex: /^\s*(?:0[xX])?[\da-fA-F\s:]+\s*$/,
  pointer: /^\s*(?:0[xX][\da-fA-F]+|[\da-fA-F]{6,16}|\(nil\)|<nil>|nil)\s*$/,
  char: /^(?:.|\\.{1,9}|'.{1,10}')?$/su,
  quoted: /^\s*\\*(["'`])[^]*\\*\1\s*$|^\s*$/,
  bool: /^\s*(?:true|false|True|False|TRUE|FALSE|0|1)\s*$/,
};

/** Whether a placeholder of the kind can have printed the text. */
export function gapFits(kind: GapKind, text: string): boolean {
  const form = FORMS[kind];
  if (form !== undefined) {
    if (SHORT_GAPS.has(kind) && text.length > SHORT_VALUE_MAX && !text.startsWith("["))
      return false;
    return form.test(text);
  }
  return kind !== "none" || text === "";
}

/** Whether a placeholder of the kind can have printed any text at all. */
export function isUnbounded(kind: GapKind): boolean {
  return kind !== "none" && FORMS[kind] === undefined;
}

const QUOTE = 34;
const BACKSLASH = 92;

/** Whether brackets in `[from, to)` pair up and quotes come in twos: a value is seldom cut inside one. */
export function isBalanced(text: string, from: number, to: number): boolean {
  let open: number[] | undefined;
  let isQuoteOpen = false;
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      if (text.charCodeAt(at - 1) !== BACKSLASH) isQuoteOpen = !isQuoteOpen;
      continue;
    }
    const closing = closingOf(code);
    if (closing !== 0) (open ??= []).push(closing);
    else if (isClosing(code) && open?.pop() !== code) return false;
  }
  return !isQuoteOpen && (open === undefined || open.length === 0);
}

/** The bracket that closes an opening one; 0 for other characters. */
function closingOf(code: number): number {
  if (code === 40) return 41;
  return code === 91 || code === 123 ? code + 2 : 0;
}

function isClosing(code: number): boolean {
  return code === 41 || code === 93 || code === 125;
}

const OPENING: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

/** Reads an integer that ends before `end`; returns its start, or `end` when there is none. */
export function integerStart(text: string, end: number): number {
  let at = end;
  while (at > 0 && (text.charCodeAt(at - 1) - DIGIT_0) >>> 0 < 10) at -= 1;
  if (at < end && (text[at - 1] === "-" || text[at - 1] === "+")) at -= 1;
  return at;
}

const LEADING_MAX = 1_024;
const LIST_NUMBER = /^\s*\d{1,3}: /;
const QUOTES = "\"'`";

/** Start of the quoted text that ends before `end`; `end` when there is none. */
export function quotedStart(text: string, end: number): number {
  let close = end;
  while (close > 0 && isSpace(text, close - 1)) close -= 1;
  const quote = text[close - 1] ?? "";
  if (quote === "" || !QUOTES.includes(quote)) return end;
  const open = text.lastIndexOf(quote, close - 2);
  if (open < 0 || close - open > LEADING_MAX) return end;
  return text[open - 1] === "\\" ? open - 1 : open;
}

/**
 * Where a capture begins that stands before a template's first literal: after the nearest `: `, `=`,
 * opening quote or bracket, list number, log header, tab or line start. Brackets and quotes that close
 * before `end` are passed over whole.
 */
export function leadingStart(text: string, end: number): number {
  const line = text.lastIndexOf("\n", end - 1) + 1;
  const floor = Math.max(line + headerLength(text, line, end), end - LEADING_MAX);
  let at = end;
  while (at > floor) {
    const skipped = skipBack(text, at - 1, floor);
    if (skipped >= 0) at = skipped;
    else if (isLeadingStop(text, at - 1, end)) break;
    else at -= 1;
  }
  if (at === line) at += LIST_NUMBER.exec(text.slice(at, end))?.[0].length ?? 0;
  while (at < end && isSpace(text, at)) at += 1;
  return at;
}

// Times, levels, bracketed threads and klog's file, in any order, each followed by blanks.
const HEADER =
  /^(?:\s|\[[^\]\n]{0,80}\]|\d{4}[-/]\d\d[-/]\d\d[T ][\d:.,]{8,18}(?:Z|[+-]\d\d:?\d\d)?|[IWEF]\d{4} [\d:.]+ +\d+ [\w.-]+:\d+\]|\d+:[A-Z] \d\d [A-Z][a-z]{2} \d{4} [\d:.]+ [#*.-]|(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL|LOG)\b:?)+(?=\s|\S)/;

function headerLength(text: string, line: number, end: number): number {
  return HEADER.exec(text.slice(line, Math.min(end, line + 200)))?.[0].length ?? 0;
}

const STOPS = new Set(["\t", "(", "[", "{", '"', "`", "|"]);

function isLeadingStop(text: string, at: number, end: number): boolean {
  const letter = text[at] ?? "";
  if (STOPS.has(letter)) return true;
  if (letter === "=") return text[at + 1] !== " " && text[at + 1] !== "=";
  if (letter === " ")
    return at + 1 < end && (text[at - 1] === ":" || text.startsWith(" - ", at - 2));
  return letter === "'" && !/\w/.test(text[at - 1] ?? " ");
}

/** From a closing bracket or quote back to its opening one; -1 when `at` is none or has none. */
function skipBack(text: string, at: number, floor: number): number {
  const letter = text[at] ?? "";
  if (letter === '"' || letter === "`") return skipQuote(text, at, floor);
  const opening = OPENING[letter];
  return opening === undefined ? -1 : skipBracket(text, at, { floor, opening });
}

function skipQuote(text: string, at: number, floor: number): number {
  const open = text.lastIndexOf(text[at] ?? "", at - 1);
  if (at <= floor || open < floor) return -1;
  const isOpening = /[\s=:([{,]/.test(text[open - 1] ?? " ") && !/\s/.test(text[open + 1] ?? " ");
  return isOpening ? open : -1;
}

function skipBracket(
  text: string,
  at: number,
  { floor, opening }: { floor: number; opening: string },
): number {
  let depth = 0;
  for (let i = at; i >= floor; i -= 1) {
    if (text[i] === text[at]) depth += 1;
    else if (text[i] === opening) {
      depth -= 1;
      if (depth === 0) return i;
    }
  }
  return -1;
}
