import { startProgram, type RunningProgram } from "./start-program.ts";

/** What to start; find the binary with `requireBinary(context, "alertmanager")`. */
export interface AlertmanagerOptions {
  readonly binary: string;
  /** Text of its `alertmanager.yml`. */
  readonly config: string;
}

/** Starts a real Alertmanager on loopback, outside any cluster, with an empty data folder. */
export function startAlertmanager(options: AlertmanagerOptions): Promise<RunningProgram> {
  return startProgram({
    binary: options.binary,
    files: { "alertmanager.yml": options.config },
    args: (port, folder) => [
      `--config.file=${folder}/alertmanager.yml`,
      `--storage.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
      "--cluster.listen-address=",
    ],
    readyPath: "/-/ready",
  });
}
