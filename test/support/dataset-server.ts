import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import type { KnownError } from "../../src/record/known-error.ts";

/** What a test server answers to one path. */
export interface ServedFile {
  readonly status?: number;
  readonly body: Uint8Array | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A web server that publishes what a test put into `files`, by path, with ETags as usual. */
export interface DatasetServer {
  readonly url: string;
  /** Replaced as a whole or changed path by path, at any moment. */
  files: Map<string, ServedFile>;
  /** What was asked so far, as `path status`. */
  readonly asked: string[];
  close(): Promise<void>;
}

/** Starts the server on loopback, over TLS where it is given key and certificate (PEM). */
export async function startDatasetServer(tls?: {
  readonly key: string;
  readonly cert: string;
}): Promise<DatasetServer> {
  const asked: string[] = [];
  const state = { files: new Map<string, ServedFile>() };
  const listener: RequestListener = (request, response) => {
    const path = request.url ?? "";
    const { status, body, headers } = answerOf(
      state.files.get(path),
      request.headers["if-none-match"],
    );
    asked.push(`${path} ${status}`);
    response.writeHead(status, headers).end(body);
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}/data/`,
    get files() {
      return state.files;
    },
    set files(files) {
      state.files = files;
    },
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

function answerOf(file: ServedFile | undefined, asked: string | undefined) {
  if (file === undefined) return { status: 404, body: "not found", headers: {} };
  const { status = 200, body, headers } = file;
  const etag = `"${createHash("sha1").update(body).digest("hex")}"`;
  return asked === etag
    ? { status: 304, body: "", headers: {} }
    : { status, body, headers: { ETag: etag, ...headers } };
}

/** Publishes records as ErrLookup does: manifest, index and one file for each repository. */
export function publishDataset(
  records: readonly KnownError[],
  datasetVersion: string,
  { gzip = true }: { readonly gzip?: boolean } = {},
): Map<string, ServedFile> {
  const repos = [...new Set(records.map(({ repo }) => repo))];
  const errors = records.map((record) => {
    const { id, repo, slug, errorCode, errorMessage, messagePattern, errorType } = record;
    const short = { id, repo, slug, code: errorCode, msg: errorMessage, pattern: messagePattern };
    return {
      ...short,
      type: errorType,
      cls: record.errorClass,
      tags: record.tags,
      sev: record.severity,
    };
  });
  const raw = Buffer.from(JSON.stringify({ schemaVersion: 2, datasetVersion, errors }));
  const index = gzip ? gzipSync(raw) : raw;
  const path = gzip ? "/data/index.json.gz" : "/data/index.json";
  const sha256 = createHash("sha256").update(index).digest("hex");
  const described = { path, bytes: index.length, sha256, ...(gzip && { encoding: "gzip" }) };
  const counts = { repos: repos.length, errors: records.length };
  const manifest = { schemaVersion: 2, datasetVersion, counts, files: { index: described } };
  return new Map<string, ServedFile>([
    ["/data/manifest.json", { body: JSON.stringify(manifest) }],
    [path, { body: index }],
    ...repos.map((repo): [string, ServedFile] => [
      `/data/repos/${repo}.json`,
      { body: JSON.stringify(records.filter((record) => record.repo === repo)) },
    ]),
  ]);
}
