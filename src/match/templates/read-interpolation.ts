import { isAnyAt, isNameStartAt, skipName } from "./characters.ts";
import { placeholderPiece, type Piece, type ReadPiece } from "./scan-pieces.ts";
import { findClosingBrace, nameOf } from "./skip-expression.ts";

/** Whether code may begin at this index; `${` and `#{` before anything else are plain text. */
function isCodeStart(text: string, at: number): boolean {
  return isNameStartAt(text, at) || isAnyAt(text, at, " \t\r\n($@!/'\"`[{-:0123456789");
}

/**
 * A reader of `${…}` or `#{…}` with any expression in it. One that never closes was cut off together
 * with the rest of the message, so that it reaches to the end. `quotes` are the characters that open a
 * string inside, in which braces do not count.
 */
export function createInterpolationReader(opening: "${" | "#{" | "{$", quotes: string): ReadPiece {
  const codeAt = opening === "{$" ? 1 : 2;
  return (text, at) => {
    if (!text.startsWith(opening, at) || !isCodeStart(text, at + 2)) return undefined;
    const close = findClosingBrace(text, at + codeAt, quotes);
    return interpolation(text, at, { code: at + codeAt, close });
  };
}

function interpolation(
  text: string,
  at: number,
  bounds: { code: number; close: number | undefined },
): Piece {
  const end = bounds.close === undefined ? text.length : bounds.close + 1;
  const code = text.slice(bounds.code, bounds.close ?? text.length).trim();
  return placeholderPiece(end, { kind: "any", source: text.slice(at, end), name: nameOf(code) });
}

/** Reads `$name`, as Kotlin, Scala, Groovy and PHP interpolate it. */
export function readDollarName(text: string, at: number): Piece | undefined {
  if (text.charAt(at) !== "$") return undefined;
  const end = skipName(text, at + 1);
  if (end === at + 1) return undefined;
  const name = text.slice(at + 1, end);
  return placeholderPiece(end, { kind: "any", source: text.slice(at, end), name });
}
