import type { PlaceholderKind } from "../../record/template.ts";
import { isAnyAt, isDigitAt, isLetterAt, isNameStartAt, skipDigits } from "./characters.ts";
import { literalPiece, placeholderPiece, type Piece, type ReadPiece } from "./scan-pieces.ts";

/** The `%` conversions of one language. */
export interface Conversions {
  /** Kind by conversion letter. */
  readonly kinds: Readonly<Record<string, PlaceholderKind>>;
  readonly flags: string;
  /** Whether `'x` names the character to pad with, as in PHP. */
  readonly pads?: boolean;
  /** Length modifiers, longer ones before their prefixes. */
  readonly lengths?: readonly string[];
  /** How an argument is named: `%1$s`, Go's `%[1]s`, Python's `%(name)s`, Ruby's `%<name>s`. */
  readonly arguments?: "dollar" | "brackets" | "parentheses" | "angles";
  /** Changes the kind by the flags, e.g. Go's `%#v`. */
  readonly refine?: (kind: PlaceholderKind, flags: string, verb: string) => PlaceholderKind;
}

/** One conversion without its meaning: where its letter stands, and what came before. */
interface Spec {
  readonly verbAt: number;
  readonly flags: string;
  readonly name: string;
}

const TIME_LETTERS = "YmdHMSyjBbZzpAaIfTDFe";
/** Those that hardly stand in a message for anything but a time. */
const SURE_TIME_LETTERS = "YmHMSyBj";
const TIME_CHAIN_MAX = 8;

/** Reads `[3]`, `(name)` or `<name>`; undefined where no such argument stands at `at`. */
function readBracketed(text: string, at: number, conversions: Conversions) {
  const form = conversions.arguments;
  if (form === undefined || form === "dollar") return undefined;
  const [open, close] = form === "brackets" ? "[]" : form === "parentheses" ? "()" : "<>";
  if (text.charAt(at) !== open) return undefined;
  const end = form === "brackets" ? skipDigits(text, at + 1) : skipKey(text, at + 1);
  if (end === at + 1 || text.charAt(end) !== close) return undefined;
  return { end: end + 1, name: text.slice(at + 1, end) };
}

function skipKey(text: string, at: number): number {
  let end = at;
  while (isNameStartAt(text, end) || isDigitAt(text, end) || isAnyAt(text, end, ".-")) end += 1;
  return end;
}

function readPosition(text: string, at: number, conversions: Conversions) {
  if (conversions.arguments !== "dollar") return readBracketed(text, at, conversions);
  const end = skipDigits(text, at);
  if (end === at || text.charAt(end) !== "$") return undefined;
  return { end: end + 1, name: text.slice(at, end) };
}

function skipFlags(text: string, at: number, conversions: Conversions): number {
  let end = at;
  while (end < text.length) {
    const char = text.charAt(end);
    if (char === "'" && conversions.pads === true) end += 2;
    else if (conversions.flags.includes(char)) end += 1;
    else break;
  }
  return end;
}

/** A width or precision: digits or `*`, the star with an argument of its own. */
function skipSize(text: string, at: number, conversions: Conversions): number {
  const argument = readBracketed(text, at, conversions)?.end ?? at;
  if (text.charAt(argument) === "*") {
    const number = skipDigits(text, argument + 1);
    return number > argument + 1 && text.charAt(number) === "$" ? number + 1 : argument + 1;
  }
  return skipDigits(text, at);
}

function skipLength(text: string, at: number, lengths: readonly string[]): number {
  const length = lengths.find((each) => text.startsWith(each, at));
  return length === undefined ? at : at + length.length;
}

/** Position or name, and flags: Ruby takes a name after the flags too, and so does Go an index. */
function readHead(text: string, at: number, conversions: Conversions) {
  const position = readPosition(text, at, conversions);
  const flagsAt = position?.end ?? at;
  const flagsEnd = skipFlags(text, flagsAt, conversions);
  const flags = text.slice(flagsAt, flagsEnd);
  // In Go's `%[2]*d` the index is the width's.
  if (text.charAt(flagsEnd) === "*") return { end: flagsEnd, flags, name: "" };
  const keyed = readBracketed(text, flagsEnd, conversions);
  if (keyed === undefined || text.charAt(keyed.end) === "*")
    return { end: flagsEnd, flags, name: position?.name ?? "" };
  return { end: keyed.end, flags, name: keyed.name };
}

