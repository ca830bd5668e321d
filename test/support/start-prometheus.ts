import { startProgram, type RunningProgram } from "./start-program.ts";

/** What to start; find the binary with `requireBinary(context, "prometheus")`. */
export interface PrometheusOptions {
  readonly binary: string;
  /** Text of its `prometheus.yml`; rule files are named relative to it. */
  readonly config: string;
  /** Further files beside it, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** Further flags. */
  readonly args?: readonly string[];
}

/** Starts a real Prometheus on loopback with an empty data folder and `/-/reload` switched on. */
export function startPrometheus(options: PrometheusOptions): Promise<RunningProgram> {
  return startProgram({
    binary: options.binary,
    files: { ...options.files, "prometheus.yml": options.config },
    args: (port, folder) => [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
      "--web.enable-lifecycle",
      ...(options.args ?? []),
    ],
    readyPath: "/-/ready",
  });
}
