import type { PlaceholderKind, TemplatePart } from "../../record/template.ts";
import { isAnyAt, isDigitAt, skipBlanks, skipDigits } from "./characters.ts";
import { createBraceReader, isFormatString } from "./read-field.ts";
import { createSumReader, openSum, type SumRules } from "./read-sum.ts";
import {
  createTriggers,
  firstOf,
  placeholderPiece,
  scanPieces,
  type Piece,
} from "./scan-pieces.ts";
import { nameOf, skipExpression, type ExpressionRules } from "./skip-expression.ts";

const EXPRESSIONS: ExpressionRules = {
  quotes: '"',
  words: new Set(["new", "is", "as", "await", "not", "and", "or", "typeof"]),
};
const FORMAT_CHARS_MAX = 80;

/** `,-10`: the width of a hole. */
function skipWidth(text: string, at: number): number {
  if (text.charAt(at) !== ",") return at;
  const numberAt = skipBlanks(text, at + 1);
  const end = skipDigits(text, text.charAt(numberAt) === "-" ? numberAt + 1 : numberAt);
  return end > numberAt ? skipBlanks(text, end) : at;
}

/** Index of the brace that ends a format such as `:N2` or `:yyyy-MM-dd HH:mm`. */
function skipFormat(text: string, at: number): number | undefined {
  const limit = Math.min(text.length, at + FORMAT_CHARS_MAX);
  for (let i = at; i < limit; i += 1) {
    if (text.charAt(i) === "}") return i;
    if (text.charAt(i) === "{" || (i === at && text.charAt(i) === " ")) return undefined;
  }
  return undefined;
}

/**
 * A standard numeric format. `D`, `N` and `X` without a precision also format a Guid or a date.
 *
 * @see https://learn.microsoft.com/dotnet/standard/base-types/standard-numeric-format-strings
 */
function kindOfFormat(format: string): PlaceholderKind {
  const precise = isDigitAt(format, 1) && skipDigits(format, 1) === format.length;
  const letter = format.charAt(0).toUpperCase();
  if (!precise) return letter === "X" && format.length === 1 ? "hex" : "any";
  if (letter === "D") return "integer";
  if (letter === "X") return "hex";
  return "NFEG".includes(letter) ? "number" : "any";
}

/** What follows the expression of a hole: a width, a format, and the closing brace. */
function readHoleEnd(text: string, at: number): { end: number; kind: PlaceholderKind } | undefined {
  const widthEnd = skipWidth(text, at);
  const hasFormat = text.charAt(widthEnd) === ":";
  const close = hasFormat ? skipFormat(text, widthEnd + 1) : widthEnd;
  if (close === undefined || text.charAt(close) !== "}") return undefined;
  const kind = hasFormat ? kindOfFormat(text.slice(widthEnd + 1, close)) : "any";
  return { end: close + 1, kind };
}

function readHole(text: string, at: number): Piece | undefined {
  // Serilog's `{@Order}` and `{$Order}` say how to destructure.
  const start = isAnyAt(text, at + 1, "@$") ? at + 2 : at + 1;
  const isEmpty = text.charAt(at + 1) === "}";
  const expression = isEmpty
    ? { end: start, tokenEnd: start }
    : skipExpression(text, start, EXPRESSIONS);
  const hole = expression && readHoleEnd(text, expression.end);
  if (expression === undefined || hole === undefined) return undefined;
  return placeholderPiece(hole.end, {
    kind: hole.kind,
    source: text.slice(at, hole.end),
    name: nameOf(text.slice(start, expression.tokenEnd)),
  });
}

const SUMS: SumRules = { operator: "+", ...EXPRESSIONS };
const TRIGGERS = createTriggers('{}"');

/** C#'s composite formats, interpolated strings, message templates of loggers, and sums. */
export function parseCsharp(message: string): readonly TemplatePart[] {
  const { lead, text } = openSum(message, SUMS);
  const braces = createBraceReader(readHole, isFormatString(text, readHole));
  return [...lead, ...scanPieces(text, TRIGGERS, firstOf(braces, createSumReader(SUMS)))];
}
