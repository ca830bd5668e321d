import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
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

/** Answer to the n-th request, counted from 0; a body only where one is given. */
export type Answer = (index: number) => { readonly status: number; readonly body?: string };

/** Starts the server on a free port of loopback; without an `answer` it says 200 to everything. */
export async function startReceiver(answer: Answer = () => ({ status: 200 })): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method = "", url = "", headers } = request;
      const { status, body: answerBody = "" } = answer(requests.length);
      requests.push({ method, url, headers, body });
      response.writeHead(status, { "content-type": "text/plain; version=0.0.4; charset=utf-8" });
      response.end(answerBody);
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
