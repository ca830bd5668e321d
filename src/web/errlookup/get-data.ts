import { createHash } from "node:crypto";
import { once } from "node:events";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type { Request, RequestHandler, Response } from "express";
import type { RecordParts } from "../records/find-records.ts";
import type { PublishedDocument } from "./documents.ts";
import type { ErrLookupParts } from "./errlookup-parts.ts";

/** Sets what every document carries; `true` when the client has it already and the answer is complete. */
function isFresh(request: Request, response: Response, tag: string): boolean {
  response.setHeader("ETag", `"${tag}"`);
  // A reload may change any of them, and they must fit one another.
  response.setHeader("Cache-Control", "no-cache");
  response.setHeader("X-Content-Type-Options", "nosniff");
  const known = request.headers["if-none-match"]?.split(",").map((each) => each.trim()) ?? [];
  if (!known.some((each) => each.replace(/^W\//u, "") === `"${tag}"`)) return false;
  response.status(304).end();
  return true;
}

function send(
  request: Request,
  response: Response,
  { type, bytes, sha256 }: PublishedDocument & { readonly type: string },
): void {
  if (isFresh(request, response, sha256)) return;
  response.setHeader("Content-Type", type);
  response.setHeader("Content-Length", bytes.length);
  response.end(bytes);
}

/** `GET /data/manifest.json` and `/data/repos.json`. */
export function getDocument(
  { documents }: ErrLookupParts,
  name: "manifest" | "repos",
): RequestHandler {
  return async (request, response) => {
    const document = (await documents())[name];
    send(request, response, { ...document, type: "application/json" });
  };
}

/** `GET /data/index.json.gz`: the compressed file itself. */
export function getIndexGzip({ documents }: ErrLookupParts): RequestHandler {
  return async (request, response) => {
    const { indexGzip } = await documents();
    send(request, response, { ...indexGzip, type: "application/gzip" });
  };
}

/** `GET /data/index.json`: the same decoded, compressed on the way where the client takes that. */
export function getIndex({ documents }: ErrLookupParts): RequestHandler {
  return async (request, response) => {
    const { index, indexGzip } = await documents();
    response.vary("Accept-Encoding");
    if (request.acceptsEncodings("gzip") === "gzip") {
      if (isFresh(request, response, `${index.sha256}-gzip`)) return;
      response.setHeader("Content-Type", "application/json");
      response.setHeader("Content-Encoding", "gzip");
      response.setHeader("Content-Length", indexGzip.bytes.length);
      response.end(indexGzip.bytes);
      return;
    }
    if (isFresh(request, response, index.sha256)) return;
    response.setHeader("Content-Type", "application/json");
    response.setHeader("Content-Length", index.bytes);
    if (request.method === "HEAD") response.end();
    else await pipeline(Readable.from([indexGzip.bytes]), createGunzip(), response);
  };
}

const PIECE_CHARACTERS = 2 ** 16;

/** `GET /data/repos/:owner/:name.json`: the full records of one repository, written as they are read. */
export function getRepoFile(parts: ErrLookupParts): RequestHandler {
  return async (request, response) => {
    const { owner, name } = request.params;
    const repo = `${String(owner)}/${String(name).replace(/\.json$/u, "")}`;
    const index = await parts.index();
    const { numbers, values } = index.facets.repo;
    const number = String(name).endsWith(".json") ? numbers.get(repo) : undefined;
    if (number === undefined) {
      response.status(404).json({ error: "not found" });
      return;
    }
    const tag = createHash("sha256")
      .update(`${await parts.version()} ${repo}`)
      .digest("hex");
    if (isFresh(request, response, tag)) return;
    response.setHeader("Content-Type", "application/json");
    const ids = index.ids.filter((_id, document) => values[document] === number);
    if (request.method === "HEAD") response.end();
    else await writeRecords(response, parts, ids);
  };
}

async function writeRecords(
  response: Response,
  { records }: RecordParts,
  ids: readonly string[],
): Promise<void> {
  let text = "[";
  for (const [place, id] of ids.entries()) {
    text += (place === 0 ? "" : ",") + JSON.stringify(records.get(id)?.record);
    if (text.length < PIECE_CHARACTERS) continue;
    const isTaken = response.write(text);
    text = "";
    if (isTaken) await new Promise((resolve) => setImmediate(resolve));
    else await Promise.race([once(response, "drain"), once(response, "close")]);
    if (response.destroyed) return;
  }
  response.end(`${text}]`);
}
