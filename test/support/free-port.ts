import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";

/**
 * A TCP port of 127.0.0.1 that nobody listens on at this moment. Another program may take it before
 * it is used: prefer port 0 for servers of our own, and try again where a foreign one cannot bind.
 */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
