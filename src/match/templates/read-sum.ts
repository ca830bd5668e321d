import type { TemplatePart } from "../../record/template.ts";
import { isAnyAt, isNameStartAt, skipBlanks } from "./characters.ts";
import { literalPiece, placeholderPiece, type Piece, type ReadPiece } from "./scan-pieces.ts";
import { nameOf, walkTokens, type ExpressionRules } from "./skip-expression.ts";

/** How a language joins strings: `+`, PHP's `.` or C++'s `<<`. */
export interface SumRules extends ExpressionRules {
  readonly operator: "+" | "." | "<<";
}

/** Index after the operator at `at` where one joins a string to an operand there. */
function skipOperator(
  text: string,
  at: number,
  operator: SumRules["operator"],
): number | undefined {
  const operatorAt = skipBlanks(text, at);
  if (!text.startsWith(operator, operatorAt)) return undefined;
  const end = operatorAt + operator.length;
  const spaced = operatorAt > at || skipBlanks(text, end) > end;
  // `'+'` and `"."` in a message are the characters themselves; `'.$x.'` is PHP's usual spelling.
  return spaced || operator === "<<" || (operator === "." && text.charAt(end) === "$")
    ? end
    : undefined;
}

/** Where the operands of a sum end, and the last of them before its operator. */
interface Operands {
  readonly end: number;
  readonly expressionEnd: number;
}

/** Index after the quote that opens the next string, or the end of a message that ends in an operand. */
function endOfOperands(text: string, start: number, rules: SumRules): Operands | undefined {
  const walked = walkTokens(text, start, { ...rules, endsAtQuote: true });
  if (walked === undefined || walked.tokenEnd === start) return undefined;
  if (walked.end === text.length)
    return walked.complete ? { end: walked.end, expressionEnd: walked.tokenEnd } : undefined;
  const operatorAt = walked.tokenEnd - rules.operator.length;
  const joins = isAnyAt(text, walked.end, rules.quotes) && operatorAt > start;
  if (!joins || !text.startsWith(rules.operator, operatorAt)) return undefined;
  return { end: walked.end + 1, expressionEnd: operatorAt };
}

function operandsPiece(text: string, at: number, bounds: Operands & { start: number }): Piece {
  return placeholderPiece(bounds.end, {
    kind: "any",
    source: text.slice(at, bounds.end),
    name: nameOf(text.slice(bounds.start, bounds.expressionEnd).trim()),
  });
}

/**
 * Reads the joint of a sum of strings whose outer quotes were cut off: in `cannot open " + path + ": "`
 * from quote to quote. A joint of two strings over a line break prints nothing.
 */
export function createSumReader(rules: SumRules): ReadPiece {
  return (text, at) => {
    if (!isAnyAt(text, at, rules.quotes)) return undefined;
    const operatorEnd = skipOperator(text, at + 1, rules.operator);
    if (operatorEnd === undefined) return undefined;
    const start = skipBlanks(text, operatorEnd);
    if (text.charAt(start) === text.charAt(at))
      return text.slice(at, start).includes("\n") ? literalPiece(start + 1, "") : undefined;
    const operands = endOfOperands(text, start, rules);
    return operands && operandsPiece(text, at, { ...operands, start });
  };
}

/** A message that is a whole sum, without its outer quotes and leading operand. */
export interface OpenedSum {
  readonly lead: readonly TemplatePart[];
  readonly text: string;
}

/** Opens `"a" + x + "b"` and `x + " not found"`; any other message comes back as it is. */
export function openSum(text: string, rules: SumRules): OpenedSum {
  const closed = isAnyAt(text, text.length - 1, rules.quotes) ? text.length - 1 : text.length;
  if (isAnyAt(text, 0, rules.quotes)) {
    const joint = text.indexOf(text.charAt(0), 1);
    const isSum = joint > 0 && createSumReader(rules)(text, joint) !== undefined;
    return { lead: [], text: isSum ? text.slice(1, closed) : text };
  }
  if (!isNameStartAt(text, 0) && text.charAt(0) !== "$") return { lead: [], text };
  const operands = closed < text.length ? endOfOperands(text, 0, rules) : undefined;
  if (operands === undefined || operands.end > closed) return { lead: [], text };
  const lead = operandsPiece(text, 0, { ...operands, start: 0 }).part;
  return { lead: [lead], text: text.slice(operands.end, closed) };
}
