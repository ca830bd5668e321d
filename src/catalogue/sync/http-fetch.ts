import { Agent as HttpsAgent } from "node:https";
import { rootCertificates } from "node:tls";
import axios, { AxiosError } from "axios";
import type { AxiosInstance, AxiosProxyConfig } from "axios";
import { SyncError } from "./sync-error.ts";

/** How URLs are reached. Plain values: they are sent to the worker thread. */
export interface FetchOptions {
  /** May hold credentials; `undefined`: no proxy. */
  readonly proxyUrl: string | undefined;
  /** Certificates (PEM) that are trusted besides the usual ones. */
  readonly ca: string | undefined;
  /** For one answer, from connecting to its end. */
  readonly timeoutMs: number;
  readonly userAgent: string;
}

/** An answer with the bytes that came over the wire, or word that nothing has changed. */
export type Fetched =
  | {
      readonly isFresh: true;
      readonly bytes: Uint8Array;
      readonly contentEncoding: string;
      readonly etag: string | undefined;
    }
  | { readonly isFresh: false };

/**
 * Asks for a URL, with the validator of an earlier answer where there is one.
 *
 * @throws {SyncError} `unreachable`, `status` or `too_large`.
 */
export type Fetch = (url: string, etag: string | undefined) => Promise<Fetched>;

const BYTES_MAX = 400 * 2 ** 20;

/** Creates a client. Only the settings decide on a proxy, not the environment. */
export function createFetch(options: FetchOptions): Fetch {
  const client = createClient(options);
  return async (url, etag) => {
    const name = nameOf(url);
    try {
      const headers = etag === undefined ? {} : { "If-None-Match": etag };
      const signal = AbortSignal.timeout(options.timeoutMs);
      const answer = await client.get<Buffer>(url, { headers, signal });
      if (answer.status === 304 && etag !== undefined) return { isFresh: false };
      if (answer.status !== 200) {
        throw new SyncError("status", `${name} was answered with status ${answer.status}`);
      }
      const fresh = answer.headers["etag"] as unknown;
      const encoding = answer.headers["content-encoding"] as unknown;
      return {
        isFresh: true,
        bytes: answer.data,
        contentEncoding: typeof encoding === "string" ? encoding : "",
        etag: typeof fresh === "string" ? fresh : undefined,
      };
    } catch (error) {
      throw error instanceof SyncError ? error : failureOf(error, name);
    }
  };
}

function createClient({ proxyUrl, ca, timeoutMs, userAgent }: FetchOptions): AxiosInstance {
  return axios.create({
    timeout: timeoutMs,
    proxy: proxyUrl === undefined ? false : proxyOf(proxyUrl),
    httpsAgent: new HttpsAgent(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
    // Hashes cover the bytes as published, which a client that decompresses would lose.
    decompress: false,
    headers: { "Accept-Encoding": "identity", "User-Agent": userAgent },
    maxContentLength: BYTES_MAX,
    maxRedirects: 5,
    responseType: "arraybuffer",
    validateStatus: () => true,
  });
}

function proxyOf(url: string): AxiosProxyConfig {
  const { protocol, hostname, port, username, password } = new URL(url);
  const fallback = protocol === "https:" ? 443 : 80;
  const auth = { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  return {
    protocol,
    host: hostname,
    port: port === "" ? fallback : Number(port),
    ...(username !== "" && { auth }),
  };
}

/** A URL as a message may show it: without its query, which can hold a token. */
export function nameOf(url: string): string {
  return url.replace(/[?#].*$/u, "");
}

function failureOf(error: unknown, name: string): SyncError {
  if (!(error instanceof AxiosError)) throw error;
  if (error.message.includes("maxContentLength")) {
    return new SyncError("too_large", `${name} is larger than 400 MiB`);
  }
  // No cause: axios keeps the request in it, headers and credentials of the proxy included.
  const isLate = error.code === "ECONNABORTED" || error.code === "ERR_CANCELED";
  const code = isLate ? "no answer in time" : (error.code ?? "no connection");
  return new SyncError("unreachable", `${name} could not be fetched: ${code}`);
}
