import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import type { IncomingMessage, RequestListener } from "node:http";
import { text as readText } from "node:stream/consumers";
import request from "supertest";

/** A text by which something that Alertlore knows can leave it. */
export interface Surface {
  readonly name: string;
  readonly text: string;
}

/** What belongs to one service. */
export interface SurfaceSources {
  readonly app: RequestListener;
  /** Own log, line by line. */
  readonly logLines: readonly string[];
  /** Holds the files of the store. */
  readonly folder: string;
  /** Bodies that went to destinations and to whoever asked for the enriched group. */
  readonly bodies: readonly string[];
}

/**
 * Where a reading begins; every link from here to the service itself is followed, so that a new page
 * joins by being linked. A place that no page links to is added here.
 */
const PLACES: readonly string[] = [
  "/",
  "/status",
  "/api/v1/status",
  "/metrics",
  "/-/ready",
  "/api/v1/deliveries",
  "/api/v1/episodes",
];
const PAGES_MAX = 400;

/** Reads every surface of a running service: bodies, pages, API, metrics, own log and the store's bytes. */
export async function readSurfaces(sources: SurfaceSources): Promise<readonly Surface[]> {
  const { app, logLines, folder, bodies } = sources;
  return [
    ...bodies.map((text, index) => ({ name: `body ${index}`, text })),
    { name: "log", text: logLines.join("\n") },
    ...readdirSync(folder).map((file) => ({
      name: `store file ${file}`,
      text: readFileSync(path.join(folder, file)).toString(),
    })),
    ...(await readPages(app)),
  ];
}

async function readPages(app: RequestListener): Promise<Surface[]> {
  const waiting = [...PLACES];
  const seen = new Set<string>();
  const pages: Surface[] = [];
  for (let place = waiting.shift(); place !== undefined; place = waiting.shift()) {
    if (seen.has(place) || seen.size >= PAGES_MAX) continue;
    seen.add(place);
    const response = await request(app)
      .get(place)
      .buffer(true)
      // As text whatever its type: fonts and feeds are surfaces too.
      .parse((stream, done) => {
        readText(stream as unknown as IncomingMessage).then(
          (text) => {
            done(null, text);
          },
          (error: unknown) => {
            done(error as Error, "");
          },
        );
      });
    const text = String(response.body);
    pages.push({ name: `GET ${place} (${response.status})`, text });
    waiting.push(...linksIn(text, place));
  }
  return pages;
}

function linksIn(text: string, place: string): string[] {
  const base = new URL(place, "http://service.invalid");
  return [...text.matchAll(/href="([^"]+)"/gu)].flatMap(([, href = ""]) => {
    const target = href.replaceAll("&amp;", "&");
    if (!URL.canParse(target, base)) return [];
    const { origin, pathname, search } = new URL(target, base);
    return origin === base.origin ? [pathname + search] : [];
  });
}
