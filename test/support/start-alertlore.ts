import { buildRecord } from "./build-record.ts";
import { SOURCE_PROGRAM } from "./source-program.ts";
import { startProgram } from "./start-program.ts";
import type { RunningProgram } from "./start-program.ts";

/** Starts the program from its sources, with one curated record that `KNOWN_LINE` shows. */
export function startAlertlore(config: Readonly<Record<string, unknown>>): Promise<RunningProgram> {
  const records = { starter: false, sources: [{ path: "records.json", curated: true }] };
  return startProgram({
    binary: process.execPath,
    files: {
      "alertlore.yaml": JSON.stringify({ store: "memory", records, ...config }),
      "records.json": JSON.stringify([buildRecord(1).record]),
    },
    args: (port, folder) => [
      ...SOURCE_PROGRAM.args,
      "serve",
      `--config.file=${folder}/alertlore.yaml`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    env: SOURCE_PROGRAM.env,
    readyPath: "/-/ready",
    readyLimitMs: 60_000,
  });
}
