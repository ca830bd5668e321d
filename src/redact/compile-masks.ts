import { RE2JS } from "re2js";

/** An expression that cannot be used. */
export class MaskError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "MaskError";
  }
}

/** Put in the place of each character of a hit but blanks, so that the text keeps its shape. */
const MASK = "*";
const PATTERN_CHARS_MAX = 1000;

/**
 * Compiles an operator's expression (RE2 syntax) to a mask for `RedactOptions.extra`.
 *
 * Each line is looked at by itself, so the number of lines stays. Linear in the size of the text,
 * whatever the expression: RE2 knows no backtracking.
 *
 * @throws {MaskError} Saying what does not fit; an expression that matches the empty text is refused.
 */
export function compileMask(pattern: string): (text: string) => string {
  const expression = compile(pattern);
  return (text) => (expression.test(text) ? text.split("\n").map(maskLine).join("\n") : text);

  function maskLine(line: string): string {
    const matcher = expression.matcher(line);
    let masked = "";
    let from = 0;
    while (matcher.find()) {
      const [start, end] = [matcher.start(), matcher.end()];
      masked += line.slice(from, start) + line.slice(start, end).replace(/\S/gu, MASK);
      from = end;
    }
    return from === 0 ? line : masked + line.slice(from);
  }
}

function compile(pattern: string): RE2JS {
  if (pattern.length > PATTERN_CHARS_MAX) {
    throw new MaskError(`must not be longer than ${PATTERN_CHARS_MAX} characters`);
  }
  let expression: RE2JS;
  try {
    expression = RE2JS.compile(pattern);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unknown";
    throw new MaskError(`is no RE2 expression: ${reason}`);
  }
  if (expression.test("")) throw new MaskError("matches the empty text");
  return expression;
}
