import { createServer } from "node:http";
import type { RequestListener, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ListenAddress } from "../config/listen-address.ts";
import { drain } from "./drain.ts";

/** The HTTP server of a service: one listener for as long as the process lives. */
export interface Listening {
  /** Answers requests without a port too. */
  readonly app: RequestListener;
  /** Starts listening. */
  readonly listen: (address: ListenAddress) => Promise<AddressInfo>;
  /** Takes no new connection and finishes the requests in flight for a bounded time. */
  readonly close: () => Promise<void>;
}

// Alertmanager keeps idle connections for 5 minutes: whoever closes first risks a lost request.
const KEEP_ALIVE_MS = 310_000;

/** Creates the server. `current` gives what answers at this moment. */
export function createListening(current: () => RequestListener): Listening {
  const inFlight = new Set<ServerResponse>();
  let isStopping = false;
  const app: RequestListener = (request, response) => {
    inFlight.add(response);
    response.once("close", () => inFlight.delete(response));
    if (isStopping) endConnectionAfter(response);
    current()(request, response);
  };
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, app);
  return {
    app,
    listen: (address) => startListening(server, address),
    async close() {
      isStopping = true;
      for (const response of inFlight) endConnectionAfter(response);
      await drain(server);
    },
  };
}

// A sender that keeps the connection would keep the server from closing.
function endConnectionAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("Connection", "close");
}

function startListening(server: Server, { host, port }: ListenAddress): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      const address = server.address();
      if (typeof address === "object" && address !== null) resolve(address);
    });
  });
}
