/** A regular expression that has to fit a whole text. */
export interface AnchoredExpression {
  matches(text: string): boolean;
}

/** Source text that is no expression. */
export class ExpressionError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ExpressionError";
  }
}

/**
 * Compiles an expression, anchored at both ends as all matchers of Alertmanager are.
 *
 * @throws {ExpressionError} Saying what does not fit.
 */
export function compileExpression(source: string): AnchoredExpression {
  try {
    const expression = new RegExp(`^(?:${source})$`, "su");
    return { matches: (text) => expression.test(text) };
  } catch (error) {
    throw new ExpressionError("does not compile", { cause: error });
  }
}
