import { startProgram, type RunningProgram } from "./start-program.ts";

/** What to start; find the binary with `requireBinary(context, "alertmanager")`. */
export interface AlertmanagerOptions {
  readonly binary: string;
  /** Text of its `alertmanager.yml`. */
  readonly config: string;
  /** Makes it one of several peers; outside any cluster by default. */
  readonly cluster?: {
    readonly port: number;
    /** Port of a peer that is there already. */
    readonly peerPort?: number;
    /** Wait of the second peer for the first. */
    readonly peerTimeout: string;
  };
}

/** Starts a real Alertmanager on loopback with an empty data folder. */
export function startAlertmanager(options: AlertmanagerOptions): Promise<RunningProgram> {
  return startProgram({
    binary: options.binary,
    files: { "alertmanager.yml": options.config },
    args: (port, folder) => [
      `--config.file=${folder}/alertmanager.yml`,
      `--storage.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
      ...clusterArgs(options.cluster),
    ],
    readyPath: "/-/ready",
  });
}

function clusterArgs(cluster: AlertmanagerOptions["cluster"]): readonly string[] {
  if (cluster === undefined) return ["--cluster.listen-address="];
  const { port, peerPort, peerTimeout } = cluster;
  return [
    `--cluster.listen-address=127.0.0.1:${port}`,
    `--cluster.advertise-address=127.0.0.1:${port}`,
    `--cluster.peer-timeout=${peerTimeout}`,
    "--cluster.settle-timeout=1s",
    ...(peerPort === undefined ? [] : [`--cluster.peer=127.0.0.1:${peerPort}`]),
  ];
}
