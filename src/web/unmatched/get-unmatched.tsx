import type { RequestHandler } from "express";
import type { EpisodeReader, UnmatchedCluster } from "../../enrich/reading-ports.ts";
import { pageHandler } from "../frame/page.ts";
import type { PageKit } from "../frame/page.ts";
import { queryOf, readQuery, refuseFaults } from "../json/read-query.ts";
import { draftRecord, readDraft } from "./draft-record.ts";
import { ClusterPage, UnmatchedPage } from "./unmatched-page.tsx";
import { clustersJson, unmatchedQuery } from "./unmatched-schemas.ts";

const PAGE_CLUSTERS = 50;

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

/** The number of a page, from 1. */
function pageOf({ page }: { readonly page?: string | undefined }): number {
  return Number(page ?? 1);
}

/** `GET /unmatched`: shapes of texts in which nothing was recognised. */
export function getUnmatchedPage(kit: PageKit, reader: EpisodeReader): RequestHandler {
  return pageHandler(kit, async ({ query }) => {
    const { found } = readQuery(unmatchedQuery, query);
    if (found === undefined) return undefined;
    return {
      title: "Unmatched",
      section: "Unmatched",
      body: <UnmatchedPage {...await readPage(reader, pageOf(found))} />,
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
    const { found, faults } = readQuery(unmatchedQuery, queryOf(request));
    if (found === undefined) {
      refuseFaults(response, faults);
      return;
    }
    const { clusters, next } = await readPage(reader, pageOf(found));
    response.json(clustersJson(clusters, next));
  };
}
