import type { PlaceholderKind, TemplatePart } from "../../record/template.ts";
import { isAnyAt, skipBlanks, skipDigits, skipName } from "./characters.ts";
import {
  createTriggers,
  literalPiece,
  placeholderPiece,
  scanPieces,
  type ReadPiece,
} from "./scan-pieces.ts";

/** Longest format specification looked at; real ones have a dozen characters. */
const SPEC_CHARS_MAX = 80;

/** A parsed format specification: where it ends, and what it makes of the value. */
export interface FormatSpec {
  readonly end: number;
  readonly kind: PlaceholderKind;
}

/** A width or precision: digits, `*`, `name$`, `0$`, or a nested `{}` field. */
function skipCount(text: string, at: number): number {
  const char = text.charAt(at);
  if (char === "*") return at + 1;
  if (char === "{") {
    const close = Math.max(skipName(text, at + 1), skipDigits(text, at + 1));
    return text.charAt(close) === "}" ? close + 1 : at;
  }
  const named = Math.max(skipName(text, at), skipDigits(text, at));
  return text.charAt(named) === "$" && named > at ? named + 1 : skipDigits(text, at);
}

function skipAlignment(text: string, at: number): number {
  const isAlign = (index: number): boolean => isAnyAt(text, index, "<^>=");
  if (isAlign(at + 1) && !isAnyAt(text, at, "{}")) return at + 2;
  return isAlign(at) ? at + 1 : at;
}

function skipOne(text: string, at: number, characters: string): number {
  return isAnyAt(text, at, characters) ? at + 1 : at;
}

/** `%Y-%m-%d` and the like, the specification of a time. */
function readTimeSpec(text: string, at: number): FormatSpec | undefined {
  if (text.charAt(at) !== "%") return undefined;
  for (let i = at; i < at + SPEC_CHARS_MAX && i < text.length; i += 1) {
    if (text.charAt(i) === "}") return { end: i, kind: "any" };
    if (text.charAt(i) === "{") return undefined;
  }
  return undefined;
}

/**
 * Reads the specification after a field's colon as Rust, Python and C++'s `fmt` write it:
 * `[[fill]align][sign][#][0][width][grouping][.precision][type]`. `types` tells the kind by the type
 * letters; the empty type is one of them.
 */
export function readFormatSpec(
  text: string,
  at: number,
  types: Readonly<Record<string, PlaceholderKind>>,
): FormatSpec | undefined {
  let end = skipOne(text, skipAlignment(text, at), "+-");
  const alternate = text.charAt(end) === "#";
  end = skipCount(text, skipOne(text, end, "#"));
  const grouped = isAnyAt(text, end, ",_");
  end = skipOne(text, end, ",_");
  if (text.charAt(end) === ".") end = skipCount(text, end + 1);
  let typeEnd = end;
  while (typeEnd < end + 3 && !isAnyAt(text, typeEnd, " }")) typeEnd += 1;
  const type = text.slice(end, typeEnd);
  const kind = Object.hasOwn(types, type) ? types[type] : undefined;
  if (kind === undefined) return readTimeSpec(text, at);
  return { end: typeEnd, kind: refineKind(kind, alternate, grouped) };
}

function refineKind(kind: PlaceholderKind, alternate: boolean, grouped: boolean): PlaceholderKind {
  if (grouped && (kind === "integer" || kind === "any")) return "number";
  if (!alternate) return kind;
  if (kind === "debug") return "pretty";
  return kind === "integer" ? "any" : kind;
}

/** Index after a bracket group without braces in it, or undefined. */
function skipPlainGroup(text: string, at: number): number | undefined {
  let depth = 0;
  for (let i = at; i < text.length; i += 1) {
    const char = text.charAt(i);
    if ("{}\n".includes(char)) return undefined;
    if ("([".includes(char)) depth += 1;
    else if (")]".includes(char)) depth -= 1;
    if (depth === 0) return i + 1;
  }
  return undefined;
}

