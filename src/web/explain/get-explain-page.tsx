import { text } from "express";
import type { ErrorRequestHandler, RequestHandler } from "express";
import { findAlike } from "../errlookup/look-up.ts";
import { pageHandler } from "../frame/page.ts";
import type { PageKit } from "../frame/page.ts";
import type { PageView } from "../frame/page-view.ts";
import type { ParameterFault } from "../json/problem.ts";
import type { RecordParts } from "../records/find-records.ts";
import { ExplainPage } from "./explain-page.tsx";
import type { ExplainFacts } from "./explain-page.tsx";
import { linesOf, readExplain } from "./explain-parts.ts";
import type { ExplainParts } from "./explain-parts.ts";

const ALIKE_SHOWN = 5;
const TOO_LARGE = "isTooLarge";
/** A form writes a character in up to nine bytes; what is longer would be refused anyway. */
const FORM_BYTES_MAX = 640 * 1024;

const refuseLarge: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (!(error instanceof Error && "type" in error && error.type === "entity.too.large")) {
    next(error);
    return;
  }
  // The rest of the body was not read and would be taken for the next request.
  response.setHeader("Connection", "close");
  response.locals[TOO_LARGE] = true;
  next();
};

const parseForm: RequestHandler = (request, _response, next) => {
  const body: unknown = request.body;
  request.body = new URLSearchParams(typeof body === "string" ? body : "");
  next();
};

const readForm = text({ type: "application/x-www-form-urlencoded", limit: FORM_BYTES_MAX });

/** `GET /explain` with `line` and `record`, and `POST /explain` with a form of the same fields. */
export function getExplainPage(
  kit: PageKit,
  parts: ExplainParts & RecordParts,
): { readonly get: RequestHandler; readonly post: (RequestHandler | ErrorRequestHandler)[] } {
  const get = pageHandler(kit, ({ query }) => view(parts, query));
  const post = pageHandler(kit, ({ form }) => view(parts, form ?? new URLSearchParams()));
  const tooLarge = pageHandler(kit, () => {
    const message = "must have at most 65536 characters in all";
    return pageOf({ ...NOTHING, faults: [{ field: "line", message }] }, 413);
  });
  const choose: RequestHandler = (request, response, next) =>
    response.locals[TOO_LARGE] === true
      ? tooLarge(request, response, next)
      : post(request, response, next);
  return { get, post: [readForm, refuseLarge, parseForm, choose] };
}

const NOTHING: ExplainFacts = {
  record: "",
  faults: [],
  explained: undefined,
  why: [],
  alike: [],
};

async function view(parts: ExplainParts & RecordParts, query: URLSearchParams): Promise<PageView> {
  const asked = query.get("line") ?? "";
  const record = (query.get("record") ?? "").trim();
  const facts = { ...NOTHING, record };
  if (asked.trim() === "") return pageOf(facts);
  const check = readExplain({ lines: linesOf(asked), ...(record !== "" && { record }) });
  if (check.found === undefined) {
    return pageOf({ ...facts, faults: check.faults.map(inWordsOfForm) }, 400);
  }
  const { lines, labels } = check.found;
  const explained = parts.explain(lines, labels);
  return pageOf({
    ...facts,
    explained,
    why: record === "" ? [] : parts.why(lines, labels, record),
    alike: explained.matches.length === 0 ? await findLike(parts, asked) : [],
  });
}

/** The form has one field for all lines. */
function inWordsOfForm({ field, message }: ParameterFault): ParameterFault {
  return { field: field.startsWith("lines") ? "line" : field, message };
}

function pageOf(facts: ExplainFacts, status = 200): PageView {
  return { title: "Explain", section: "Explain", status, body: <ExplainPage facts={facts} /> };
}

async function findLike({ records, index }: RecordParts, asked: string) {
  const wish = { text: asked.slice(0, 4096), max: ALIKE_SHOWN, mayBe: () => true };
  return findAlike(await index(), wish).flatMap(({ id }) => records.get(id) ?? []);
}
