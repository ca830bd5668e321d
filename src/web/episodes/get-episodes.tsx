import type { RequestHandler } from "express";
import type { EpisodeReader } from "../../enrich/reading-ports.ts";
import type { Clock, RecordStore } from "../../enrich/ports.ts";
import { pageHandler } from "../frame/page.ts";
import type { PageKit } from "../frame/page.ts";
import { cut } from "../frame/text.ts";
import { refuse } from "../json/problem.ts";
import { EpisodePage } from "./episode-page.tsx";
import type { EpisodeFacts } from "./episode-page.tsx";
import { detailJson, pageJson } from "./episode-schemas.ts";
import { nameOf } from "./episode-words.ts";
import { EpisodesPage } from "./episodes-page.tsx";
import { readEpisodeQuery } from "./read-filter.ts";

/** What the pages of episodes read. */
export interface EpisodeParts {
  readonly reader: EpisodeReader;
  readonly records: RecordStore;
  /** Of the annotations on an enrichment. */
  readonly prefix: string;
}

const HISTORY_SHOWN = 5;
const NO_PAGE = { episodes: [], next: undefined };

/** `GET /episodes`: a list, filtered by the query parameters. */
export function getEpisodesPage(kit: PageKit, { reader }: EpisodeParts): RequestHandler {
  return pageHandler(kit, async ({ query, nowMs }) => {
    const { found, faults } = readEpisodeQuery(query, nowMs);
    const page =
      found === undefined
        ? NO_PAGE
        : await reader.listEpisodes(found.filter, {
            max: found.max,
            ...(found.after && { after: found.after }),
          });
    return {
      title: "Episodes",
      section: "Episodes",
      status: found === undefined ? 400 : 200,
      body: <EpisodesPage list={{ query, page, faults }} />,
    };
  });
}

/** `GET /episodes/:id`. */
export function getEpisodePage(kit: PageKit, parts: EpisodeParts): RequestHandler {
  return pageHandler(kit, async ({ params }) => {
    const facts = await readFacts(parts, params["id"] ?? "");
    return (
      facts && {
        title: cut(nameOf(facts.episode.labels), 80),
        section: "Episodes",
        body: <EpisodePage facts={facts} />,
      }
    );
  });
}

async function readFacts(
  { reader, records, prefix }: EpisodeParts,
  id: string,
): Promise<EpisodeFacts | undefined> {
  const episode = await reader.readEpisode(id);
  if (episode === undefined) return undefined;
  const { recordId, enrichment } = episode;
  const page = recordId && (await reader.listEpisodes({ recordId }, { max: HISTORY_SHOWN + 1 }));
  const others = page ? page.episodes.filter((other) => other.id !== id) : [];
  return {
    episode,
    entry: recordId === undefined ? undefined : records.get(recordId),
    deliveries: await reader.deliveriesOf(episode.fingerprint, episode.openedMs),
    history: others.slice(0, HISTORY_SHOWN),
    logsUrl: enrichment?.annotations.full[`${prefix}logs_url`],
  };
}

/** `GET /api/v1/episodes`: what the page lists, as JSON. */
export function getEpisodes(clock: Clock, { reader }: EpisodeParts): RequestHandler {
  return async (request, response) => {
    const query = new URLSearchParams(request.originalUrl.split("?").slice(1).join("?"));
    const { found, faults } = readEpisodeQuery(query, clock.nowMs());
    if (found === undefined) {
      const detail = faults.map(({ field, message }) => `${field} ${message}`).join("; ");
      refuse(response, { status: 400, title: "Invalid request", detail, errors: faults });
      return;
    }
    const { filter, max, after } = found;
    const page = await reader.listEpisodes(filter, { max, ...(after && { after }) });
    response.json(pageJson(page));
  };
}

/** `GET /api/v1/episodes/:id`: one episode as JSON, 404 when it is not there (any more). */
export function getEpisode({ reader }: EpisodeParts): RequestHandler {
  return async (request, response) => {
    const episode = await reader.readEpisode(String(request.params["id"]));
    if (episode === undefined) {
      const detail = "There is no such episode, or it was removed after the retention time";
      refuse(response, { status: 404, title: "Not found", detail });
      return;
    }
    const deliveries = await reader.deliveriesOf(episode.fingerprint, episode.openedMs);
    response.json(detailJson(episode, deliveries));
  };
}
