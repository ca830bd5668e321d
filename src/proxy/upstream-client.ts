import { Agent as HttpAgent, request as requestHttp } from "node:http";
import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import type { AgentOptions } from "node:https";
import type { UpstreamAnswer } from "../enrich/ports.ts";

/** One Alertmanager behind the proxy. */
export interface UpstreamOptions {
  /** Shown in logs and as a metric label; unique. */
  readonly name: string;
  /** Base URL, a path allowed, without a final slash; `/api/v2/…` is put behind it. */
  readonly url: string;
  /** Complete `Authorization` header. */
  readonly authorization?: string;
  readonly tls: AgentOptions;
  /** From connecting to the end of the answer. */
  readonly timeoutMs: number;
  readonly userAgent: string;
}

/** A request to one Alertmanager. */
export interface UpstreamWish {
  readonly method: string;
  /** With its query string. */
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
}

/** Answers to a post are a sentence; nothing longer is passed on. */
const ANSWER_BYTES_MAX = 65_536;

/** Sends requests to one Alertmanager over connections that are kept alive. */
export class UpstreamClient {
  readonly name: string;
  readonly timeoutMs: number;
  /** Complete `Authorization` header; `undefined` without one. */
  readonly authorization: string | undefined;
  private readonly url: URL;
  private readonly agent: HttpAgent;
  private readonly userAgent: string;

  /** Opens no connection yet. */
  constructor(options: UpstreamOptions) {
    this.name = options.name;
    this.timeoutMs = options.timeoutMs;
    this.authorization = options.authorization;
    this.url = new URL(options.url);
    this.userAgent = options.userAgent;
    this.agent =
      this.url.protocol === "https:"
        ? new HttpsAgent({ keepAlive: true, ...options.tls })
        : new HttpAgent({ keepAlive: true });
  }

  /** Begins a request; whoever writes its body ends it. Broken off when it takes too long. */
  open({ method, path, headers }: UpstreamWish): ClientRequest {
    const { protocol, hostname, port, pathname } = this.url;
    const send = protocol === "https:" ? requestHttps : requestHttp;
    return send({
      method,
      hostname: hostname.replace(/^\[|\]$/g, ""),
      ...(port !== "" && { port }),
      path: `${pathname.replace(/\/$/, "")}${path}`,
      headers: { "User-Agent": this.userAgent, ...headers },
      agent: this.agent,
      signal: AbortSignal.timeout(this.timeoutMs),
    });
  }

  /** Posts alerts; an Alertmanager that cannot be reached has no status. Never rejects. */
  post(body: Uint8Array, headers: OutgoingHttpHeaders): Promise<UpstreamAnswer> {
    const request = this.openPost({ ...headers, "Content-Length": body.length });
    request.end(body);
    return this.answerOf(request);
  }

  /** Begins a post of alerts. */
  openPost(headers: OutgoingHttpHeaders): ClientRequest {
    const { authorization } = this;
    return this.open({
      method: "POST",
      path: "/api/v2/alerts",
      headers: {
        ...headers,
        "Content-Type": "application/json",
        ...(authorization !== undefined && { Authorization: authorization }),
      },
    });
  }

  /** What became of a request; never rejects. */
  async answerOf(request: ClientRequest): Promise<UpstreamAnswer> {
    try {
      const response = await responseOf(request);
      const body = await readText(response, ANSWER_BYTES_MAX);
      const contentType = response.headers["content-type"] ?? "";
      return { upstream: this.name, status: response.statusCode, contentType, body };
    } catch {
      return { upstream: this.name, status: undefined, contentType: "", body: "" };
    }
  }

  /** Closes idle connections. */
  close(): void {
    this.agent.destroy();
  }
}

/**
 * The head of the answer to a request.
 *
 * @throws {Error} When the connection broke or took too long.
 */
export function responseOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once("response", resolve);
    // A connection may break once more after the answer; nobody must be hurt by it.
    request.on("error", reject);
  });
}

async function readText(response: IncomingMessage, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bytesMax) {
      response.destroy();
      break;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
