import type { TemplatePart } from "../../record/template.ts";
import { isAnyAt, isNameStartAt, skipDigits, skipName } from "./characters.ts";
import { createConversionReader, hasConversion, type Conversions } from "./read-conversion.ts";
import { createInterpolationReader, readDollarName } from "./read-interpolation.ts";
import { createSumReader, openSum, type SumRules } from "./read-sum.ts";
import {
  createTriggers,
  firstOf,
  placeholderPiece,
  scanPieces,
  type Piece,
} from "./scan-pieces.ts";

/** @see https://www.php.net/manual/en/function.sprintf.php */
const CONVERSIONS: Conversions = {
  arguments: "dollar",
  flags: "-+ 0",
  pads: true,
  kinds: {
    s: "any",
    b: "integer",
    c: "char",
    d: "integer",
    u: "integer",
    o: "integer",
    x: "hex",
    X: "hex",
    e: "number",
    E: "number",
    f: "number",
    F: "number",
    g: "number",
    G: "number",
    h: "number",
    H: "number",
  },
};

/** `$a[0]`, `$a['k']`, `$a[k]`, `$a[$i]`: one index and no blanks, as in a double-quoted string. */
function skipIndex(text: string, at: number): number {
  if (text.charAt(at) !== "[") return at;
  const quoted = isAnyAt(text, at + 1, "'\"");
  const keyAt = quoted || isAnyAt(text, at + 1, "$-") ? at + 2 : at + 1;
  const keyEnd = Math.max(skipName(text, keyAt), skipDigits(text, keyAt));
  const close = quoted && text.charAt(keyEnd) === text.charAt(at + 1) ? keyEnd + 1 : keyEnd;
  return keyEnd > keyAt && text.charAt(close) === "]" ? close + 1 : at;
}

function skipProperties(text: string, at: number): number {
  const arrow = text.startsWith("->", at) ? 2 : text.startsWith("?->", at) ? 3 : 0;
  if (arrow === 0 || !isNameStartAt(text, at + arrow)) return at;
  return skipName(text, at + arrow);
}

/** `$x`, `$x->y` and `$x['y']`. */
function readVariable(text: string, at: number): Piece | undefined {
  const name = readDollarName(text, at);
  if (name === undefined) return undefined;
  const indexed = skipIndex(text, name.end);
  const end = indexed > name.end ? indexed : skipProperties(text, name.end);
  if (end === name.end) return name;
  return placeholderPiece(end, {
    kind: "any",
    source: text.slice(at, end),
    name: text.slice(at + 1, name.end),
  });
}

/** `{name}` and `{a.b}` of PSR-3 loggers. */
function readBraces(text: string, at: number): Piece | undefined {
  if (text.charAt(at) !== "{" || text.charAt(at - 1) === "{") return undefined;
  let end = skipName(text, at + 1);
  while (text.charAt(end) === "." && skipName(text, end + 1) > end + 1)
    end = skipName(text, end + 1);
  if (end === at + 1) end = skipDigits(text, end);
  if (end === at + 1 || text.charAt(end) !== "}") return undefined;
  const name = text.slice(at + 1, end);
  return placeholderPiece(end + 1, { kind: "any", source: text.slice(at, end + 1), name });
}

const SUMS: SumRules = { operator: ".", quotes: "'\"", words: new Set(["new", "instanceof"]) };
const TRIGGERS = createTriggers("${%'\"");
const READ_PHP = firstOf(
  createInterpolationReader("{$", "'\""),
  createInterpolationReader("${", "'\""),
  readVariable,
  readBraces,
  createSumReader(SUMS),
);

/** PHP's variables in strings, `sprintf` conversions, PSR-3 fields, and sums with `.`. */
export function parsePhp(message: string): readonly TemplatePart[] {
  const { lead, text } = openSum(message, SUMS);
  const undoPairs = hasConversion(text, createConversionReader(CONVERSIONS, true));
  const read = firstOf(READ_PHP, createConversionReader(CONVERSIONS, undoPairs));
  return [...lead, ...scanPieces(text, TRIGGERS, read)];
}
