import type { ClientRequest, OutgoingHttpHeaders } from "node:http";
import { once } from "node:events";
import type { Clock, Counters, Logger, UpstreamAnswer } from "../enrich/ports.ts";
import type { UpstreamClient } from "./upstream-client.ts";

/** Keeps posts from an Alertmanager that does not answer. */
export interface UpstreamBreaker {
  allows(nowMs: number): boolean;
  enter(nowMs: number): boolean;
  succeed(): void;
  fail(nowMs: number, waitMs: number | undefined): void;
}

/** One Alertmanager with its breaker. */
export interface Upstream {
  readonly client: UpstreamClient;
  readonly breaker: UpstreamBreaker;
}

/** What sending needs of the rest. */
export interface FanOutParts {
  readonly clock: Clock;
  readonly counters: Counters;
  readonly logger: Logger;
}

/** Posts to every Alertmanager at once. */
export class FanOut {
  readonly upstreams: readonly Upstream[];
  private readonly parts: FanOutParts;

  /** Keeps the order of the configuration. */
  constructor(upstreams: readonly Upstream[], parts: FanOutParts) {
    this.upstreams = upstreams;
    this.parts = parts;
  }

  /** Posts a whole body; one answer for each Alertmanager, in order. Never rejects. */
  post(body: Uint8Array, headers: OutgoingHttpHeaders): Promise<readonly UpstreamAnswer[]> {
    return this.each((client) => client.post(body, headers));
  }

  /** Posts a body while it still comes in. An Alertmanager that is slow to take it is waited for until its time is up. */
  stream(
    chunks: AsyncIterable<Uint8Array>,
    headers: OutgoingHttpHeaders,
  ): Promise<readonly UpstreamAnswer[]> {
    const open: ClientRequest[] = [];
    const answers = this.each((client) => {
      const request = client.openPost(headers);
      open.push(request);
      return client.answerOf(request);
    });
    void copyTo(chunks, open);
    return answers;
  }

  private each(
    send: (client: UpstreamClient) => Promise<UpstreamAnswer>,
  ): Promise<readonly UpstreamAnswer[]> {
    const nowMs = this.parts.clock.nowMs();
    const allowed = this.upstreams.filter(({ breaker }) => breaker.allows(nowMs));
    // When none is thought to answer, all are asked: an alert is worth a try.
    const asked = allowed.length === 0 ? this.upstreams : allowed;
    return Promise.all(
      this.upstreams.map((upstream) =>
        asked.includes(upstream) ? this.ask(upstream, send) : Promise.resolve(notAsked(upstream)),
      ),
    );
  }

  private async ask(
    { client, breaker }: Upstream,
    send: (client: UpstreamClient) => Promise<UpstreamAnswer>,
  ): Promise<UpstreamAnswer> {
    const { clock, counters, logger } = this.parts;
    breaker.enter(clock.nowMs());
    const startedMs = clock.elapsedMs();
    const answer = await send(client);
    const seconds = (clock.elapsedMs() - startedMs) / 1000;
    const { status } = answer;
    const result = resultOf(status);
    counters.proxyForwarded(client.name, result, seconds);
    if (result === "failure") {
      breaker.fail(clock.nowMs(), undefined);
      logger.warn({ upstream: client.name, status }, "an Alertmanager did not take alerts");
    } else breaker.succeed();
    return answer;
  }
}

function notAsked({ client }: Upstream): UpstreamAnswer {
  return { upstream: client.name, status: undefined, contentType: "", body: "" };
}

function resultOf(status: number | undefined): "success" | "refused" | "failure" {
  if (status === undefined || status >= 500) return "failure";
  return status < 300 ? "success" : "refused";
}

/** Copies what comes in to all requests, at the pace of the slowest that still takes it. */
async function copyTo(
  chunks: AsyncIterable<Uint8Array>,
  requests: readonly ClientRequest[],
): Promise<void> {
  try {
    for await (const chunk of chunks) {
      const waits = requests
        .filter((request) => !request.destroyed && !request.write(chunk))
        .map((request) => Promise.race([once(request, "drain"), once(request, "close")]));
      await Promise.allSettled(waits);
    }
    for (const request of requests) request.end();
  } catch {
    // The sender broke off: half a body must not look like a whole one.
    for (const request of requests) request.destroy();
  }
}

/** What the sender is told. */
export interface SenderAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/**
 * One answer from those of all Alertmanagers: 200 when one took the alerts; what they said when all that
 * answered refused them; else 503, so that the sender counts it.
 */
export function settleAnswers(answers: readonly UpstreamAnswer[]): SenderAnswer {
  if (answers.some(({ status }) => status !== undefined && status >= 200 && status < 300))
    return { status: 200, contentType: "", body: "" };
  const given = answers.filter(({ status }) => status !== undefined);
  const [first] = given;
  const isRefused = given.every(({ status = 0 }) => status >= 400 && status < 500);
  if (first?.status === undefined || !isRefused)
    return {
      status: 503,
      contentType: "text/plain; charset=utf-8",
      body: "no Alertmanager took the alerts\n",
    };
  const { status, contentType, body } = first;
  return { status, contentType, body };
}
