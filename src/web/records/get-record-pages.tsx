import type { RequestHandler } from "express";
import { classOf } from "../../record/known-error.ts";
import type { CatalogueRecord } from "../../record/known-error.ts";
import { pageHandler } from "../frame/page.ts";
import type { PageKit } from "../frame/page.ts";
import { cut } from "../frame/text.ts";
import { findRecords, readRecordQuery } from "./find-records.ts";
import type { RecordParts } from "./find-records.ts";
import { RecordPage } from "./record-page.tsx";
import type { RecordPageParts } from "./record-parts.ts";
import { RecordsPage } from "./records-page.tsx";

/** Links with the same words show the same records; a list may be long, the page stays small. */
const PAGE_RECORDS = 30;
const SEEN_SHOWN = 5;
const ALTERNATIVES_SHOWN = 20;

/** `GET /records`: records by words and facets. */
export function getRecordsPage(kit: PageKit, parts: RecordParts): RequestHandler {
  return pageHandler(kit, async ({ query }) => {
    const { found, faults } = readRecordQuery(query);
    const page = found && (await findRecords(parts, { ...found, limit: String(PAGE_RECORDS) }));
    return {
      title: "Records",
      section: "Records",
      status: found === undefined ? 400 : 200,
      body: <RecordsPage list={{ query, page, faults }} />,
    };
  });
}

/** `GET /records/:id`: one record, and where it was seen. */
export function getRecordPage(kit: PageKit, parts: RecordPageParts): RequestHandler {
  return pageHandler(kit, async ({ params }) => {
    const entry = parts.records.get(params["id"] ?? "");
    if (entry === undefined) return undefined;
    const { record } = entry;
    const { episodes } = await parts.reader.listEpisodes(
      { recordId: record.id },
      { max: SEEN_SHOWN },
    );
    const facts = {
      entry,
      template: parts.templateOf(record),
      seen: episodes,
      alternatives: await findAlternatives(parts, entry),
    };
    return {
      title: cut(classOf(record), 80),
      section: "Records",
      body: <RecordPage facts={facts} />,
    };
  });
}

async function findAlternatives(
  { records, index }: RecordParts,
  { record }: CatalogueRecord,
): Promise<readonly CatalogueRecord[]> {
  const all = await index();
  const others: CatalogueRecord[] = [];
  for (const document of all.withMessage(record.errorMessage)) {
    const other = records.get(all.ids[document] ?? "");
    const isOther =
      other?.record.errorMessage === record.errorMessage && other.record.id !== record.id;
    if (other !== undefined && isOther) others.push(other);
    if (others.length === ALTERNATIVES_SHOWN) break;
  }
  return others;
}

/** `GET /:owner/:name/:slug`: ErrLookup's address of a record leads to its page. */
export function getBySlug({ records, index }: RecordParts): RequestHandler {
  return async (request, response, next) => {
    const { owner, name, slug } = request.params;
    const repo = `${String(owner)}/${String(name)}`;
    const all = await index();
    const found = all
      .withSlug(repo, String(slug))
      .map((document) => records.get(all.ids[document] ?? "")?.record)
      .find((record) => record?.repo === repo && record.slug === slug);
    if (found === undefined) next();
    else
      response.redirect(302, `${request.path.endsWith("/") ? "../" : ""}../../records/${found.id}`);
  };
}
