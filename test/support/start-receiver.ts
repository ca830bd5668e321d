import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { eventually } from "./eventually.ts";

/** One request as it came. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path with its query string. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A small web server that writes down what it is sent. */
export interface Receiver {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string;
  /** In the order of arrival. */
  readonly requests: readonly ReceivedRequest[];
  /** Waits until a request fits, and gives the first that does. */
  readonly waitFor: (
    fits: (request: ReceivedRequest) => boolean,
    what: string,
  ) => Promise<ReceivedRequest>;
  readonly stop: () => Promise<void>;
}

/** What a request gets; a body only where one is given. */
export interface AnswerGiven {
  /** `undefined`: the connection is closed without an answer. */
  readonly status: number | undefined;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** How long it is waited for. */
  readonly afterMs?: number;
}

/** Answer to the n-th request, counted from 0. */
export type Answer = (index: number, request: ReceivedRequest) => AnswerGiven;

function give(response: ServerResponse, { status, body = "", headers }: AnswerGiven): void {
  if (status === undefined) {
    response.destroy();
    return;
  }
  response.writeHead(status, {
    "content-type": "text/plain; version=0.0.4; charset=utf-8",
    ...headers,
  });
  response.end(body);
}

/** Starts the server on a free port of loopback; without an `answer` it says 200 to everything. */
export async function startReceiver(answer: Answer = () => ({ status: 200 })): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method = "", url = "", headers } = request;
      const received = { method, url, headers, body };
      const given = answer(requests.length, received);
      requests.push(received);
      setTimeout(() => {
        give(response, given);
      }, given.afterMs ?? 0);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    waitFor: (fits, what) => eventually(() => requests.find(fits), { what }),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
