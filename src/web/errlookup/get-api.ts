import type { RequestHandler, Response } from "express";
import { queryOf } from "../json/read-query.ts";
import type { RecordIndex } from "../records/record-index.ts";
import type { ErrLookupParts } from "./errlookup-parts.ts";
import { findAlike, findByCode } from "./look-up.ts";
import type { Hit, LookUp } from "./look-up.ts";
import { repoEntries } from "./repo-entries.ts";

const TEXT_CHARACTERS_MAX = 8192;
const LIMIT_DEFAULT = 5;
const LIMIT_MAX = 25;
const ENDPOINTS = ["/api/search?q=", "/api/errors/:id", "/api/repos"];

function answer(response: Response, status: number, body: object): void {
  response.setHeader("Cache-Control", "no-cache");
  response.status(status).json(body);
}

/**
 * `GET /api/search?q=`: records for the text of an error, as ErrLookup's API answers. A code that stands in
 * it decides, else the engine's matches, else the words.
 */
export function getSearch(parts: ErrLookupParts): RequestHandler {
  return async (request, response) => {
    const query = queryOf(request);
    const text = (query.get("q") ?? query.get("message") ?? "").trim();
    const limit = query.get("limit");
    const fault = faultOf(text, limit);
    if (fault !== undefined) {
      answer(response, 400, { error: fault });
      return;
    }
    const index = await parts.index();
    const repo = query.get("repo") ?? undefined;
    const max = limit === null ? LIMIT_DEFAULT : Math.min(Number(limit), LIMIT_MAX);
    const hits = lookUp(parts, index, { text, repo, max });
    const matches = hits.flatMap((hit) => describe(parts, hit));
    answer(response, 200, { matches, datasetVersion: await parts.version() });
  };
}

function faultOf(text: string, limit: string | null): string | undefined {
  if (text === "") return "missing q parameter";
  if (text.length > TEXT_CHARACTERS_MAX) return `q has more than ${TEXT_CHARACTERS_MAX} characters`;
  if (limit !== null && !/^[1-9]\d{0,3}$/u.test(limit)) return "limit must be a positive number";
  return undefined;
}

function lookUp(
  parts: ErrLookupParts,
  index: RecordIndex,
  { text, repo, max }: { text: string; repo: string | undefined; max: number },
): readonly Hit[] {
  const { names, values } = index.facets.repo;
  const mayBe = (document: number) => repo === undefined || names[values[document] ?? 0] === repo;
  const wish: LookUp = { text, max, mayBe };
  const byCode = findByCode(index, wish);
  if (byCode.length > 0) return byCode;
  const byEngine = parts
    .match(text.split(/\r?\n/u))
    .flatMap(({ score, recordId, repo: own, alternatives }) =>
      [{ id: recordId, repo: own }, ...alternatives].map((each) => ({ ...each, score })),
    )
    .filter((each) => repo === undefined || each.repo === repo)
    .slice(0, max);
  if (byEngine.length === 0) return findAlike(index, wish);
  return byEngine.map(({ id, score }) => ({ id, score, matchType: "pattern" }));
}

function describe({ records, base }: ErrLookupParts, hit: Hit): readonly object[] {
  const entry = records.get(hit.id);
  if (entry === undefined) return [];
  const { repo, errorCode, errorMessage } = entry.record;
  const { id, score, matchType } = hit;
  const url = `${base}/records/${id}`;
  return [{ id, repo, code: errorCode, message: errorMessage, score, matchType, url }];
}

/** `GET /api/errors/:id`: a record, wrapped as ErrLookup's API does. */
export function getError({ records, version }: ErrLookupParts): RequestHandler {
  return async (request, response) => {
    const id = String(request.params["id"]);
    if (!/^[0-9a-f]{16}$/u.test(id)) {
      answer(response, 404, { error: "unknown endpoint", endpoints: ENDPOINTS });
      return;
    }
    const entry = records.get(id);
    if (entry === undefined) answer(response, 404, { error: "not found" });
    else answer(response, 200, { record: entry.record, datasetVersion: await version() });
  };
}

/** `GET /api/repos`: the repositories of the loaded records. */
export function getRepos({ index, version }: ErrLookupParts): RequestHandler {
  return async (_request, response) => {
    const repos = repoEntries(await index());
    answer(response, 200, { repos, datasetVersion: await version() });
  };
}

/** Whatever else than reading is asked of ErrLookup's API. */
export const refuseMethod: RequestHandler = (_request, response) => {
  response.setHeader("Allow", "GET, HEAD");
  answer(response, 405, { error: "method not allowed" });
};
