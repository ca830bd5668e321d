import type { Server } from "node:http";

/** Less than the 30 s after which Kubernetes kills a pod. */
const DRAIN_MS = 20_000;

/**
 * Closes a server: no new connection, idle ones closed at once, requests in flight finished for at
 * most 20 s.
 */
export function drain(server: Server, drainMs: number = DRAIN_MS): Promise<void> {
  if (!server.listening) return Promise.resolve();
  return new Promise((resolve) => {
    const giveUp = setTimeout(() => {
      server.closeAllConnections();
    }, drainMs);
    server.close(() => {
      clearTimeout(giveUp);
      resolve();
    });
    server.closeIdleConnections();
  });
}
