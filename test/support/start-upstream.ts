import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** An alert as an Alertmanager got it. */
export interface GotAlert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly endsAt?: string;
}

/** One post of alerts. */
export interface Got {
  readonly method: string;
  /** Path with its query string. */
  readonly url: string;
  readonly body: string;
  readonly alerts: readonly GotAlert[];
  readonly headers: IncomingHttpHeaders;
}

/** Something that takes alerts like an Alertmanager and writes them down. */
export interface FakeUpstream {
  readonly url: string;
  readonly got: Got[];
  /** What it answers from now on. */
  answer: { readonly status: number; readonly body?: string; readonly waitMs?: number };
  readonly stop: () => Promise<void>;
}

/** Starts one on a free port of loopback; it says 200 unless told otherwise. */
export async function startUpstream(): Promise<FakeUpstream> {
  const got: Got[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const { method = "", url = "" } = request;
    got.push({ method, url, body, alerts: alertsIn(body), headers: request.headers });
    const { status, body: said = "", waitMs = 0 } = upstream.answer;
    setTimeout(() => {
      response.writeHead(status, said === "" ? {} : { "content-type": "application/json" });
      response.end(said);
    }, waitMs);
  };
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const upstream: FakeUpstream = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    got,
    answer: { status: 200 },
    async stop() {
      server.closeAllConnections();
      if (!server.listening) return;
      server.close();
      await once(server, "close");
    },
  };
  onTestFinished(upstream.stop);
  return upstream;
}

function alertsIn(body: string): readonly GotAlert[] {
  try {
    return JSON.parse(body) as readonly GotAlert[];
  } catch {
    return [];
  }
}
