import type { Config } from "../config/config.ts";
import type { TlsOptions } from "../retrieve/loki-client.ts";

/** TLS of a client, with its secrets revealed. */
export function tlsOf({
  ca,
  cert,
  key,
  serverName,
  insecureSkipVerify,
}: Config["loki"]["tls"]): TlsOptions {
  return {
    ...(ca && { ca: ca.reveal() }),
    ...(cert && { cert: cert.reveal() }),
    ...(key && { key: key.reveal() }),
    ...(serverName !== undefined && { serverName }),
    insecureSkipVerify,
  };
}