/** Reads what stands between `%` and the conversion letter. */
export function readSpec(text: string, at: number, conversions: Conversions): Spec {
  const head = readHead(text, at + 1, conversions);
  let end = skipSize(text, head.end, conversions);
  if (text.charAt(end) === ".") end = skipSize(text, end + 1, conversions);
  const late = readBracketed(text, end, conversions);
  const verbAt = skipLength(text, late?.end ?? end, conversions.lengths ?? []);
  return { verbAt, flags: head.flags, name: late?.name ?? head.name };
}

/** `% d` and `% x` are conversions; `100% done` and `5% of` are prose. */
function isProse(text: string, spec: Spec): boolean {
  const follows = isLetterAt(text, spec.verbAt + 1);
  return spec.flags.includes(" ") && (follows || !isAnyAt(text, spec.verbAt, "dxX"));
}

/** `%2F` and `%3E` in a URL: nobody asks for a capital float one wide. */
function isUrlEscape(text: string, at: number, spec: Spec): boolean {
  return isAnyAt(text, spec.verbAt, "EF") && spec.verbAt === at + 2 && isDigitAt(text, at + 1);
}

/**
 * End of a date format such as `%Y-%m-%d` or `%H:%M:%S`, which is printed as it stands. At least one
 * letter of it must be unknown to printf.
 */
function skipTimeFormat(text: string, at: number, conversions: Conversions): number | undefined {
  let foreign = false;
  let links = 0;
  let end = at;
  for (let next = at; links < TIME_CHAIN_MAX && isTimeLetter(text, next); links += 1) {
    const letter = text.charAt(next + 1);
    foreign ||= SURE_TIME_LETTERS.includes(letter) && !Object.hasOwn(conversions.kinds, letter);
    end = next + 2;
    next = isAnyAt(text, end, "-/:., T_") ? end + 1 : end;
  }
  return foreign && links >= 2 ? end : undefined;
}

function isTimeLetter(text: string, at: number): boolean {
  return text.charAt(at) === "%" && isAnyAt(text, at + 1, TIME_LETTERS);
}

/** Reads one conversion at a `%`, or undefined where none of this language stands there. */
function readConversion(text: string, at: number, conversions: Conversions): Piece | undefined {
  const spec = readSpec(text, at, conversions);
  const verb = text.charAt(spec.verbAt);
  const kind = Object.hasOwn(conversions.kinds, verb) ? conversions.kinds[verb] : undefined;
  if (kind === undefined || isProse(text, spec) || isUrlEscape(text, at, spec)) return undefined;
  const end = spec.verbAt + 1;
  return placeholderPiece(end, {
    kind: conversions.refine?.(kind, spec.flags, verb) ?? kind,
    source: text.slice(at, end),
    name: spec.name,
  });
}

/** Whether a message holds a conversion at all: without one, `%%` may be printed as it stands. */
export function hasConversion(text: string, read: ReadPiece): boolean {
  for (let at = text.indexOf("%"); at >= 0; at = text.indexOf("%", at)) {
    const piece = text.charAt(at + 1) === "%" ? undefined : read(text, at);
    if (piece?.part.type === "placeholder") return true;
    at = piece?.end ?? at + (text.charAt(at + 1) === "%" ? 2 : 1);
  }
  return false;
}

/** A reader of the conversions of a language that leaves date formats alone and undoes `%%` on wish. */
export function createConversionReader(conversions: Conversions, undoPairs: boolean): ReadPiece {
  return (text, at) => {
    if (text.charAt(at) !== "%") return undefined;
    if (text.charAt(at + 1) === "%") return literalPiece(at + 2, undoPairs ? "%" : "%%");
    const timeEnd = skipTimeFormat(text, at, conversions);
    if (timeEnd !== undefined) return literalPiece(timeEnd, text.slice(at, timeEnd));
    return readConversion(text, at, conversions);
  };
}