function skipPathStep(text: string, at: number): number | undefined {
  const char = text.charAt(at);
  if (char === "(" || char === "[") return skipPlainGroup(text, at);
  const step = text.startsWith("::", at) || text.startsWith("->", at) || text.startsWith("?.", at);
  const nameAt = step ? at + 2 : char === "." ? at + 1 : at;
  if (nameAt === at) return at;
  const end = Math.max(skipName(text, nameAt), skipDigits(text, nameAt));
  return end === nameAt ? at : end;
}

/**
 * Index after an argument: a number, a name or a path of names, fields, calls and indexes
 * (`self.x`, `.0`, `err.code()`); `at` where there is none, undefined where a bracket stays open.
 */
export function skipArgument(text: string, at: number): number | undefined {
  let end = Math.max(skipName(text, at), skipDigits(text, at));
  if (end === at && text.charAt(at) !== ".") return at;
  for (;;) {
    const next = skipPathStep(text, end);
    if (next === undefined || next === end) return next;
    end = next;
  }
}

/** Index after the `}` that closes a field, blanks before it allowed; undefined where none stands. */
export function skipClose(text: string, at: number): number | undefined {
  const end = skipBlanks(text, at);
  return text.charAt(end) === "}" ? end + 1 : undefined;
}

/** `!r` and its like; none of Rust's or C++'s, but found in records whose fields were respelled. */
function skipRepr(text: string, at: number): number {
  return text.charAt(at) === "!" && isAnyAt(text, at + 1, "rsa") ? at + 2 : at;
}

/** A reader of `{argument:spec}` fields, for languages that write the spec as Rust does. */
export function createFieldReader(types: Readonly<Record<string, PlaceholderKind>>): ReadPiece {
  return (text, at) => {
    const start = skipBlanks(text, at + 1);
    const argumentEnd = skipArgument(text, start);
    if (argumentEnd === undefined) return undefined;
    const reprEnd = skipRepr(text, argumentEnd);
    const spec: FormatSpec | undefined =
      text.charAt(reprEnd) === ":"
        ? readFormatSpec(text, reprEnd + 1, types)
        : { end: reprEnd, kind: reprEnd > argumentEnd ? "debug" : "any" };
    const end = spec && skipClose(text, spec.end);
    if (spec === undefined || end === undefined) return undefined;
    const name = text.slice(start, argumentEnd);
    return placeholderPiece(end, { kind: spec.kind, source: text.slice(at, end), name });
  };
}

/** A reader of fields in which doubled braces print one brace, or stay as they are. */
export function createBraceReader(readField: ReadPiece, undoPairs: boolean): ReadPiece {
  return (text, at) => {
    const char = text.charAt(at);
    if (char !== "{" && char !== "}") return undefined;
    if (text.charAt(at + 1) === char) return literalPiece(at + 2, undoPairs ? char : char + char);
    return char === "{" ? readField(text, at) : undefined;
  };
}

/**
 * Whether every brace of a message is half of a pair or part of a field. A message with a lone brace was
 * never a format string, and its doubled braces are printed as they stand.
 */
export function isFormatString(text: string, readField: ReadPiece): boolean {
  for (let at = 0; at < text.length;) {
    const char = text.charAt(at);
    if (char !== "{" && char !== "}") at += 1;
    else if (text.charAt(at + 1) === char) at += 2;
    else {
      const field = char === "{" ? readField(text, at) : undefined;
      if (field === undefined) return false;
      at = field.end;
    }
  }
  return true;
}

const BRACES = createTriggers("{}");

/** Scans a message whose only placeholders are fields in braces. */
export function scanFields(text: string, readField: ReadPiece): readonly TemplatePart[] {
  if (!text.includes("{") && !text.includes("}")) return scanPieces(text, BRACES, readField);
  return scanPieces(text, BRACES, createBraceReader(readField, isFormatString(text, readField)));
}
