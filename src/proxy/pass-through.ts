import { once } from "node:events";
import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from "node:http";
import type { Request, RequestHandler, Response } from "express";
import type { Clock, Logger } from "../enrich/ports.ts";
import type { Upstream } from "./fan-out.ts";
import { responseOf } from "./upstream-client.ts";

/** What the routes need of the rest. */
export interface PassThroughOptions {
  /** Asked in this order until one answers. */
  readonly upstreams: readonly Upstream[];
  /** Longest answer that is passed on, in bytes. */
  readonly answerBytesMax: number;
  /** Longest body of a write that is passed on, in bytes. */
  readonly bodyBytesMax: number;
  /** Whether callers have shown credentials of ours, so that the Alertmanager gets its own. */
  readonly isAuthenticated: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Headers of the caller that mean something to an Alertmanager. */
const REQUEST_HEADERS = ["accept", "content-type"] as const;
/** Headers of an Alertmanager that mean something to the caller. */
const ANSWER_HEADERS = ["content-type", "content-encoding", "cache-control", "vary"] as const;

/**
 * Passes a request for what an Alertmanager shows on to the first that answers, path and query as they
 * came, so that `amtool` and dashboards can use Alertlore's address.
 */
export function passThrough(options: PassThroughOptions): RequestHandler {
  return async (request, response) => {
    const body = await readBody(request, options.bodyBytesMax);
    if (body === undefined) {
      refuse(response, 413, "The body is too large");
      return;
    }
    const nowMs = options.clock.nowMs();
    const ready = options.upstreams.filter(({ breaker }) => breaker.allows(nowMs));
    for (const upstream of ready.length === 0 ? options.upstreams : ready) {
      const answer = await ask(options, upstream, { request, body });
      if (answer === undefined) continue;
      await copyAnswer(options, answer, response);
      return;
    }
    refuse(response, 502, "No Alertmanager answered");
  };
}

/** Answers 403 to what would change an Alertmanager, and says how it can be allowed. */
export const refuseWrite: RequestHandler = (_request, response) => {
  refuse(response, 403, "Silences are not written through here; proxy.silences allows it");
};

function refuse(response: Response, status: number, detail: string): void {
  response.status(status).setHeader("Content-Type", "application/problem+json");
  response.end(JSON.stringify({ type: "about:blank", title: "Not passed on", status, detail }));
}

async function readBody(request: Request, bytesMax: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= bytesMax) chunks.push(chunk);
  }
  return size > bytesMax ? undefined : Buffer.concat(chunks);
}

/** The answer of one Alertmanager; `undefined` when it gave none that is worth passing on. */
async function ask(
  { isAuthenticated, logger }: PassThroughOptions,
  { client }: Upstream,
  { request, body }: { readonly request: Request; readonly body: Buffer },
): Promise<IncomingMessage | undefined> {
  const own = isAuthenticated ? client.authorization : request.headers.authorization;
  const headers: OutgoingHttpHeaders = {
    ...pick(request.headers, REQUEST_HEADERS),
    ...(own !== undefined && { authorization: own }),
    ...(body.length > 0 && { "content-length": body.length }),
  };
  const sent = client.open({ method: request.method, path: request.originalUrl, headers });
  sent.end(body);
  const answer = await answerOf(sent);
  if (answer !== undefined && (answer.statusCode ?? 500) < 500) return answer;
  answer?.resume();
  logger.warn(
    { upstream: client.name, status: answer?.statusCode },
    "an Alertmanager gave no answer",
  );
  return undefined;
}

async function answerOf(sent: ClientRequest): Promise<IncomingMessage | undefined> {
  try {
    return await responseOf(sent);
  } catch {
    return undefined;
  }
}

/** Copies an answer; one that breaks or is too long is broken off, so that it does not look whole. */
async function copyAnswer(
  { answerBytesMax }: PassThroughOptions,
  answer: IncomingMessage,
  response: Response,
): Promise<void> {
  response.status(answer.statusCode ?? 502);
  for (const [name, value] of Object.entries(pick(answer.headers, ANSWER_HEADERS)))
    response.setHeader(name, value);
  let size = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > answerBytesMax) throw new Error("the answer is too long");
      if (!response.write(chunk)) await once(response, "drain");
    }
    response.end();
  } catch {
    answer.destroy();
    response.destroy();
  }
}

function pick(
  headers: IncomingMessage["headers"],
  names: readonly string[],
): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = {};
  for (const name of names) {
    const value = headers[name];
    if (value !== undefined) found[name] = value;
  }
  return found;
}
