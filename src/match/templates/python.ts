import type { PlaceholderKind, TemplatePart } from "../../record/template.ts";
import { isAnyAt, isLetterAt, skipName } from "./characters.ts";
import { createConversionReader, hasConversion, type Conversions } from "./read-conversion.ts";
import { createBraceReader, isFormatString, readFormatSpec, skipClose } from "./read-field.ts";
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
import { nameOf, skipExpression, type ExpressionRules } from "./skip-expression.ts";

/** @see https://docs.python.org/3/library/stdtypes.html#printf-style-string-formatting */
const CONVERSIONS: Conversions = {
  arguments: "parentheses",
  flags: "-+ 0#",
  lengths: ["h", "l", "L"],
  kinds: {
    s: "any",
    r: "debug",
    a: "debug",
    d: "integer",
    i: "integer",
    u: "integer",
    o: "integer",
    x: "hex",
    X: "hex",
    c: "char",
    e: "number",
    E: "number",
    f: "number",
    F: "number",
    g: "number",
    G: "number",
  },
};

/** @see https://docs.python.org/3/library/string.html#format-specification-mini-language */
const TYPES: Readonly<Record<string, PlaceholderKind>> = {
  "": "any",
  s: "any",
  "%": "any",
  d: "integer",
  b: "integer",
  o: "integer",
  x: "hex",
  X: "hex",
  c: "char",
  n: "number",
  e: "number",
  E: "number",
  f: "number",
  F: "number",
  g: "number",
  G: "number",
};

const NO_SPEC = { end: 0, kind: "any" } as const;

const EXPRESSIONS: ExpressionRules = {
  quotes: "'\"",
  words: new Set(["if", "else", "and", "or", "not", "in", "is", "for", "await", "lambda"]),
};

/** `[a-z]{3}` and `\d{2}` count repetitions; a field hardly stands so. */
function isRepetition(text: string, at: number): boolean {
  const before = text.charAt(at - 1);
  return before === "]" || (text.charAt(at - 2) === "\\" && isLetterAt(text, at - 1));
}

/** `{x=}` prints the expression as well; the placeholder stands for all of it. */
function skipEquals(text: string, at: number): number {
  return text.charAt(at) === "=" && isAnyAt(text, at + 1, "!:}") ? at + 1 : at;
}

/** `!r`, `!a` or `!s` and a specification, up to and with the closing brace. */
function readFieldEnd(
  text: string,
  at: number,
): { end: number; kind: PlaceholderKind } | undefined {
  const converts = text.charAt(at) === "!" && isAnyAt(text, at + 1, "rsa");
  const specAt = converts ? at + 2 : at;
  const hasSpec = text.charAt(specAt) === ":";
  const spec = hasSpec ? readFormatSpec(text, specAt + 1, TYPES) : NO_SPEC;
  const end = spec && skipClose(text, hasSpec ? spec.end : specAt);
  if (spec === undefined || end === undefined) return undefined;
  const isRepr = converts && isAnyAt(text, at + 1, "ra");
  return { end, kind: isRepr ? "debug" : spec.kind };
}

/** Index after the expression of a field; the field's start where it has none (`{}`, `{:>8}`, `{!r}`). */
function skipFieldExpression(text: string, start: number): number | undefined {
  if (isAnyAt(text, start, "}:!")) return start;
  const expression = skipExpression(text, start, EXPRESSIONS);
  if (expression !== undefined) return expression.tokenEnd;
  const nameEnd = skipName(text, start);
  return skipEquals(text, nameEnd) > nameEnd ? nameEnd : undefined;
}

function readField(text: string, at: number): Piece | undefined {
  const start = at + 1;
  if (isRepetition(text, at)) return undefined;
  const expressionEnd = skipFieldExpression(text, start);
  if (expressionEnd === undefined) return undefined;
  const field = readFieldEnd(text, skipEquals(text, expressionEnd));
  return (
    field &&
    placeholderPiece(field.end, {
      kind: field.kind,
      source: text.slice(at, field.end),
      name: nameOf(text.slice(start, expressionEnd)),
    })
  );
}

/** `$name` and `${name}` of `string.Template`; capitals are the names of environment variables. */
function readTemplateName(text: string, at: number): Piece | undefined {
  if (text.charAt(at) !== "$") return undefined;
  if (text.charAt(at + 1) === "$") return literalPiece(at + 2, "$");
  const braced = text.charAt(at + 1) === "{";
  const nameAt = braced ? at + 2 : at + 1;
  const nameEnd = skipName(text, nameAt);
  const name = text.slice(nameAt, nameEnd);
  const closes = !braced || text.charAt(nameEnd) === "}";
  if (name === "" || !closes || name !== name.toLowerCase()) return undefined;
  const end = braced ? nameEnd + 1 : nameEnd;
  return placeholderPiece(end, { kind: "any", source: text.slice(at, end), name });
}

const SUMS: SumRules = { operator: "+", ...EXPRESSIONS };
const TRIGGERS = createTriggers("%{}$'\"");
const PERCENT = createConversionReader(CONVERSIONS, true);
const SUM = createSumReader(SUMS);

/** Without its `${…}`, which are no fields of Python's. */
function hasField(text: string): boolean {
  const templateOrField = firstOf(readTemplateName, createBraceReader(readField, false));
  const parts = scanPieces(text, TRIGGERS, templateOrField);
  return parts.some((part) => part.type === "placeholder" && !part.source.startsWith("$"));
}

/** Whether a `%` conversion stands right after a digit or a field: `{pct}%d` is rather prose. */
function isPercentWeak(text: string): boolean {
  for (let at = text.indexOf("%"); at >= 0; at = text.indexOf("%", at + 1)) {
    const before = text.charAt(at - 1);
    const strong = isAnyAt(text, at + 1, "srd(") && !(before >= "0" && before <= "9");
    if (strong && before !== "}") return false;
  }
  return true;
}

/**
 * A message is of one style: `%`, fields (of `str.format` or an f-string) or `string.Template`. Where
 * both of the first two stand, plain `%s`, `%r`, `%d` and `%(name)s` mean that an f-string was handed to
 * a logger with arguments, so that both are replaced; any other `%` is then a per cent sign.
 */
function readerFor(text: string): ReadPiece {
  const fields = text.includes("{") && hasField(text);
  const percent = text.includes("%") && hasConversion(text, PERCENT);
  if (!fields) {
    if (percent || text.includes("%%")) return PERCENT;
    const template = scanPieces(text, TRIGGERS, readTemplateName);
    return hasPlaceholder(template) ? readTemplateName : () => undefined;
  }
  const braces = createBraceReader(readField, isFormatString(text, readField));
  return percent && !isPercentWeak(text) ? firstOf(PERCENT, braces) : braces;
}

/** Python's `%` conversions, fields, f-strings, `string.Template`, and sums of strings. */
export function parsePython(message: string): readonly TemplatePart[] {
  const sum = openSum(message, SUMS);
  const read = firstOf(readerFor(sum.text), SUM);
  return [...sum.lead, ...scanPieces(sum.text, TRIGGERS, read)];
}
