import type { TemplatePart } from "../../record/template.ts";
import { isAnyAt, isDigitAt, skipDigits, skipName } from "./characters.ts";
import { createConversionReader, hasConversion, type Conversions } from "./read-conversion.ts";
import { createInterpolationReader, readDollarName } from "./read-interpolation.ts";
import { createSumReader, openSum, type SumRules } from "./read-sum.ts";
import {
  createTriggers,
  firstOf,
  literalPiece,
  placeholderPiece,
  scanPieces,
  type Piece,
  type ReadPiece,
} from "./scan-pieces.ts";
import {
  findClosingBrace,
  nameOf,
  skipExpression,
  type ExpressionRules,
} from "./skip-expression.ts";

/** @see https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/Formatter.html */
const CONVERSIONS: Conversions = {
  arguments: "dollar",
  flags: "-#+ 0,(<",
  kinds: {
    s: "any",
    S: "any",
    b: "bool",
    B: "bool",
    h: "hex",
    H: "hex",
    c: "char",
    C: "char",
    d: "integer",
    o: "integer",
    x: "hex",
    X: "hex",
    e: "number",
    E: "number",
    f: "number",
    g: "number",
    G: "number",
    a: "number",
    A: "number",
  },
  refine: (kind, flags) => (kind === "integer" && /[,(]/.test(flags) ? "number" : kind),
};

const EXPRESSIONS: ExpressionRules = {
  quotes: "'\"",
  words: new Set(["new", "instanceof", "if", "else", "is", "as", "in"]),
};
const STYLES = ["number", "date", "time", "choice", "plural", "select", "selectordinal"];

/** `%n` is a line break; `%tY` and the like are times. */
function readSpecial(text: string, at: number): Piece | undefined {
  if (text.startsWith("%n", at)) return literalPiece(at + 2, "\n");
  if (text.charAt(at) !== "%") return undefined;
  const position = skipDigits(text, at + 1);
  const letterAt = position > at + 1 && text.charAt(position) === "$" ? position + 1 : at + 1;
  const isTime = isAnyAt(text, letterAt, "tT");
  if (!isTime || !isAnyAt(text, letterAt + 1, "HIklMSLNpzZsQBbhAaCYyjmdeRTrDFc")) return undefined;
  const end = letterAt + 2;
  return placeholderPiece(end, { kind: "any", source: text.slice(at, end), name: "" });
}

/** `{0,number,#}` of MessageFormat and ICU's named form; the style may hold braces of its own. */
function readStyled(text: string, at: number): Piece | undefined {
  const nameEnd = Math.max(skipName(text, at + 1), skipDigits(text, at + 1));
  if (nameEnd === at + 1 || text.charAt(nameEnd) !== ",") return undefined;
  const styleAt = text.charAt(nameEnd + 1) === " " ? nameEnd + 2 : nameEnd + 1;
  const style = text.slice(styleAt, skipName(text, styleAt));
  const close = STYLES.includes(style) ? findClosingBrace(text, styleAt, "") : undefined;
  if (close === undefined) return undefined;
  const kind = style === "number" ? "number" : "any";
  const source = text.slice(at, close + 1);
  return placeholderPiece(close + 1, { kind, source, name: text.slice(at + 1, nameEnd) });
}

/** `{}` of slf4j, `{0}`, and the `{name}` that the record's author put for an operand of a sum. */
function readBraces(text: string, at: number): Piece | undefined {
  if (text.charAt(at) !== "{") return undefined;
  if (text.charAt(at + 1) === "}") return placed(text, at, at + 1);
  const expression = skipExpression(text, at + 1, EXPRESSIONS);
  if (expression === undefined || text.charAt(expression.end) !== "}") return readStyled(text, at);
  // `[A-Z]{3}` counts repetitions.
  if (isDigitAt(text, at + 1) && text.charAt(at - 1) === "]") return undefined;
  return placed(text, at, expression.end);
}

function placed(text: string, at: number, close: number): Piece {
  const name = nameOf(text.slice(at + 1, close).trim());
  return placeholderPiece(close + 1, { kind: "any", source: text.slice(at, close + 1), name });
}

/** slf4j prints `\{}` as `{}`. */
function readEscapedBraces(text: string, at: number): Piece | undefined {
  return text.startsWith("\\{}", at) ? literalPiece(at + 3, "{}") : undefined;
}

/**
 * MessageFormat's quotes: `''` is one quote, a pair of quotes prints what it holds as it stands. One
 * without a partner is an apostrophe.
 */
function readQuotes(text: string, at: number): Piece | undefined {
  if (text.charAt(at) !== "'") return undefined;
  if (text.charAt(at + 1) === "'") return literalPiece(at + 2, "'");
  const close = text.indexOf("'", at + 1);
  return close < 0 ? undefined : literalPiece(close + 1, text.slice(at + 1, close));
}

/** Only a message with both `{0}` and `''` is surely MessageFormat's: others mean `'{0}'` as it reads. */
function isMessageFormat(text: string): boolean {
  if (!text.includes("''")) return false;
  for (let at = text.indexOf("{"); at >= 0; at = text.indexOf("{", at + 1))
    if (isDigitAt(text, at + 1)) return true;
  return false;
}

/** Groovy's `$a.b`, Scala's `$x%.2f` and `$$`; in Java a bare dollar is a character. */
function createDollarReader(extension: string): ReadPiece {
  const braced = createInterpolationReader("${", "\"'");
  if (extension === "java") return braced;
  return (text, at) => {
    if (text.charAt(at) !== "$") return undefined;
    if (text.charAt(at + 1) === "$" && extension !== "kt") return literalPiece(at + 2, "$");
    const piece = braced(text, at) ?? readDollarName(text, at);
    if (piece?.part.type !== "placeholder") return piece;
    const end = extendDollar(text, piece.end, extension);
    if (end === piece.end) return piece;
    const name = extension === "groovy" ? text.slice(at + 1, end) : piece.part.name;
    return placeholderPiece(end, { kind: "any", source: text.slice(at, end), name });
  };
}

function extendDollar(text: string, at: number, extension: string): number {
  let end = at;
  if (extension === "groovy" && text.charAt(at - 1) !== "}") {
    while (text.charAt(end) === "." && skipName(text, end + 1) > end + 1)
      end = skipName(text, end + 1);
  }
  if (extension === "scala" || extension === "sc") {
    const conversion = createConversionReader(CONVERSIONS, false)(text, at);
    if (conversion?.part.type === "placeholder") return conversion.end;
  }
  return end;
}

const SUMS: SumRules = { operator: "+", quotes: '"', words: EXPRESSIONS.words };
const TRIGGERS = createTriggers("%{$'\"\\");
const SUM = createSumReader(SUMS);

/** Java, Kotlin, Scala and Groovy: the Formatter, slf4j, MessageFormat, interpolation and sums. */
export function parseJvm(message: string, extension: string): readonly TemplatePart[] {
  const { lead, text } = openSum(message, SUMS);
  // slf4j prints `%%` as it stands; without braces it is the Formatter's.
  const formats = hasConversion(text, createConversionReader(CONVERSIONS, true));
  const read = firstOf(
    readBraces,
    readSpecial,
    createConversionReader(CONVERSIONS, formats || !text.includes("{")),
    createDollarReader(extension),
    readEscapedBraces,
    isMessageFormat(text) ? readQuotes : SUM,
    SUM,
  );
  return [...lead, ...scanPieces(text, TRIGGERS, read)];
}
