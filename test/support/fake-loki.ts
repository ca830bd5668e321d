import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { gunzipSync, gzipSync } from "node:zlib";
import { LokiRefusal, parseFakeLokiQuery } from "./fake-loki-query.ts";
import { FakeLokiStore } from "./fake-loki-store.ts";
import type { FoundStream } from "./fake-loki-store.ts";
import { readFakeRange } from "./read-fake-range.ts";

/** One request for lines or labels, as it came. */
export interface LokiRequest {
  readonly method: string;
  /** Path without the query string. */
  readonly path: string;
  readonly parameters: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
}

/** Answers in Loki's place; must end the response, or leave it hanging on purpose. */
export type Misbehaviour = (request: LokiRequest, response: ServerResponse) => void;

/** A stand-in for Loki that behaves as the measured 2.9.9 does, and worse when told to. */
export interface FakeLoki {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string;
  /** Requests other than pushes, in the order of arrival. */
  readonly requests: readonly LokiRequest[];
  /** Logs queries sent to `query_range`, in the order of arrival. */
  queries(): readonly string[];
  /** Answers every request but pushes from now on; `undefined`: as Loki does. */
  misbehave(misbehaviour: Misbehaviour | undefined): void;
  readonly stop: () => Promise<void>;
}

/** What may differ from Loki's defaults. */
export interface FakeLokiOptions {
  /** Whether a tenant must be named (`auth_enabled`); else all share one. */
  readonly tenants?: boolean;
  /** Path that a gateway in front of Loki adds, e.g. `/loki-gateway`. */
  readonly prefix?: string;
  /** `compress_responses`. */
  readonly compress?: boolean;
}

interface State {
  readonly options: FakeLokiOptions;
  readonly stores: Map<string, FakeLokiStore>;
  readonly requests: LokiRequest[];
  misbehaviour: Misbehaviour | undefined;
}

