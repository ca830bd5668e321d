import type { ConfigFault } from "../config/config-fault.ts";
import type { Config } from "../config/config.ts";
import { UpstreamClient, responseOf } from "../proxy/upstream-client.ts";
import { agentTls } from "../retrieve/loki-client.ts";
import { authorizationOf } from "./authorization-of.ts";
import { tlsOf } from "./tls-of.ts";

const STATUS_BYTES_MAX = 2 ** 20;

/**
 * Whether silences may be written through the proxy: a silence reaches one Alertmanager, and only the peers
 * of its cluster hear of it. Asks each upstream for its peers; nothing is asked where silences are off.
 */
export async function checkUpstreams(
  { silences, upstreams }: Config["proxy"],
  file: string,
): Promise<readonly ConfigFault[]> {
  if (!silences || upstreams.length < 2) return [];
  const fault = (key: string, message: string): ConfigFault => ({
    file,
    line: undefined,
    path: `proxy.${key}`,
    message,
  });
  const answers = await Promise.all(upstreams.map((each) => peersOf(each)));
  const unclear = answers.flatMap((peers, index) =>
    typeof peers === "string" ? [fault(`upstreams[${index}]`, peers)] : [],
  );
  if (unclear.length > 0 || new Set(answers.map(clusterOf)).size === 1) return unclear;
  return [
    fault("silences", "the upstreams are not one cluster, so a silence would reach a part of them"),
  ];
}

function clusterOf(peers: readonly string[] | string): string {
  return typeof peers === "string" ? peers : peers.toSorted().join();
}

/** Names of the peers that an Alertmanager sees, itself included; a sentence when it cannot be told. */
async function peersOf(
  upstream: Config["proxy"]["upstreams"][number],
): Promise<readonly string[] | string> {
  const authorization = authorizationOf(upstream.auth);
  const client = new UpstreamClient({
    ...upstream,
    tls: agentTls(tlsOf(upstream.tls)),
    userAgent: "Alertlore",
  });
  try {
    const headers = authorization === undefined ? {} : { authorization };
    const request = client.open({ method: "GET", path: "/api/v2/status", headers });
    request.end();
    const response = await responseOf(request);
    let text = "";
    for await (const chunk of response as AsyncIterable<Buffer>) {
      text += chunk.toString("utf8");
      if (text.length > STATUS_BYTES_MAX) break;
    }
    return readPeers(JSON.parse(text));
  } catch {
    return "gave no status, so it is not known whether silences reach all upstreams";
  } finally {
    client.close();
  }
}

function readPeers(status: unknown): readonly string[] | string {
  const { cluster } = status as { cluster?: { peers?: unknown } };
  const peers = Array.isArray(cluster?.peers) ? (cluster.peers as unknown[]) : [];
  const names = peers.flatMap((peer) =>
    typeof peer === "object" && peer !== null && "name" in peer ? [String(peer.name)] : [],
  );
  return names.length === 0 ? "is in no cluster, so a silence would stay with it" : names;
}
