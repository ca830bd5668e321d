import type { TemplatePart } from "../../record/template.ts";
import { isNameStartAt, skipDigits } from "./characters.ts";
import { createConversionReader, hasConversion, type Conversions } from "./read-conversion.ts";
import { skipArgument } from "./read-field.ts";
import { createInterpolationReader } from "./read-interpolation.ts";
import { createSumReader, openSum, type SumRules } from "./read-sum.ts";
import {
  createTriggers,
  firstOf,
  placeholderPiece,
  scanPieces,
  type Piece,
} from "./scan-pieces.ts";
import { nameOf } from "./skip-expression.ts";

/** @see https://nodejs.org/api/util.html#utilformatformat-args (`%d` prints fractions too) */
const CONVERSIONS: Conversions = {
  flags: "",
  kinds: {
    s: "any",
    d: "number",
    i: "integer",
    f: "number",
    j: "any",
    o: "any",
    O: "any",
    c: "any",
  },
};

/**
 * `{0}` of message catalogues (as in VS Code and TypeScript) and `{name}` of ICU messages or of a
 * record's author. `{}` is an empty object.
 */
function readBraces(text: string, at: number): Piece | undefined {
  if (text.charAt(at) !== "{") return undefined;
  const end = isNameStartAt(text, at + 1) ? skipArgument(text, at + 1) : skipDigits(text, at + 1);
  if (end === undefined || end === at + 1 || text.charAt(end) !== "}") return undefined;
  if (text.charAt(at - 1) === "]") return undefined;
  const name = nameOf(text.slice(at + 1, end));
  return placeholderPiece(end + 1, { kind: "any", source: text.slice(at, end + 1), name });
}

const SUMS: SumRules = {
  operator: "+",
  quotes: "'\"`",
  words: new Set(["new", "typeof", "instanceof", "in", "await", "void"]),
};
const TRIGGERS = createTriggers("$%{'\"`");
const INTERPOLATION = createInterpolationReader("${", "'\"`");
const SUM = createSumReader(SUMS);

/** Template literals, `console` and `util.format` conversions, and sums of strings. */
export function parseJavascript(message: string): readonly TemplatePart[] {
  const { lead, text } = openSum(message, SUMS);
  // `%%` is one sign only where format has something to replace.
  const undoPairs = hasConversion(text, createConversionReader(CONVERSIONS, true));
  const conversion = createConversionReader(CONVERSIONS, undoPairs);
  const read = firstOf(INTERPOLATION, readBraces, conversion, SUM);
  return [...lead, ...scanPieces(text, TRIGGERS, read)];
}
