import type { Labels } from "./alert.ts";
import { compileExpression } from "./anchored-expression.ts";
import type { AnchoredExpression } from "./anchored-expression.ts";
import { ExpressionError } from "./parse-expression.ts";

/** How a matcher compares: equal, not equal, and both by an expression. */
export type MatchOperator = "=" | "!=" | "=~" | "!~";

/** One condition on one label, as Alertmanager's routes and silences write it. */
export interface LabelMatcher {
  readonly name: string;
  readonly operator: MatchOperator;
  /** The text compared with, or the source of the expression. */
  readonly value: string;
  /** `value` compiled, for `=~` and `!~`. */
  readonly expression: AnchoredExpression | undefined;
}

/** Text that is no list of matchers. */
export class LabelMatcherError extends Error {
  /** Where in the text the fault stands, counted from 1 in UTF-16 units. */
  readonly column: number;

  constructor(column: number, message: string) {
    super(`column ${String(column)}: ${message}`);
    this.name = "LabelMatcherError";
    this.column = column;
  }
}

/** Whether every matcher holds; an empty list holds for all. An absent label counts as empty text. */
export function matchesAll(matchers: readonly LabelMatcher[], labels: Labels): boolean {
  return matchers.every((matcher) => matchesLabel(matcher, labels));
}

/** Whether one of the lists holds as a whole; no list at all holds for none. */
export function matchesAny(lists: readonly (readonly LabelMatcher[])[], labels: Labels): boolean {
  return lists.some((matchers) => matchesAll(matchers, labels));
}

function matchesLabel(matcher: LabelMatcher, labels: Labels): boolean {
  const value = Object.hasOwn(labels, matcher.name) ? (labels[matcher.name] ?? "") : "";
  const equal = matcher.expression?.matches(value) ?? value === matcher.value;
  return matcher.operator.startsWith("!") ? !equal : equal;
}

/**
 * Reads matchers in Alertmanager's syntax: `name="v"`, `!=`, `=~`, `!~`, separated by commas, in
 * optional braces. A value without blanks and special characters needs no quotes; a name that is not
 * `[a-zA-Z_:][a-zA-Z0-9_:]*` does.
 *
 * In quotes `\"`, `\\` and `\n` are escapes; any other backslash stands for itself, so that an
 * expression such as `\d+` needs no doubling.
 *
 * @throws {LabelMatcherError} Pointing at the first character that does not fit.
 */
export function parseLabelMatchers(text: string): readonly LabelMatcher[] {
  const cursor = new Cursor(text);
  const braced = cursor.take("{");
  const matchers: LabelMatcher[] = [];
  while (!cursor.atEnd() && !cursor.isAt("}")) {
    matchers.push(parseMatcher(cursor));
    if (!cursor.take(",")) break;
  }
  if (matchers.length === 0) throw cursor.fault("expected a label name");
  if (braced && !cursor.take("}")) throw cursor.fault(`expected "," or "}"`);
  if (!cursor.atEnd()) throw cursor.fault(braced ? `nothing may follow "}"` : `expected ","`);
  return matchers;
}

const OPERATORS: readonly MatchOperator[] = ["=~", "!~", "!=", "="];
const BARE_NAME = /[a-zA-Z_:][a-zA-Z0-9_:]*/uy;
const BARE_VALUE = /[^\s{}!=~,\\"'`]+/uy;

function parseMatcher(cursor: Cursor): LabelMatcher {
  const name = cursor.takeQuoted() ?? cursor.takePattern(BARE_NAME);
  if (name === undefined || name === "") throw cursor.fault("expected a label name");
  const operator = OPERATORS.find((candidate) => cursor.take(candidate));
  if (operator === undefined) throw cursor.fault("expected one of =, !=, =~, !~");
  cursor.skipBlanks();
  const column = cursor.column;
  const value = cursor.takeQuoted() ?? cursor.takePattern(BARE_VALUE);
  if (value === undefined) throw cursor.fault("expected a value; write it in double quotes");
  const expression = operator.endsWith("~") ? compileAt(value, column) : undefined;
  return { name, operator, value, expression };
}

function compileAt(source: string, column: number): AnchoredExpression {
  try {
    return compileExpression(source);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw new LabelMatcherError(column, `regular expression: ${error.message}`);
  }
}

class Cursor {
  readonly #text: string;
  #offset = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get column(): number {
    return this.#offset + 1;
  }

  fault(message: string): LabelMatcherError {
    return new LabelMatcherError(this.column, message);
  }

  skipBlanks(): void {
    while (/\s/u.test(this.#text.charAt(this.#offset))) this.#offset += 1;
  }

  atEnd(): boolean {
    this.skipBlanks();
    return this.#offset >= this.#text.length;
  }

  isAt(token: string): boolean {
    this.skipBlanks();
    return this.#text.startsWith(token, this.#offset);
  }

  take(token: string): boolean {
    if (!this.isAt(token)) return false;
    this.#offset += token.length;
    return true;
  }

  takePattern(sticky: RegExp): string | undefined {
    this.skipBlanks();
    sticky.lastIndex = this.#offset;
    const found = sticky.exec(this.#text)?.[0];
    this.#offset += found?.length ?? 0;
    return found;
  }

  /** Text in double quotes, escapes undone; `undefined` when none begins here. */
  takeQuoted(): string | undefined {
    if (!this.isAt(`"`)) return undefined;
    const quoted = this.takePattern(/"(?:[^"\\]|\\.)*"/suy);
    if (quoted === undefined) throw this.fault(`the closing " is missing`);
    return quoted
      .slice(1, -1)
      .replace(/\\([\\"n])/gu, (_, escaped: string) => (escaped === "n" ? "\n" : escaped));
  }
}
