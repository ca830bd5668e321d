import type { PlaceholderKind, TemplatePart } from "../../record/template.ts";
import { isDigitAt, isLetterAt, isNameStartAt, skipDigits, skipName } from "./characters.ts";
import { createConversionReader, hasConversion, type Conversions } from "./read-conversion.ts";
import { createFieldReader } from "./read-field.ts";
import { createInterpolationReader } from "./read-interpolation.ts";
import {
  createTriggers,
  firstOf,
  placeholderPiece,
  scanPieces,
  type Piece,
  type ReadPiece,
} from "./scan-pieces.ts";

/** Conversions that mean much the same wherever they exist. */
const CONVERSIONS: Conversions = {
  arguments: "dollar",
  flags: "-+#0",
  lengths: ["hh", "h", "ll", "l", "L", "j", "z"],
  kinds: {
    s: "any",
    v: "any",
    w: "any",
    T: "any",
    "@": "any",
    r: "debug",
    q: "quoted",
    d: "integer",
    i: "integer",
    u: "integer",
    x: "hex",
    X: "hex",
    p: "pointer",
    c: "char",
    f: "number",
    g: "number",
    e: "number",
  },
};

const FIELD_TYPES: Readonly<Record<string, PlaceholderKind>> = {
  "": "any",
  "?": "debug",
  s: "any",
  d: "integer",
  x: "hex",
  X: "hex",
  e: "number",
  f: "number",
};

/** `50%discount` is prose: a digit before and a letter after tell. */
function cautious(read: ReadPiece): ReadPiece {
  return (text, at) => {
    const piece = read(text, at);
    const prose =
      piece?.part.type === "placeholder" && isDigitAt(text, at - 1) && isLetterAt(text, piece.end);
    return prose ? undefined : piece;
  };
}

/** `%(name)s`, with the plain letter only. */
function readNamed(text: string, at: number): Piece | undefined {
  if (!text.startsWith("%(", at)) return undefined;
  const close = skipName(text, at + 2);
  const letter = text.charAt(close + 1);
  if (close === at + 2 || text.charAt(close) !== ")" || !"srd".includes(letter || " "))
    return undefined;
  const kind = letter === "d" ? "integer" : letter === "r" ? "debug" : "any";
  const end = close + 2;
  return placeholderPiece(end, {
    kind,
    source: text.slice(at, end),
    name: text.slice(at + 2, close),
  });
}

/** Swift's `\(path)`: no blank, no nested parenthesis but an empty call. */
function readBackslash(text: string, at: number): Piece | undefined {
  if (!text.startsWith("\\(", at) || !isNameStartAt(text, at + 2)) return undefined;
  let close = at + 2;
  while (isNameStartAt(text, close) || isDigitAt(text, close) || text.charAt(close) === ".")
    close += 1;
  if (text.startsWith("()", close)) close += 2;
  if (text.charAt(close) !== ")") return undefined;
  const name = text.slice(at + 2, close);
  return placeholderPiece(close + 1, { kind: "any", source: text.slice(at, close + 1), name });
}

/** `<name>`, as usage texts write what has to be filled in. */
function readAngles(text: string, at: number): Piece | undefined {
  if (text.charAt(at) !== "<" || !isLetterAt(text, at + 1)) return undefined;
  let close = at + 1;
  while (isNameStartAt(text, close) || isDigitAt(text, close) || text.charAt(close) === "-")
    close += 1;
  if (text.charAt(close) !== ">") return undefined;
  const name = text.slice(at + 1, close);
  return placeholderPiece(close + 1, { kind: "any", source: text.slice(at, close + 1), name });
}

const readFieldAnyhow = createFieldReader(FIELD_TYPES);

/** `{}`, `{0}`, `{name}`, `{a.b:>8}`; after `]` a number of repetitions. */
function readBraces(text: string, at: number): Piece | undefined {
  if (text.charAt(at) !== "{" || text.charAt(at + 1) === " ") return undefined;
  const repeats = text.charAt(at - 1) === "]" && skipDigits(text, at + 1) > at + 1;
  return repeats ? undefined : readFieldAnyhow(text, at);
}

const TRIGGERS = createTriggers("{$#%\\<");
const READ_GENERIC = firstOf(
  readBraces,
  createInterpolationReader("${", "'\""),
  createInterpolationReader("#{", "'\""),
  readNamed,
  readBackslash,
  readAngles,
);

/**
 * A message of an unknown language: only spellings that hardly mean anything else are placeholders, and
 * of escapes only `%%` beside a conversion is undone.
 */
export function parseGeneric(message: string): readonly TemplatePart[] {
  const undoPairs = hasConversion(message, cautious(createConversionReader(CONVERSIONS, true)));
  const conversion = cautious(createConversionReader(CONVERSIONS, undoPairs));
  return scanPieces(message, TRIGGERS, firstOf(READ_GENERIC, conversion));
}
