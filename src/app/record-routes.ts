import { excerptOfLines, explainCase } from "../enrich/explain-case.ts";
import { keepExcerpt } from "../enrich/keep-excerpt.ts";
import type { Route } from "../ingest/create-app.ts";
import { readJson } from "../ingest/read-json.ts";
import { parseTemplate } from "../match/parse-template.ts";
import type { KnownError } from "../record/known-error.ts";
import { publishDocuments } from "../web/errlookup/documents.ts";
import type { ErrLookupParts } from "../web/errlookup/errlookup-parts.ts";
import { getError, getRepos, getSearch, refuseMethod } from "../web/errlookup/get-api.ts";
import { getDocument, getIndex, getIndexGzip, getRepoFile } from "../web/errlookup/get-data.ts";
import { publishedVersion } from "../web/errlookup/published-version.ts";
import type { ExplainParts } from "../web/explain/explain-parts.ts";
import { getExplainPage } from "../web/explain/get-explain-page.tsx";
import { getExplain, postExplain } from "../web/explain/get-explain.ts";
import type { RecordParts } from "../web/records/find-records.ts";
import { getBySlug, getRecordPage, getRecordsPage } from "../web/records/get-record-pages.tsx";
import { getRecord, getRecords } from "../web/records/get-records.ts";
import { lazily } from "../web/records/lazily.ts";
import { buildRecordIndex, createPause } from "../web/records/record-index.ts";
import type { RouteParts } from "./route-parts.ts";

/** Lines in JSON may take several bytes a character, and escapes more. */
const EXPLAIN_BYTES_MAX = 512 * 1024;

/** The loaded records for people, programs and clients of ErrLookup. Reading asks for no credentials. */
export function createRecordRoutes(parts: RouteParts): Route[] {
  const { records, clock } = parts.kit;
  const kit = { clock, version: parts.version };
  const index = lazily(() => buildRecordIndex(records, createPause(clock)));
  const recordParts = { records, index };
  const explain = explainPartsOf(parts);
  const explainPage = getExplainPage(kit, { ...explain, ...recordParts });
  const pageParts = {
    ...recordParts,
    reader: parts.reader,
    templateOf: (record: KnownError) => parseTemplate(record).parts,
  };
  return [
    get("/records", getRecordsPage(kit, recordParts)),
    get("/records/:id", getRecordPage(kit, pageParts)),
    get("/explain", explainPage.get),
    { method: "post", path: "/explain", handlers: explainPage.post },
    get("/api/v1/records", getRecords(recordParts)),
    get("/api/v1/records/:id", getRecord(recordParts)),
    get("/api/v1/explain", getExplain(explain)),
    {
      method: "post",
      path: "/api/v1/explain",
      handlers: [...readJson(EXPLAIN_BYTES_MAX, () => undefined), postExplain(explain)],
    },
    ...errLookupRoutes(errLookupPartsOf(parts, recordParts)),
    // The widest path of all, so it stands last.
    get("/:owner/:name/:slug", getBySlug(recordParts)),
  ];
}

function explainPartsOf({ kit, why }: RouteParts): ExplainParts {
  return {
    explain(lines, labels) {
      const caseKit = { ...kit, rules: kit.settings.rules };
      const { excerpt, matches, recommendation } = explainCase(caseKit, lines, labels);
      const text = excerpt.entries.map((entry) => entry.text).join("\n");
      return { text, excerpt: keepExcerpt(excerpt, matches), matches, recommendation };
    },
    why: (lines, labels, recordId) => why(excerptOfLines(lines), labels, recordId),
  };
}

function errLookupPartsOf(
  { config, kit, published }: RouteParts,
  { records, index }: RecordParts,
): ErrLookupParts {
  const version = async () => {
    const { analyzedAt, isDataset } = await index();
    return publishedVersion({
      datasetVersion: records.datasetVersion,
      analyzedAt,
      digest: isDataset && published.counts.muted === 0 ? undefined : published.digest,
    });
  };
  const documents = lazily(async () =>
    publishDocuments({ records, index: await index() }, await version(), createPause(kit.clock)),
  );
  return {
    ...{ records, index, version, documents },
    match: (lines) => kit.explain(excerptOfLines(lines), {}).matches,
    base: config.web.externalUrl?.replace(/\/+$/u, "") ?? "",
  };
}

function errLookupRoutes(parts: ErrLookupParts): Route[] {
  const api = [
    get("/api/search", getSearch(parts)),
    get("/api/errors/:id", getError(parts)),
    get("/api/repos", getRepos(parts)),
  ];
  const refused = api.flatMap(({ path }) =>
    (["post", "put", "delete"] as const).map((method) => ({
      method,
      path,
      handlers: [refuseMethod],
    })),
  );
  return [
    ...api,
    ...refused,
    get("/data/manifest.json", getDocument(parts, "manifest")),
    get("/data/repos.json", getDocument(parts, "repos")),
    get("/data/index.json", getIndex(parts)),
    get("/data/index.json.gz", getIndexGzip(parts)),
    get("/data/repos/:owner/:name", getRepoFile(parts)),
  ];
}

function get(path: string, handler: Route["handlers"][number]): Route {
  return { method: "get", path, handlers: [handler] };
}
