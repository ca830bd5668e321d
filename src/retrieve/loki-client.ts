import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { AgentOptions } from "node:https";
import type { Readable } from "node:stream";
import axios from "axios";
import type { AxiosInstance, AxiosResponse } from "axios";
import type { Clock, LogAnswer, LogQuery } from "../enrich/ports.ts";
import { LokiError, errorOfAnswer, errorOfException } from "./loki-failure.ts";
import { readLabelNames, readLogAnswer } from "./read-answer.ts";

/** TLS as PEM texts; absent ones leave Node's defaults. */
export interface TlsOptions {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  /** Name to check the certificate against. */
  readonly serverName?: string;
  /** Whether any certificate is taken. */
  readonly insecureSkipVerify?: boolean;
}

/** One Loki, or the gateway in front of it. */
export interface LokiClientOptions {
  /** Base URL, a path allowed, without a final slash; `/loki/api/v1/…` is put behind it. */
  readonly url: string;
  /** Complete `Authorization` header. */
  readonly authorization?: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly tls?: TlsOptions;
  readonly userAgent: string;
  /** From connecting to the end of the answer. */
  readonly timeoutMs: number;
  /** Largest answer, unpacked; a longer one is broken off. */
  readonly answerBytesMax: number;
  /** Queries of so many bytes are not sent, for Loki refuses them (5,120 in 2.9, 131,072 in 3). */
  readonly queryBytesMax: number;
  readonly clock: Clock;
  /** Masks what a refusal may quote of the query. */
  redact(text: string): string;
}

/** Asks Loki, one request a call; who asks how often is `create-log-source`'s affair. */
export interface LokiClient {
  /** @throws {LokiError} With a reason of the closed list. */
  queryRange(query: LogQuery, signal: AbortSignal): Promise<LogAnswer>;
  /**
   * Names of the labels that streams of the last six hours have.
   *
   * @throws {LokiError} With a reason of the closed list.
   */
  labelNames(tenant: string, signal: AbortSignal): Promise<ReadonlySet<string>>;
  /** Closes idle connections. */
  close(): void;
}

/** Longer parameters go in a body: proxies cut or refuse long URLs. */
const URL_CHARS_MAX = 1500;
const LABELS_RANGE_MS = 6 * 3_600_000;
const FAILURE_BYTES_MAX = 4096;

/** Creates the client. Connections are kept alive; redirects are failures. */
export function createLokiClient(options: LokiClientOptions): LokiClient {
  const { http, close } = createHttp(options);
  return {
    async queryRange(query, signal) {
      checkLength(query.query, options.queryBytesMax);
      const parameters = new URLSearchParams({
        query: query.query,
        start: String(query.startNs),
        end: String(query.endNs),
        limit: String(query.entriesMax),
        direction: "backward",
      });
      const call = { path: "/loki/api/v1/query_range", parameters, tenant: query.tenant, signal };
      return readLogAnswer(await ask(http, options, call), query.entriesMax);
    },
    async labelNames(tenant, signal) {
      const endMs = options.clock.nowMs();
      const parameters = new URLSearchParams({
        start: `${endMs - LABELS_RANGE_MS}000000`,
        end: `${endMs}000000`,
      });
      const call = { path: "/loki/api/v1/labels", parameters, tenant, signal };
      return readLabelNames(await ask(http, options, call));
    },
    close,
  };
}

function checkLength(query: string, bytesMax: number): void {
  const bytes = Buffer.byteLength(query);
  if (bytes < bytesMax) return;
  const rule = `Loki takes less than ${bytesMax} (loki.max_query_size)`;
  throw new LokiError("bad_query", `query of ${bytes} bytes not sent: ${rule}`);
}

