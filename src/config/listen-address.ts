/** Where a server listens. */
export interface ListenAddress {
  /** Host name or IP address without brackets; `undefined` for all interfaces. */
  readonly host: string | undefined;
  /** 0 lets the system choose a free port. */
  readonly port: number;
}

const LISTEN_ADDRESS = /^(?:\[([0-9a-fA-F:.]+(?:%[\w.-]+)?)\]|([^\s:[\]/]*)):(\d{1,5})$/u;

/**
 * Reads `host:port` as Prometheus's `--web.listen-address` takes it: `:9845`, `127.0.0.1:9845`,
 * `[::1]:9845`.
 *
 * @returns `undefined` when the text is no such address.
 */
export function parseListenAddress(text: string): ListenAddress | undefined {
  const groups = LISTEN_ADDRESS.exec(text);
  if (groups === null) return undefined;
  const port = Number(groups[3]);
  if (port > 65_535) return undefined;
  const host = groups[1] ?? groups[2];
  return { host: host === "" ? undefined : host, port };
}
