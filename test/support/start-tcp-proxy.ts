import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";

/** A way to a server that can be cut without either side being told. */
export interface TcpProxy {
  readonly port: number;
  /** From now on nothing passes, and new connections get no answer. */
  readonly cut: () => void;
  /** Ends the connections that were cut and lets new ones through. */
  readonly mend: () => void;
  readonly stop: () => Promise<void>;
}

/** Starts it before a port of loopback. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    const far = connect(targetPort, "127.0.0.1");
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
      from.on("data", (chunk) => {
        if (!isCut) to.write(chunk);
      });
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      isCut = true;
    },
    mend: () => {
      endAll();
      isCut = false;
    },
    stop: async () => {
      server.close();
      endAll();
      await once(server, "close");
    },
  };
}
