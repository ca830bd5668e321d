import axios from "axios";
import { UpstreamError } from "../enrich/outcome.ts";
import type { UpstreamReason } from "../enrich/outcome.ts";

/** A failed request, with how long Loki asked to be left alone. */
export class LokiError extends UpstreamError {
  /** From `Retry-After`; `undefined` when the answer had none. */
  readonly retryAfterMs: number | undefined;

  constructor(
    reason: UpstreamReason,
    message: string,
    options?: ErrorOptions & { readonly retryAfterMs?: number | undefined },
  ) {
    super(reason, message, options);
    this.name = "LokiError";
    this.retryAfterMs = options?.retryAfterMs;
  }
}

/** What the answer of a failed request says. */
export interface FailedAnswer {
  readonly status: number;
  /** Start of the body: plain text from Loki, anything from a gateway. */
  readonly body: string;
  readonly retryAfter: string | undefined;
  readonly nowMs: number;
}

const TEXT_CHARS_MAX = 300;

/**
 * Turns an answer that is no success into an error; `redact` masks what the text may quote of the
 * query.
 *
 * Loki has no error format: the text alone tells a query that is too large from one that is wrong.
 */
export function errorOfAnswer(answer: FailedAnswer, redact: (text: string) => string): LokiError {
  const { status, retryAfter, nowMs } = answer;
  const text = redact(answer.body.slice(0, TEXT_CHARS_MAX)).trim();
  // A page of a gateway says nothing that its status does not.
  const shown = text === "" || text.startsWith("<") ? "" : `: ${text}`;
  return new LokiError(reasonOf(answer), `Loki answered ${status}${shown}`, {
    retryAfterMs: retryAfter === undefined ? undefined : parseRetryAfter(retryAfter, nowMs),
  });
}

const TOO_LARGE =
  /max entries limit|time range exceeds|too many bytes|maximum (?:number )?of series|maximum resolution/u;
const TENANT = /no org id|tenant ID|multiple org IDs/u;

const BY_STATUS: Readonly<Record<number, UpstreamReason>> = {
  400: "bad_query",
  401: "unauthorized",
  403: "unauthorized",
  408: "timeout",
  413: "too_large",
  414: "too_large",
  429: "throttled",
  499: "timeout",
  504: "timeout",
};

function reasonOf({ status, body }: FailedAnswer): UpstreamReason {
  if ((status === 400 || status === 401) && TENANT.test(body)) return "no_tenant";
  if (status === 400 && TOO_LARGE.test(body)) return "too_large";
  // Measured with 2.9: an expression of a line filter that does not compile is answered 500.
  if (status === 500 && body.includes("parse error")) return "bad_query";
  return BY_STATUS[status] ?? (status >= 500 ? "server" : "refused");
}

/** Seconds, or an HTTP date (RFC 9110, section 10.2.3). */
function parseRetryAfter(text: string, nowMs: number): number | undefined {
  if (/^\d{1,6}$/u.test(text)) return Number(text) * 1000;
  const dateMs = Date.parse(text);
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}

/** Turns what axios or the socket threw into an error without URL and headers, which may be secret. */
export function errorOfException(error: unknown, timeoutMs: number): UpstreamError {
  if (error instanceof UpstreamError) return error;
  const code = codeOf(error);
  if (["ERR_CANCELED", "ABORT_ERR", "ETIMEDOUT", "ECONNABORTED"].includes(code)) {
    return new LokiError("timeout", `Loki gave no whole answer in ${timeoutMs} ms (${code})`);
  }
  return new LokiError("unreachable", `Loki is unreachable (${code})`);
}

function codeOf(error: unknown): string {
  if (axios.isAxiosError(error)) return error.code ?? "unknown";
  if (error instanceof DOMException) return error.name === "AbortError" ? "ABORT_ERR" : "ETIMEDOUT";
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "unknown";
}
