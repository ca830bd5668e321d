import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import axios from "axios";
import { UpstreamError } from "../enrich/outcome.ts";
import type { UpstreamReason } from "../enrich/outcome.ts";

/** One organisation of a Grafana. */
export interface GrafanaClientOptions {
  /** Base URL, a path allowed, without a final slash. */
  readonly url: string;
  /** Complete `Authorization` header. */
  readonly authorization: string | undefined;
  /** Sent as `X-Grafana-Org-Id`; a token has one organisation and needs none. */
  readonly orgId: number | undefined;
  readonly userAgent: string;
  /** From connecting to the end of the answer. */
  readonly timeoutMs: number;
}

/** One request to the HTTP API. */
export interface GrafanaCall {
  readonly method: "GET" | "POST" | "PATCH";
  /** Begins with `/api/`. */
  readonly path: string;
  readonly query?: URLSearchParams;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** An answer of any status but those that are worth another try. */
export interface GrafanaAnswer {
  readonly status: number;
  /** `undefined` when it was not JSON. */
  readonly body: unknown;
}

/**
 * Sends one request.
 *
 * @throws {UpstreamError} When nothing was answered, or 401, 408, 429 or 5xx.
 */
export type GrafanaClient = (call: GrafanaCall) => Promise<GrafanaAnswer>;

const ANSWER_BYTES_MAX = 1_048_576;
const TEXT_CHARACTERS_MAX = 200;

/** Creates the client. Redirects are not followed and proxies of the environment not used. */
export function createGrafanaClient(options: GrafanaClientOptions): GrafanaClient {
  const { authorization, orgId } = options;
  const http = axios.create({
    baseURL: options.url,
    httpAgent: new HttpAgent({ keepAlive: true }),
    httpsAgent: new HttpsAgent({ keepAlive: true }),
    headers: {
      Accept: "application/json",
      "User-Agent": options.userAgent,
      ...(authorization !== undefined && { Authorization: authorization }),
      ...(orgId !== undefined && { "X-Grafana-Org-Id": String(orgId) }),
    },
    maxRedirects: 0,
    maxContentLength: ANSWER_BYTES_MAX,
    proxy: false,
    responseType: "text",
    transformResponse: (text: unknown) => text,
    validateStatus: () => true,
  });
  return async ({ method, path, query, body }) => {
    const answer = await http
      .request<unknown>({
        method,
        url: path,
        ...(query !== undefined && { params: query }),
        ...(body !== undefined && {
          data: JSON.stringify(body),
          headers: { "Content-Type": "application/json" },
        }),
        signal: AbortSignal.timeout(options.timeoutMs),
      })
      .catch((error: unknown) => {
        throw connectionFailure(error);
      });
    const { status } = answer;
    const reason = reasonOf(status);
    if (reason !== undefined) throw new UpstreamError(reason, `Grafana answered ${status}`);
    return { status, body: parseJson(answer.data) };
  };
}

/** What a refusal says, as one short line; the status alone when it says nothing. */
export function refusalText({ status, body }: GrafanaAnswer): string {
  const message = (body as { message?: unknown } | null | undefined)?.message;
  if (typeof message !== "string" || message === "") return `Grafana answered ${status}`;
  return `Grafana answered ${status}: ${message.slice(0, TEXT_CHARACTERS_MAX)}`;
}

function connectionFailure(error: unknown): UpstreamError {
  const code = axios.isAxiosError(error) ? (error.code ?? "unknown") : "unknown";
  const isTimeout = code === "ERR_CANCELED" || code === "ETIMEDOUT" || code === "ECONNABORTED";
  // The code alone: axios's message and request hold headers.
  return new UpstreamError(
    isTimeout ? "timeout" : "unreachable",
    `Grafana ${isTimeout ? "gave no answer in time" : "could not be reached"} (${code})`,
  );
}

function reasonOf(status: number): UpstreamReason | undefined {
  if (status >= 500) return "server";
  if (status === 401) return "unauthorized";
  if (status === 408) return "timeout";
  return status === 429 ? "throttled" : undefined;
}

function parseJson(text: unknown): unknown {
  if (typeof text !== "string") return undefined;
  try {
    // Newer storages give ids that a double does not hold.
    return JSON.parse(text.replace(/("id"\s*:\s*)(\d{16,20})(?=\s*[,}])/gu, '$1"$2"')) as unknown;
  } catch {
    return undefined;
  }
}
