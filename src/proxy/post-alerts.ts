import { setTimeout as sleep } from "node:timers/promises";
import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import type { Request, RequestHandler, Response } from "express";
import type { Annotations } from "../alert/alert.ts";
import type { Clock, Counters, Logger, PostedAlerts, UpstreamAnswer } from "../enrich/ports.ts";
import { type FanOut, type SenderAnswer, settleAnswers } from "./fan-out.ts";
import type { LatePusher } from "./push-late.ts";
import { type PostedAlert, readAlerts } from "./read-alerts.ts";
import { receiveBody } from "./receive-body.ts";
import type { SenderHolds } from "./sender-holds.ts";
import { writeAlerts } from "./write-alerts.ts";

/** What the route needs of the rest. */
export interface PostAlertsOptions {
  /** Of our own annotations. */
  readonly prefix: string;
  /** Masks the annotations of the sender; `undefined`: they go on as they came. */
  readonly mask: ((annotations: Annotations) => Annotations) | undefined;
  /** Whether alerts are looked at; else their bytes go on as they came. */
  readonly isOn: boolean;
  /** Longest that a post with alerts seen for the first time is held back. */
  readonly holdMs: number;
  /** Larger bodies are passed on as they come in. */
  readonly bodyBytesMax: number;
  /** Header in which a sender may name the tenant; `undefined`: none. */
  readonly tenantHeader: string | undefined;
  /** Names, in lower case, of headers that go on to the Alertmanagers. */
  readonly forwardHeaders: readonly string[];
  readonly fanOut: FanOut;
  readonly desk: PostedAlerts;
  readonly pusher: LatePusher;
  readonly flights: BytesInFlight;
  readonly holds: SenderHolds;
  readonly clock: Clock;
  readonly counters: Counters;
  readonly logger: Logger;
}

/** Bodies in memory over all requests; lives as long as the process. */
export class BytesInFlight {
  /** A reload may change it. */
  max: number;
  private bytes = 0;

  /** Nothing is in flight. */
  constructor(max: number) {
    this.max = max;
  }

  /** Whether more would be too much. */
  get isFull(): boolean {
    return this.bytes >= this.max;
  }

  /** Adds bytes, or takes them away. */
  add(bytes: number): void {
    this.bytes += bytes;
  }
}

/**
 * `POST /api/v2/alerts`: passes alerts on to every Alertmanager, with the annotations that are known. The
 * answer is that of the Alertmanagers; nothing is kept for later, for the sender re-sends.
 */
export function postAlerts(options: PostAlertsOptions): RequestHandler {
  return async (request, response) => {
    const { flights, counters } = options;
    if (flights.isFull) {
      counters.proxyPosted("refused");
      response.setHeader("Connection", "close");
      answer(response, {
        status: 503,
        ...text("too many alerts are on their way; send them again\n"),
      });
      return;
    }
    let kept = 0;
    const keep = (bytes: number) => {
      kept += bytes;
      flights.add(bytes);
    };
    try {
      answer(response, await forward(options, request, keep));
    } finally {
      flights.add(-kept);
    }
  };
}

function text(body: string): Omit<SenderAnswer, "status"> {
  return { contentType: "text/plain; charset=utf-8", body };
}

function answer(response: Response, { status, contentType, body }: SenderAnswer): void {
  response.status(status);
  if (contentType !== "") response.setHeader("Content-Type", contentType);
  response.end(body);
}

async function forward(
  options: PostAlertsOptions,
  request: Request,
  keep: (bytes: number) => void,
): Promise<SenderAnswer> {
  const headers = forwardedHeaders(request, options.forwardHeaders);
  const received = await receive(options, request, keep);
  if (received === undefined) return { status: 400, ...text("the body could not be read\n") };
  if (received.whole === undefined) {
    options.counters.proxyPosted("passed_through");
    return settleAnswers(await options.fanOut.stream(received.rest, headers));
  }
  const posted = options.isOn || options.mask ? readPosted(options, received.whole) : undefined;
  if (posted === undefined) {
    options.counters.proxyPosted("passed_through");
    return settleAnswers(await options.fanOut.post(received.whole, headers));
  }
  await explain(options, request, posted);
  return settleAnswers(await send(options, { body: received.whole, posted, headers, keep }));
}

function readPosted(
  { prefix, clock, mask }: PostAlertsOptions,
  body: Uint8Array,
): readonly PostedAlert[] | undefined {
  const posted = readAlerts(body, prefix, clock);
  if (mask === undefined) return posted;
  return posted?.map(({ raw, alert }) => ({
    raw,
    alert: alert && { ...alert, annotations: mask(alert.annotations) },
  }));
}

async function receive(
  { bodyBytesMax, logger }: PostAlertsOptions,
  request: IncomingMessage,
  keep: (bytes: number) => void,
) {
  try {
    return await receiveBody(request, bodyBytesMax, keep);
  } catch (error) {
    logger.warn({ error }, "posted alerts could not be read");
    return undefined;
  }
}

/** Lets the alerts be looked at; those that are new may hold the post back for a moment. */
async function explain(
  options: PostAlertsOptions,
  request: Request,
  posted: readonly PostedAlert[],
): Promise<void> {
  const { desk, counters, tenantHeader } = options;
  const alerts = posted.flatMap(({ alert }) => (alert === undefined ? [] : [alert]));
  for (const { status } of alerts) counters.alertReceived("proxy", status);
  const tenant = tenantHeader === undefined ? "" : (request.get(tenantHeader) ?? "");
  const pending = (await desk.look(alerts, tenant)).filter((each) => each !== undefined);
  if (pending.length > 0) await hold(options, request, pending);
}

/** Waits for explanations, where this sender may be held at all. */
async function hold(
  { desk, holdMs, holds, counters }: PostAlertsOptions,
  request: Request,
  pending: readonly Promise<void>[],
): Promise<void> {
  if (holdMs === 0 || !desk.mayHold()) return;
  const end = holds.begin(request.socket.remoteAddress ?? "");
  if (end === undefined) return;
  const timer = new AbortController();
  const expired = sleep(holdMs, "expired" as const, { signal: timer.signal }).catch(() => "done");
  const settled = await Promise.race([Promise.all(pending).then(() => "done"), expired]);
  timer.abort();
  const result = settled === "expired" ? "expired" : "done";
  end(result);
  counters.proxyHeld(result);
}

async function send(
  { desk, fanOut, pusher, counters }: PostAlertsOptions,
  post: {
    readonly body: Uint8Array;
    readonly posted: readonly PostedAlert[];
    readonly headers: OutgoingHttpHeaders;
    readonly keep: (bytes: number) => void;
  },
): Promise<readonly UpstreamAnswer[]> {
  const { posted, headers } = post;
  await pusher.enter(posted, headers);
  const written = writeAlerts(post.body, posted, (alert) => desk.annotationsOf(alert));
  if (written.body !== post.body) post.keep(written.body.length);
  try {
    counters.proxyPosted("annotated");
    return await fanOut.post(written.body, headers);
  } finally {
    pusher.leave(posted, written.annotated);
  }
}

function forwardedHeaders(request: Request, names: readonly string[]): OutgoingHttpHeaders {
  const found = names.map((name) => [name, request.headers[name]] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}
