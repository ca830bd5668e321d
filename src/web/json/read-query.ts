import type { Request, Response } from "express";
import type { z } from "zod";
import { refuse } from "./problem.ts";
import type { ParameterFault } from "./problem.ts";

/** A query that was understood, or every fault of it. */
export type QueryCheck<T> =
  | { readonly found: T; readonly faults: readonly [] }
  | { readonly found: undefined; readonly faults: readonly ParameterFault[] };

/** The query parameters of a request, decoded once. */
export function queryOf(request: Pick<Request, "originalUrl">): URLSearchParams {
  return new URLSearchParams(request.originalUrl.split("?").slice(1).join("?"));
}

/** Reads query parameters, each at most once; empty ones are as good as absent, for a form sends them. */
export function readQuery<S extends z.ZodType>(
  schema: S,
  query: URLSearchParams,
): QueryCheck<z.output<S>> {
  const filled = [...query].filter(([, value]) => value !== "");
  const names = filled.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    return { found: undefined, faults: [{ field: twice, message: "must be given once" }] };
  }
  const { success, data, error } = schema.safeParse(Object.fromEntries(filled));
  if (success) return { found: data, faults: [] };
  return { found: undefined, faults: faultsOf(error) };
}

/** What a schema complains of, by field. */
export function faultsOf({ issues }: z.ZodError): readonly ParameterFault[] {
  return issues.map(({ path, message, ...issue }) => {
    if ("keys" in issue) return { field: String(issue.keys), message: "is no known parameter" };
    return { field: path.join("."), message };
  });
}

/** Refuses a request whose parameters or fields are not understood. */
export function refuseFaults(response: Response, faults: readonly ParameterFault[]): void {
  const detail = faults.map(({ field, message }) => `${field} ${message}`).join("; ");
  refuse(response, { status: 400, title: "Invalid request", detail, errors: faults });
}
