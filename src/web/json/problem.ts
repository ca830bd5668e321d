import type { Response } from "express";

/** One fault of a request, by the name of the query parameter or field. */
export interface ParameterFault {
  readonly field: string;
  readonly message: string;
}

/**
 * Refuses a request for JSON with `application/problem+json`.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9457
 */
export function refuse(
  response: Response,
  problem: {
    readonly status: number;
    readonly title: string;
    readonly detail: string;
    readonly errors?: readonly ParameterFault[];
  },
): void {
  response.status(problem.status).type("application/problem+json");
  response.end(JSON.stringify({ type: "about:blank", ...problem }));
}
