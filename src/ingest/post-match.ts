import type { RequestHandler } from "express";
import { parseCase } from "./case-payload.ts";
import type { ExcerptCase } from "./case-payload.ts";
import { invalidFields, sendProblem } from "./problem.ts";

/** `POST /api/v1/match`: one case as `alertlore match --cases` reads it, answered by the same object. */
export function postMatch(explain: (excerptCase: ExcerptCase) => object): RequestHandler {
  return (request, response) => {
    const check = parseCase(request.body);
    if (check.case === undefined) {
      sendProblem(response, invalidFields(check.faults));
      return;
    }
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify(explain(check.case)));
  };
}