/** Starts one on a free port of loopback. */
export async function startFakeLoki(options: FakeLokiOptions = {}): Promise<FakeLoki> {
  const state: State = { options, stores: new Map(), requests: [], misbehaviour: undefined };
  const server = createServer((request, response) => {
    serve(state, request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: state.requests,
    queries: () =>
      state.requests
        .filter(({ path }) => path.endsWith("/query_range"))
        .map(({ parameters }) => parameters.get("query") ?? ""),
    misbehave: (misbehaviour) => {
      state.misbehaviour = misbehaviour;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function serve(
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const raw = await buffer(request);
  const body = request.headers["content-encoding"] === "gzip" ? gunzipSync(raw) : raw;
  const url = new URL(request.url ?? "/", "http://fake.test");
  const parameters = parametersOf(request, url, body.toString());
  const asked = {
    method: request.method ?? "",
    path: url.pathname,
    parameters,
    headers: request.headers,
  };
  const path = withoutPrefix(url.pathname, state.options.prefix ?? "");
  const isPush = path === "/loki/api/v1/push";
  if (!isPush) state.requests.push(asked);
  if (!isPush && state.misbehaviour !== undefined) {
    state.misbehaviour(asked, response);
    return;
  }
  try {
    answer(state, { path, asked, body }, response);
  } catch (error) {
    if (!(error instanceof LokiRefusal)) throw error;
    response.writeHead(error.status, { "content-type": "text/plain; charset=utf-8" });
    response.end(error.message);
  }
}

/** The form body wins over the URL for a name that both hold. */
function parametersOf(request: IncomingMessage, url: URL, body: string): URLSearchParams {
  const isForm = request.headers["content-type"]?.startsWith("application/x-www-form-urlencoded");
  if (isForm !== true) return url.searchParams;
  const form = new URLSearchParams(body);
  for (const [name, value] of url.searchParams) if (!form.has(name)) form.append(name, value);
  return form;
}

function withoutPrefix(path: string, prefix: string): string {
  if (!path.startsWith(prefix)) throw new LokiRefusal(404, "404 page not found\n");
  return path.slice(prefix.length);
}

interface Call {
  readonly path: string;
  readonly asked: LokiRequest;
  readonly body: Buffer;
}

function answer(state: State, call: Call, response: ServerResponse): void {
  const { path, asked } = call;
  if (path === "/ready") {
    response.writeHead(200).end("ready\n");
    return;
  }
  const endpoint = /^\/loki\/api\/v1\/(push|query_range|labels|series|label\/[^/]+\/values)$/u.exec(
    path,
  );
  if (endpoint === null) throw new LokiRefusal(404, "404 page not found\n");
  const name = endpoint[1] ?? "";
  const methods = name === "push" ? ["POST"] : ["GET", "POST"];
  if (!methods.includes(asked.method)) {
    response.writeHead(405, { "content-length": "0" }).end();
    return;
  }
  const store = storeOf(state, asked);
  if (name === "push") push(store, call, response);
  else sendJson(state, asked, response, readStore(store, name, asked));
}

function readStore(store: FakeLokiStore, endpoint: string, asked: LokiRequest): unknown {
  if (endpoint === "query_range") return queryRange(store, asked);
  if (endpoint === "series") {
    const { parameters } = asked;
    const query = parseFakeLokiQuery(parameters.get("match[]") ?? parameters.get("match") ?? "");
    return { status: "success", data: store.series(query) };
  }
  const name = endpoint.split("/")[1];
  const names = name === undefined ? store.labelNames() : store.labelValues(name);
  // Without any label there is no `data` at all.
  return { status: "success", ...(names.length > 0 && { data: names }) };
}

function storeOf({ options, stores }: State, { headers }: LokiRequest): FakeLokiStore {
  const named = headers["x-scope-orgid"];
  const tenant = options.tenants === true ? String(named ?? "") : "fake";
  if (tenant === "") throw new LokiRefusal(401, "no org id\n");
  const store = stores.get(tenant) ?? new FakeLokiStore();
  stores.set(tenant, store);
  return store;
}

function push(store: FakeLokiStore, { body }: Call, response: ServerResponse): void {
  if (body.length === 0) throw new LokiRefusal(400, "EOF\n");
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString());
  } catch {
    throw new LokiRefusal(400, "skipThreeBytes: expect ull, error found in #2 byte\n");
  }
  store.push(parsed);
  response.writeHead(204).end();
}

function queryRange(store: FakeLokiStore, { parameters, headers }: LokiRequest): unknown {
  const range = readFakeRange(parameters);
  const query = parseFakeLokiQuery(parameters.get("query") ?? "");
  const isCategorized = headers["x-loki-response-encoding-flags"] === "categorize-labels";
  const found = store.find(query, range);
  return {
    status: "success",
    data: {
      resultType: "streams",
      ...(isCategorized && { encodingFlags: ["categorize-labels"] }),
      result: found.map((stream) => renderStream(stream, isCategorized)),
      stats: { summary: { totalEntriesReturned: found.flatMap(({ lines }) => lines).length } },
    },
  };
}

function renderStream({ labels, lines }: FoundStream, isCategorized: boolean): unknown {
  return {
    stream: labels,
    values: lines.map(({ timestampNs, text, metadata }) => {
      const isPlain = Object.keys(metadata).length === 0;
      const third = isPlain ? {} : { structuredMetadata: metadata };
      return [String(timestampNs), text, ...(isCategorized ? [third] : [])];
    }),
  };
}

function sendJson(
  { options }: State,
  { headers }: LokiRequest,
  response: ServerResponse,
  body: unknown,
): void {
  const json = `${JSON.stringify(body)}\n`;
  const isZipped = options.compress === true && /gzip/iu.test(String(headers["accept-encoding"]));
  response.writeHead(200, {
    "content-type": "application/json; charset=UTF-8",
    ...(isZipped && { "content-encoding": "gzip" }),
  });
  response.end(isZipped ? gzipSync(json) : json);
}
