import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import axios from "axios";
import type { UpstreamReason } from "../enrich/outcome.ts";
import { DeliveryError } from "./delivery-error.ts";

/** Where and how to send; nothing of it is ever logged but the name. */
export interface HttpSenderOptions {
  readonly name: string;
  /** For one try, from connecting to the end of the answer. */
  readonly timeoutMs: number;
  readonly userAgent: string;
}

/** One request. */
export interface HttpWish {
  /** May hold credentials. */
  readonly url: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer with a 2xx status. */
export interface HttpAnswer {
  readonly status: number;
  /** The first 64 KiB; the rest is not read. */
  readonly text: string;
}

/** Posts JSON and says what a failure means. */
export type HttpSender = (wish: HttpWish) => Promise<HttpAnswer>;

/** Longer answers are failures of the receiver; none of the known ones comes near. */
const ANSWER_BYTES_MAX = 65_536;
/** A receiver that asks for more is asked again sooner: it may have been restarted since. */
const RETRY_AFTER_MAX_MS = 3_600_000;
/** Failures before the receiver can have seen a byte of the body. */
const NOT_CONNECTED = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ERR_INVALID_URL",
]);
/** Wrong for this body whoever asks; everything else may be mended on the other side. */
const REFUSES_BODY = new Set([400, 405, 406, 411, 413, 414, 415, 422]);

/**
 * Creates the sender. Connections are kept alive; redirects are refusals, for a redirected POST
 * becomes a GET without body; proxies of the environment are not used.
 */
export function createHttpSender(options: HttpSenderOptions): HttpSender {
  const client = axios.create({
    httpAgent: new HttpAgent({ keepAlive: true }),
    httpsAgent: new HttpsAgent({ keepAlive: true }),
    headers: { "Content-Type": "application/json", "User-Agent": options.userAgent },
    maxRedirects: 0,
    maxBodyLength: Infinity,
    maxContentLength: ANSWER_BYTES_MAX,
    proxy: false,
    responseType: "text",
    transformResponse: (text: unknown) => text,
    validateStatus: () => true,
  });
  return async ({ url, body, headers = {} }) => {
    const answer = await client
      .post<unknown>(url, Buffer.from(body), {
        headers,
        signal: AbortSignal.timeout(options.timeoutMs),
      })
      .catch((error: unknown) => {
        throw connectionFailure(options, error);
      });
    const text = typeof answer.data === "string" ? answer.data : "";
    if (answer.status >= 200 && answer.status < 300) return { status: answer.status, text };
    throw refusal(options.name, answer.status, answer.headers["retry-after"]);
  };
}

function connectionFailure({ name, timeoutMs }: HttpSenderOptions, error: unknown): DeliveryError {
  const code = axios.isAxiosError(error) ? (error.code ?? "unknown") : "unknown";
  const isTimeout = code === "ERR_CANCELED" || code === "ETIMEDOUT" || code === "ECONNABORTED";
  const detail = isTimeout ? `gave no answer in ${timeoutMs} ms` : "could not be reached";
  // The code alone: axios's message and request hold the URL, which may be secret.
  return new DeliveryError(
    isTimeout ? "timeout" : "unreachable",
    `destination ${name} ${detail} (${code})`,
    { maybeTaken: !NOT_CONNECTED.has(code) },
  );
}

function refusal(name: string, status: number, retryAfter: unknown): DeliveryError {
  return new DeliveryError(reasonOfStatus(status), `destination ${name} answered ${status}`, {
    permanent: REFUSES_BODY.has(status) || (status >= 300 && status < 400),
    retryAfterMs: parseRetryAfter(retryAfter, Date.now()),
  });
}

function reasonOfStatus(status: number): UpstreamReason {
  if (status >= 500) return "server";
  if (status === 401 || status === 403) return "unauthorized";
  if (status === 408) return "timeout";
  if (status === 413) return "too_large";
  return status === 429 ? "throttled" : "refused";
}

/**
 * Reads a `Retry-After` header: seconds or a date.
 *
 * @returns Milliseconds from now, at most an hour; `undefined` when there is none to read.
 * @see https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 */
export function parseRetryAfter(header: unknown, nowMs: number): number | undefined {
  if (typeof header !== "string") return undefined;
  const ms = /^\d{1,9}$/u.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), RETRY_AFTER_MAX_MS);
}
