import { once } from "node:events";
import { createServer, request } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A proxy as companies have it; it takes every name for this machine. */
export interface HttpProxy {
  readonly port: number;
  /** What it was asked, as `GET http://…` or `CONNECT name:port`. */
  readonly asked: string[];
  /** Every byte that clients sent through tunnels, as Latin-1. */
  readonly tunnelled: () => string;
}

/** Starts it on loopback; it ends with the test. Asks for these credentials where they are given. */
export async function startHttpProxy(credentials?: string): Promise<HttpProxy> {
  const asked: string[] = [];
  const chunks: Buffer[] = [];
  const sockets = new Set<Socket>();
  const wanted = credentials && `Basic ${Buffer.from(credentials).toString("base64")}`;
  const isKnown = ({ headers }: IncomingMessage) =>
    wanted === undefined || headers["proxy-authorization"] === wanted;
  const server = createServer((near, answer) => {
    asked.push(`${near.method ?? ""} ${near.url ?? ""}`);
    if (isKnown(near)) forward(near, answer);
    else answer.writeHead(407).end();
  });
  server.on("connect", (near: IncomingMessage, socket: Socket) => {
    asked.push(`CONNECT ${near.url ?? ""}`);
    if (!isKnown(near)) {
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      return;
    }
    const far = connect(portOf(near.url ?? ""), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      socket.on("data", (chunk: Buffer) => chunks.push(chunk));
      socket.pipe(far).pipe(socket);
    });
    far.on("error", () => socket.destroy());
    socket.on("error", () => far.destroy());
    sockets.add(socket).add(far);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
    for (const socket of sockets) socket.destroy();
  });
  const { port } = server.address() as AddressInfo;
  return { port, asked, tunnelled: () => Buffer.concat(chunks).toString("latin1") };
}

function portOf(authority: string): number {
  return Number(/:(\d+)$/u.exec(authority)?.[1]);
}

/** Passes a request in absolute form on, as RFC 9112 wants it. */
function forward(near: IncomingMessage, answer: ServerResponse): void {
  const { host, port, pathname } = new URL(near.url ?? "");
  const headers = { ...near.headers, host };
  const far = request({ host: "127.0.0.1", port, path: pathname, headers }, (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(answer);
  });
  far.on("error", () => answer.writeHead(502).end());
  near.pipe(far);
}
