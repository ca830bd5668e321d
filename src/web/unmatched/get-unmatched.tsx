import type { RequestHandler } from "express";
import type { EpisodeReader, UnmatchedCluster } from "../../enrich/reading-ports.ts";
import { pageHandler } from "../frame/page.ts";
import type { PageKit } from "../frame/page.ts";
import { refuse } from "../json/problem.ts";
import { draftRecord, readDraft } from "./draft-record.ts";
import { ClusterPage, UnmatchedPage } from "./unmatched-page.tsx";
import { clustersJson } from "./unmatched-schemas.ts";

const PAGE_CLUSTERS = 50;
/** No more shapes are kept. */
const PAGES_MAX = 40;

interface Clusters {
  readonly clusters: readonly UnmatchedCluster[];
  readonly next: number | undefined;
}

async function readPage(reader: EpisodeReader, page: number): Promise<Clusters> {
  const offset = (page - 1) * PAGE_CLUSTERS;
  const found = await reader.listUnmatched({ max: PAGE_CLUSTERS + 1, offset });
  const next = found.length > PAGE_CLUSTERS ? page + 1 : undefined;
  return { clusters: found.slice(0, PAGE_CLUSTERS), next };
}

/** The number of a page, from 1; `undefined` for what is none. */
function pageOf(query: URLSearchParams): number | undefined {
  const page = Number(query.get("page") ?? "1");
  return Number.isInteger(page) && page >= 1 && page <= PAGES_MAX ? page : undefined;
}

/** `GET /unmatched`: shapes of texts in which nothing was recognised. */
export function getUnmatchedPage(kit: PageKit, reader: EpisodeReader): RequestHandler {
  return pageHandler(kit, async ({ query }) => {
    const page = pageOf(query);
    if (page === undefined) return undefined;
    return {
      title: "Unmatched",
      section: "Unmatched",
      body: <UnmatchedPage {...await readPage(reader, page)} />,
    };
  });
}

/** `GET /unmatched/:id`: one shape with the form that makes a draft of a record. */
export function getClusterPage(kit: PageKit, reader: EpisodeReader): RequestHandler {
  return pageHandler(kit, async ({ params }) => {
    const cluster = await reader.findUnmatched(params["id"] ?? "");
    return (
      cluster && {
        title: "Unmatched text",
        section: "Unmatched",
        body: <ClusterPage cluster={cluster} query={new URLSearchParams()} faults={[]} />,
      }
    );
  });
}

/** `GET /unmatched/:id/draft`: the record as a file, or the form again with what is wrong. */
export function getDraft(kit: PageKit, reader: EpisodeReader): RequestHandler {
  const again = pageHandler(kit, async ({ params, query }) => {
    const cluster = await reader.findUnmatched(params["id"] ?? "");
    const { faults } = readDraft(query);
    return (
      cluster && {
        title: "Unmatched text",
        section: "Unmatched",
        status: 400,
        body: <ClusterPage cluster={cluster} query={query} faults={faults} />,
      }
    );
  });
  return (request, response, next) => {
    const query = new URLSearchParams(request.originalUrl.split("?").slice(1).join("?"));
    const { wishes } = readDraft(query);
    if (wishes === undefined) {
      void again(request, response, next);
      return;
    }
    const record = draftRecord(wishes, kit.clock.nowMs());
    response.setHeader("Content-Type", "application/json; charset=utf-8");
    response.setHeader("Content-Disposition", 'attachment; filename="draft.json"');
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.end(`${JSON.stringify([record], undefined, 2)}\n`);
  };
}

/** `GET /api/v1/unmatched`: what the page lists, as JSON. */
export function getUnmatched(reader: EpisodeReader): RequestHandler {
  return async (request, response) => {
    const page = pageOf(new URLSearchParams(request.originalUrl.split("?").slice(1).join("?")));
    if (page === undefined) {
      const detail = `page must be a whole number from 1 to ${PAGES_MAX}`;
      refuse(response, { status: 400, title: "Invalid request", detail });
      return;
    }
    const { clusters, next } = await readPage(reader, page);
    response.json(clustersJson(clusters, next));
  };
}
