import { isAnyAt, isDigitAt, isNameStartAt, skipBlanks, skipName } from "./characters.ts";

/**
 * How far an expression in plain braces may reach. It bounds the look ahead, and with it the work on a
 * message that opens many braces and closes none.
 */
const EXPRESSION_CHARS_MAX = 200;

/** The same for `${…}` and `#{…}`, in which whole functions stand. */
const INTERPOLATION_CHARS_MAX = 1000;

const OPENING = "([{";
const CLOSING = ")]}";
const OPERATORS = "+-*/%<>=&|^~.?@";

/** What tells the expressions of one language from those of another. */
export interface ExpressionRules {
  /** Characters that open and close a string. */
  readonly quotes: string;
  /** Words that may stand beside an operand, such as `if` and `new`. */
  readonly words: ReadonlySet<string>;
  /** Ends the expression at a string of its own: in a sum of strings the next literal begins there. */
  readonly endsAtQuote?: boolean;
}

/** Where a skipped expression ends. */
export interface Expression {
  /** Index of the first character after it that cannot belong to it: `}`, `:`, `,`, `!` or the end. */
  readonly end: number;
  /** Index after its last token; only blanks stand between that and `end`. */
  readonly tokenEnd: number;
  /** False where an operator stands last. */
  readonly complete: boolean;
}

interface Token {
  readonly end: number;
  readonly kind: "operand" | "suffix" | "word" | "operator" | "stop";
}

const STOP: Token = { end: 0, kind: "stop" };

/** Index after the string that opens at `at`, or undefined where it does not end in time. */
function skipString(text: string, at: number, limit: number): number | undefined {
  const quote = text.charAt(at);
  for (let i = at + 1; i < limit; i += 1) {
    const char = text.charAt(i);
    if (char === "\\") i += 1;
    else if (char === quote) return i + 1;
  }
  return undefined;
}

/** Index after the bracket that closes the one at `at`; strings inside are stepped over. */
function skipGroup(text: string, at: number, quotes: string): number | undefined {
  const limit = Math.min(text.length, at + EXPRESSION_CHARS_MAX);
  const closers: string[] = [];
  for (let i = at; i < limit;) {
    const char = text.charAt(i);
    if (quotes.includes(char)) {
      const end = skipString(text, i, limit);
      if (end === undefined) return undefined;
      i = end;
      continue;
    }
    i += 1;
    const opened = OPENING.indexOf(char);
    if (opened >= 0) closers.push(CLOSING.charAt(opened));
    else if (CLOSING.includes(char) && closers.pop() !== char) return undefined;
    if (closers.length === 0) return i;
  }
  return undefined;
}

function readNameToken(text: string, at: number, rules: ExpressionRules): Token | undefined {
  const start = text.charAt(at) === "$" ? at + 1 : at;
  const end = skipName(text, start);
  if (end === start) return undefined;
  return { end, kind: rules.words.has(text.slice(at, end)) ? "word" : "operand" };
}

function skipNumber(text: string, at: number): number {
  let end = at;
  while (isDigitAt(text, end) || isNameStartAt(text, end)) end += 1;
  return end;
}

function readOperator(text: string, at: number): Token {
  const char = text.charAt(at);
  if (text.startsWith("::", at) && isNameStartAt(text, at + 2))
    return { end: at + 2, kind: "operator" };
  const negates = isAnyAt(text, at + 1, "=.") || isNameStartAt(text, at + 1);
  if (char === "!" && negates) return { end: at + 1, kind: "operator" };
  if (OPERATORS.includes(char)) return { end: at + 1, kind: "operator" };
  return { end: at, kind: "stop" };
}

function readStringToken(text: string, at: number, rules: ExpressionRules): Token | undefined {
  if (rules.endsAtQuote === true) return { end: at, kind: "stop" };
  const end = skipString(text, at, Math.min(text.length, at + EXPRESSION_CHARS_MAX));
  return end === undefined ? undefined : { end, kind: "operand" };
}

function readToken(text: string, at: number, rules: ExpressionRules): Token | undefined {
  const char = text.charAt(at);
  if (char === "") return { end: at, kind: "stop" };
  if (isNameStartAt(text, at) || char === "$") return readNameToken(text, at, rules);
  if (isDigitAt(text, at)) return { end: skipNumber(text, at), kind: "operand" };
  if (rules.quotes.includes(char)) return readStringToken(text, at, rules);
  if (char === "(" || char === "[") {
    const end = skipGroup(text, at, rules.quotes);
    return end === undefined ? undefined : { end, kind: "suffix" };
  }
  return readOperator(text, at);
}

