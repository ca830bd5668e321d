import type { TemplatePart } from "../../record/template.ts";
import { skipName } from "./characters.ts";
import { createConversionReader, hasConversion, type Conversions } from "./read-conversion.ts";
import { createInterpolationReader } from "./read-interpolation.ts";
import { createSumReader, openSum, type SumRules } from "./read-sum.ts";
import {
  createTriggers,
  firstOf,
  placeholderPiece,
  scanPieces,
  type Piece,
} from "./scan-pieces.ts";

/** @see https://docs.ruby-lang.org/en/master/format_specifications_rdoc.html */
const CONVERSIONS: Conversions = {
  arguments: "angles",
  flags: "-+ 0#",
  kinds: {
    s: "any",
    p: "debug",
    d: "integer",
    i: "integer",
    u: "integer",
    b: "integer",
    B: "integer",
    o: "integer",
    x: "hex",
    X: "hex",
    c: "char",
    e: "number",
    E: "number",
    f: "number",
    g: "number",
    G: "number",
    a: "number",
    A: "number",
  },
};

/** `%{name}`, of `format` and of translations. */
function readBracedName(text: string, at: number): Piece | undefined {
  if (!text.startsWith("%{", at)) return undefined;
  const end = skipName(text, at + 2);
  if (end === at + 2 || text.charAt(end) !== "}") return undefined;
  const name = text.slice(at + 2, end);
  return placeholderPiece(end + 1, { kind: "any", source: text.slice(at, end + 1), name });
}

/** `#@name`: an instance variable needs no braces. */
function readInstanceVariable(text: string, at: number): Piece | undefined {
  if (!text.startsWith("#@", at)) return undefined;
  const end = skipName(text, at + 2);
  if (end === at + 2) return undefined;
  return placeholderPiece(end, {
    kind: "any",
    source: text.slice(at, end),
    name: text.slice(at + 2, end),
  });
}

const SUMS: SumRules = { operator: "+", quotes: "'\"", words: new Set(["not", "and", "or", "if"]) };
const TRIGGERS = createTriggers("#%'\"");
const INTERPOLATION = createInterpolationReader("#{", "'\"`");
const SUM = createSumReader(SUMS);

/** Ruby's `#{…}`, `format` conversions with names, and sums of strings. */
export function parseRuby(message: string): readonly TemplatePart[] {
  const { lead, text } = openSum(message, SUMS);
  const probe = firstOf(readBracedName, createConversionReader(CONVERSIONS, true));
  const conversion = createConversionReader(CONVERSIONS, hasConversion(text, probe));
  const read = firstOf(INTERPOLATION, readBracedName, readInstanceVariable, conversion, SUM);
  return [...lead, ...scanPieces(text, TRIGGERS, read)];
}
