import type { RequestHandler, Response } from "express";
import type { z } from "zod";
import { recommendationAsJson } from "../episodes/episode-schemas.ts";
import { queryOf, readQuery, refuseFaults } from "../json/read-query.ts";
import { linesOf, readExplain } from "./explain-parts.ts";
import type { ExplainParts, ExplainWishes } from "./explain-parts.ts";
import { explainQuery } from "./explain-schemas.ts";
import type { explainAnswer } from "./explain-schemas.ts";

/** `GET /api/v1/explain?line=`: what is recognised in a line, and why or why not. */
export function getExplain(parts: ExplainParts): RequestHandler {
  return (request, response) => {
    const { found, faults } = readQuery(explainQuery, queryOf(request));
    if (found === undefined) {
      refuseFaults(response, faults);
      return;
    }
    const { line, record } = found;
    const check = readExplain({ lines: linesOf(line), ...(record && { record }) });
    if (check.found === undefined) refuseFaults(response, check.faults);
    else answer(response, parts, check.found);
  };
}

/** `POST /api/v1/explain`: the same for lines with labels; another handler has read the body. */
export function postExplain(parts: ExplainParts): RequestHandler {
  return (request, response) => {
    const { found, faults } = readExplain(request.body);
    if (found === undefined) refuseFaults(response, faults);
    else answer(response, parts, found);
  };
}

function answer(response: Response, parts: ExplainParts, wishes: ExplainWishes): void {
  const { lines, labels, record } = wishes;
  const { excerpt, matches, recommendation } = parts.explain(lines, labels);
  const shown: z.input<typeof explainAnswer> = {
    lines: excerpt.lines.map(({ line, column, text }) => ({ line, column, text })),
    linesTotal: excerpt.linesTotal,
    matches: structuredClone(matches) as z.input<typeof explainAnswer>["matches"],
    recommendation: recommendationAsJson(recommendation),
    ...(record !== undefined && { why: [...parts.why(lines, labels, record)] }),
  };
  // Log lines: no cache may keep them.
  response.setHeader("Cache-Control", "no-store");
  response.json(shown);
}