/**
 * Skips one expression of a C- or Python-like language, as far as its shape tells: names, numbers,
 * strings, calls and operators, but never two operands side by side (`first name` is prose). A lone
 * string does not count, and an expression has no blank before it.
 */
export function skipExpression(
  text: string,
  start: number,
  rules: ExpressionRules,
): Expression | undefined {
  const expression = walkTokens(text, start, rules);
  if (expression?.complete !== true) return undefined;
  const lone = isAnyAt(text, start, rules.quotes);
  return lone && readToken(text, start, rules)?.end === expression.tokenEnd
    ? undefined
    : expression;
}

/** As `skipExpression`, but an operator may stand last, as before the next string of a sum. */
export function walkTokens(
  text: string,
  start: number,
  rules: ExpressionRules,
): Expression | undefined {
  if (skipBlanks(text, start) !== start) return undefined;
  let last: Token = { end: start, kind: "operator" };
  for (let at = start; at < start + EXPRESSION_CHARS_MAX; at = last.end) {
    at = skipBlanks(text, at);
    const next: Token | undefined = readNext(text, at, { last, rules });
    if (next === undefined) return undefined;
    if (next.kind === "stop") {
      // A word by itself is a name that someone gave (`{new}`), whatever the language says of it.
      const loneWord = last.kind === "word" && skipName(text, start) === last.end;
      return { end: at, tokenEnd: last.end, complete: isOperand(last) || loneWord };
    }
    last = next;
  }
  return undefined;
}

function isOperand(token: Token): boolean {
  return token.kind === "operand" || token.kind === "suffix";
}

/** The token at `at`; undefined for one that cannot follow the last: a second operand is prose. */
function readNext(
  text: string,
  at: number,
  context: { last: Token; rules: ExpressionRules },
): Token | undefined {
  const afterOperand = isOperand(context.last);
  if (isRepr(text, at, afterOperand)) return STOP;
  const token = readToken(text, at, context.rules);
  const second = token?.kind === "operand" && afterOperand;
  // A string may carry a prefix (`f"…"`).
  return second && !isPrefixed(text, at, context.rules) ? undefined : token;
}

/** Python's `!r` stands after an operand, a negation before one. */
function isRepr(text: string, at: number, afterOperand: boolean): boolean {
  return afterOperand && text.charAt(at) === "!" && isNameStartAt(text, at + 1);
}

function isPrefixed(text: string, at: number, rules: ExpressionRules): boolean {
  return isAnyAt(text, at, rules.quotes) && isNameStartAt(text, at - 1);
}

/**
 * Index of the `}` that closes an interpolation whose first inner character is at `start`. Braces nest
 * and strings are stepped over; where a quote in it has no partner, braces alone are counted.
 */
export function findClosingBrace(text: string, start: number, quotes: string): number | undefined {
  const limit = Math.min(text.length, start + INTERPOLATION_CHARS_MAX);
  return (
    countBraces(text, start, { quotes, limit }) ?? countBraces(text, start, { quotes: "", limit })
  );
}

function countBraces(
  text: string,
  start: number,
  bounds: { quotes: string; limit: number },
): number | undefined {
  let depth = 1;
  for (let i = start; i < bounds.limit; i += 1) {
    const char = text.charAt(i);
    if (bounds.quotes.includes(char)) {
      const end = skipString(text, i, bounds.limit);
      if (end === undefined) return undefined;
      i = end - 1;
    } else if (char === "{") depth += 1;
    else if (char === "}") depth -= 1;
    if (depth === 0) return i;
  }
  return undefined;
}

/** The expression without its `$` where it is a name, a number or a dotted path; else empty. */
export function nameOf(expression: string): string {
  const from = expression.startsWith("$") ? 1 : 0;
  for (let i = from; i < expression.length; i += 1) {
    const plain = isNameStartAt(expression, i) || isDigitAt(expression, i);
    if (!plain && expression.charAt(i) !== ".") return "";
  }
  return expression.slice(from);
}