function createHttp(options: LokiClientOptions): { http: AxiosInstance; close: () => void } {
  const { tls, authorization, userAgent } = options;
  const httpAgent = new HttpAgent({ keepAlive: true });
  const httpsAgent = new HttpsAgent({ keepAlive: true, ...agentTls(tls) });
  const http = axios.create({
    baseURL: options.url,
    httpAgent,
    httpsAgent,
    headers: {
      ...options.headers,
      Accept: "application/json",
      "Accept-Encoding": "gzip",
      "User-Agent": userAgent,
      "X-Loki-Response-Encoding-Flags": "categorize-labels",
      "X-Query-Tags": "Source=alertlore",
      ...(authorization !== undefined && { Authorization: authorization }),
    },
    maxRedirects: 0,
    proxy: false,
    responseType: "stream",
    validateStatus: () => true,
  });
  const close = () => {
    httpAgent.destroy();
    httpsAgent.destroy();
  };
  return { http, close };
}

/** The options of an agent that TLS comes to. */
export function agentTls(tls: TlsOptions = {}): AgentOptions {
  return {
    ...(tls.ca !== undefined && { ca: tls.ca }),
    ...(tls.cert !== undefined && { cert: tls.cert }),
    ...(tls.key !== undefined && { key: tls.key }),
    ...(tls.serverName !== undefined && { servername: tls.serverName }),
    rejectUnauthorized: tls.insecureSkipVerify !== true,
  };
}

interface Call {
  readonly path: string;
  readonly parameters: URLSearchParams;
  /** Empty: no tenant is named. */
  readonly tenant: string;
  readonly signal: AbortSignal;
}

/** The body of a successful answer. */
async function ask(http: AxiosInstance, options: LokiClientOptions, call: Call): Promise<string> {
  const { timeoutMs, answerBytesMax, clock } = options;
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const response = await send(http, call, signal);
    if (response.status === 200) return await readBody(response.data, answerBytesMax, signal);
    const body = await readStart(response.data, signal);
    const retryAfter: unknown = response.headers["retry-after"];
    const answer = {
      status: response.status,
      body,
      retryAfter: typeof retryAfter === "string" ? retryAfter : undefined,
      nowMs: clock.nowMs(),
    };
    throw errorOfAnswer(answer, (text) => options.redact(text));
  } catch (error) {
    throw errorOfException(error, timeoutMs);
  }
}

function send(
  http: AxiosInstance,
  { path, parameters, tenant }: Call,
  signal: AbortSignal,
): Promise<AxiosResponse<Readable>> {
  const headers = tenant === "" ? {} : { "X-Scope-OrgID": tenant };
  const search = parameters.toString();
  if (search.length <= URL_CHARS_MAX) return http.get(`${path}?${search}`, { headers, signal });
  return http.post(path, search, {
    headers: { ...headers, "Content-Type": "application/x-www-form-urlencoded" },
    signal,
  });
}

async function readBody(body: Readable, bytesMax: number, signal: AbortSignal): Promise<string> {
  const { chunks, isWhole } = await readAtMost(body, bytesMax, signal);
  if (isWhole) return Buffer.concat(chunks).toString("utf8");
  throw new LokiError("too_large", `Loki's answer is longer than ${bytesMax} bytes and was left`);
}

async function readStart(body: Readable, signal: AbortSignal): Promise<string> {
  const { chunks } = await readAtMost(body, FAILURE_BYTES_MAX, signal);
  return Buffer.concat(chunks).toString("utf8", 0, FAILURE_BYTES_MAX);
}

async function readAtMost(
  body: Readable,
  bytesMax: number,
  signal: AbortSignal,
): Promise<{ chunks: Buffer[]; isWhole: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const stop = () => {
    body.destroy(signal.reason instanceof Error ? signal.reason : undefined);
  };
  signal.addEventListener("abort", stop, { once: true });
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      // Leaving the loop destroys the stream, and with it the connection.
      if (bytes > bytesMax) return { chunks, isWhole: false };
      chunks.push(chunk);
    }
    return { chunks, isWhole: true };
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
