import type { PlaceholderKind, TemplatePart } from "../../record/template.ts";
import { isLetterAt, isDigitAt, skipBlanks, skipName } from "./characters.ts";
import { createConversionReader, readSpec, type Conversions } from "./read-conversion.ts";
import { createBraceReader, createFieldReader, isFormatString } from "./read-field.ts";
import { createSumReader, openSum, type SumRules } from "./read-sum.ts";
import {
  createTriggers,
  firstOf,
  hasPlaceholder,
  literalPiece,
  placeholderPiece,
  scanPieces,
  type Piece,
  type ReadPiece,
} from "./scan-pieces.ts";

/**
 * printf of C11 and POSIX, with `%m` (glibc's and PostgreSQL's text of errno), `%I64d` of Windows, `%U`
 * and `%I` (numbers of Redis's string builder), `%V` (nginx's string) and `%@` (Objective-C).
 */
const CONVERSIONS: Conversions = {
  arguments: "dollar",
  flags: "-+ #0'",
  lengths: ["hh", "h", "ll", "l", "L", "q", "j", "z", "t", "I64", "I32"],
  kinds: {
    d: "integer",
    i: "integer",
    u: "integer",
    o: "integer",
    U: "integer",
    I: "integer",
    x: "hex",
    X: "hex",
    p: "pointer",
    c: "char",
    s: "any",
    S: "any",
    m: "any",
    V: "any",
    "@": "any",
    f: "number",
    F: "number",
    e: "number",
    E: "number",
    g: "number",
    G: "number",
    a: "number",
    A: "number",
  },
};

/** `PRIu64`, `PRIxPTR`, `PRIdLEAST16`: the letter after `PRI` is the conversion. */
function kindOfMacro(macro: string): PlaceholderKind | undefined {
  if (!macro.startsWith("PRI")) return macro === macro.toUpperCase() ? "any" : undefined;
  const letter = macro.charAt(3);
  if (letter === "x" || letter === "X") return "hex";
  return "diuo".includes(letter || " ") ? "integer" : undefined;
}

/** The macro's name in `" PRIu64 "`, whose second quote may be cut off with the message's end. */
function readQuotedMacro(text: string, at: number) {
  const nameAt = skipBlanks(text, at + 1);
  const nameEnd = skipName(text, nameAt);
  const quoteAt = skipBlanks(text, nameEnd);
  if (quoteAt < text.length && text.charAt(quoteAt) !== '"') return undefined;
  return { name: text.slice(nameAt, nameEnd), end: Math.min(quoteAt + 1, text.length) };
}

/** `%" PRIu64 "`, `%16" PRIx64` at the end, and `%PRIu64` whose quotes were lost. */
function readMacro(text: string, at: number): Piece | undefined {
  if (text.charAt(at) !== "%") return undefined;
  const from = readSpec(text, at, CONVERSIONS).verbAt;
  let macro: { name: string; end: number } | undefined;
  if (text.charAt(from) === '"') macro = readQuotedMacro(text, from);
  else if (text.startsWith("PRI", from)) {
    const end = skipName(text, from);
    macro = { name: text.slice(from, end), end };
  }
  const kind = macro && macro.name !== "" ? kindOfMacro(macro.name) : undefined;
  if (macro === undefined || kind === undefined) return undefined;
  return placeholderPiece(macro.end, { kind, source: text.slice(at, macro.end), name: "" });
}

/** `" INT64_FORMAT "`: a macro that holds the whole conversion. */
function readFormatMacro(text: string, at: number): Piece | undefined {
  if (text.charAt(at) !== '"' || text.charAt(at + 1) !== " ") return undefined;
  const nameAt = skipBlanks(text, at + 1);
  const nameEnd = skipName(text, nameAt);
  const name = text.slice(nameAt, nameEnd);
  const quoteAt = skipBlanks(text, nameEnd);
  if (!name.endsWith("FORMAT") || quoteAt === nameEnd || text.charAt(quoteAt) !== '"')
    return undefined;
  const end = quoteAt + 1;
  return placeholderPiece(end, { kind: "any", source: text.slice(at, end), name: "" });
}

/** `%n` prints nothing; the Linux kernel's `%pI4` and `%pe` print what the letters after `p` say. */
function readSpecial(text: string, at: number): Piece | undefined {
  if (text.startsWith("%n", at) && !isLetterAt(text, at + 2)) return literalPiece(at + 2, "");
  if (!text.startsWith("%p", at) || !isLetterAt(text, at + 2)) return undefined;
  let end = at + 3;
  while (isLetterAt(text, end) || isDigitAt(text, end)) end += 1;
  return placeholderPiece(end, { kind: "any", source: text.slice(at, end), name: "" });
}

/** @see https://fmt.dev/latest/syntax/ (also C++20's std::format) */
const FIELD_TYPES: Readonly<Record<string, PlaceholderKind>> = {
  "": "any",
  s: "any",
  "?": "debug",
  d: "integer",
  b: "integer",
  B: "integer",
  o: "integer",
  x: "hex",
  X: "hex",
  p: "pointer",
  c: "char",
  a: "number",
  A: "number",
  e: "number",
  E: "number",
  f: "number",
  F: "number",
  g: "number",
  G: "number",
};

const readField = createFieldReader(FIELD_TYPES);

const SUMS: SumRules = { operator: "<<", quotes: '"', words: new Set(["sizeof"]) };
const PRINTF = firstOf(
  readMacro,
  readSpecial,
  createConversionReader(CONVERSIONS, true),
  readFormatMacro,
  createSumReader(SUMS),
);
const TRIGGERS = createTriggers('%"{}');

/** Braces are fields only in C++, and there `{{` is undone only beside a field. */
function readerFor(text: string, extension: string): ReadPiece {
  const plain = ["c", "m", "y", "l"].includes(extension) || !text.includes("{");
  if (plain) return PRINTF;
  const hasField = hasPlaceholder(scanPieces(text, TRIGGERS, createBraceReader(readField, false)));
  const undo = hasField && isFormatString(text, readField);
  return firstOf(PRINTF, createBraceReader(readField, undo));
}

/** printf of C and C++, its macros, `<<` chains, and in C++ also the fields of `fmt`. */
export function parseC(message: string, extension: string): readonly TemplatePart[] {
  const sum = openSum(message, SUMS);
  return [...sum.lead, ...scanPieces(sum.text, TRIGGERS, readerFor(sum.text, extension))];
}
