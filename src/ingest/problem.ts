import type { Response } from "express";

/** One fault of a request, by the path of its field, e.g. `alerts[1].labels`. */
export interface FieldFault {
  /** Empty when the whole body is meant. Never holds text of the sender but known field names. */
  readonly field: string;
  readonly message: string;
}

/** An answer that refuses a request. */
export interface Problem {
  readonly status: number;
  /** The same for every problem of its kind. */
  readonly title: string;
  /** One sentence; short, for Alertmanager writes the whole answer into its log. */
  readonly detail: string;
  readonly faults?: readonly FieldFault[];
}

/** Faults that an answer names; the rest are only counted in its `detail`. */
export const FAULTS_SHOWN_MAX = 20;

/**
 * Refuses a request with `application/problem+json`.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9457
 */
export function sendProblem(response: Response, problem: Problem): void {
  const { status, title, detail, faults } = problem;
  response.status(status).setHeader("Content-Type", "application/problem+json");
  const errors = faults?.slice(0, FAULTS_SHOWN_MAX);
  response.end(
    JSON.stringify({ type: "about:blank", title, status, detail, ...(errors && { errors }) }),
  );
}

/** A refusal because of the fields of a body, all named. */
export function invalidFields(faults: readonly FieldFault[]): Problem {
  const first = faults[0] ?? { field: "", message: "is not valid" };
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
  const detail = `${first.field === "" ? "The body" : first.field} ${first.message}${more}`;
  return { status: 400, title: "Invalid request", detail, faults };
}
