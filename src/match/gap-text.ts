import { type GapKind, SHORT_GAPS } from "./compile-template.ts";

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

/** Whether brackets in `[from, to)` pair up and quotes come in twos: a value is seldom cut inside one. */
export function isBalanced(text: string, from: number, to: number): boolean {
  const open: string[] = [];
  let quotes = 0;
  for (let at = from; at < to; at += 1) {
    const letter = text[at] ?? "";
    if (letter === '"' && text[at - 1] !== "\\") quotes += 1;
    else if (letter === "(" || letter === "[" || letter === "{") open.push(letter);
    else if (letter === ")" || letter === "]" || letter === "}") {
      if (open.pop() !== OPENING[letter]) return false;
    }
  }
  return open.length === 0 && quotes % 2 === 0;
}

const OPENING: Readonly<Record<string, string>> = {
  ")": "(",
  "]": "[",
  "}": "{",
};
const CLOSING: Readonly<Record<string, string>> = {
  "(": ")",
  "[": "]",
  "{": "}",
};

/** Reads an integer that ends before `end`; returns its start, or `end` when there is none. */
export function integerStart(text: string, end: number): number {
  let at = end;
  while (at > 0 && (text.charCodeAt(at - 1) - DIGIT_0) >>> 0 < 10) at -= 1;
  if (at < end && (text[at - 1] === "-" || text[at - 1] === "+")) at -= 1;
  return at;
}

const LEADING_MAX = 1_024;
const LIST_NUMBER = /^\s*\d{1,3}: /;

/**
 * Where a capture begins that stands before a template's first literal: after the nearest `: `, `=`,
 * opening quote or bracket, list number, tab or line start. Brackets and quotes that close before
 * `end` are passed over whole.
 */
export function leadingStart(text: string, end: number): number {
  const floor = Math.max(0, end - LEADING_MAX);
  let at = end;
  while (at > floor) {
    const letter = text[at - 1] ?? "";
    if (letter === "\n" || letter === "\t") break;
    const skipped = skipBack(text, at - 1, floor);
    if (skipped >= 0) {
      at = skipped;
      continue;
    }
    if (isLeadingStop(text, at - 1, end)) break;
    at -= 1;
  }
  const line = LIST_NUMBER.exec(text.slice(at, end));
  if (line !== null && (at === 0 || text[at - 1] === "\n")) at += line[0].length;
  while (at < end && /\s/.test(text[at] ?? "")) at += 1;
  return at;
}

function isLeadingStop(text: string, at: number, end: number): boolean {
  const letter = text[at] ?? "";
  if (CLOSING[letter] !== undefined || letter === '"' || letter === "`") return true;
  if (letter === "=") return text[at + 1] !== " " && text[at + 1] !== "=";
  if (letter === " " && text[at - 1] === ":") return at + 1 < end;
  return letter === "'" && !/\w/.test(text[at - 1] ?? " ");
}

/** From a closing bracket or quote back to its opening one; -1 when `at` is none or has none. */
function skipBack(text: string, at: number, floor: number): number {
  const letter = text[at] ?? "";
  if (letter === '"' || letter === "`") {
    const open = text.lastIndexOf(letter, at - 1);
    return at > floor &&
      open >= floor &&
      !text.slice(open, at).includes("\n") &&
      /[\s=:([{,]/.test(text[open - 1] ?? " ") &&
      !/[\s]/.test(text[open + 1] ?? " ")
      ? open
      : -1;
  }
  const opening = OPENING[letter];
  if (opening === undefined) return -1;
  let depth = 0;
  for (let i = at; i >= floor && text[i] !== "\n"; i -= 1) {
    if (text[i] === letter) depth += 1;
    else if (text[i] === opening) {
      depth -= 1;
      if (depth === 0) return i;
    }
  }
  return -1;
}
