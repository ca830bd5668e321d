import { Command } from "commander";
import { createService } from "../app/serve.ts";
import type { Service } from "../app/serve.ts";
import {
  configFileFlag,
  configSourcesOf,
  logFormatFlag,
  logLevelFlag,
  reportFaults,
} from "./common-flags.ts";
import type { FlagValues } from "./common-flags.ts";

const KEY_PATHS = {
  "web.listen-address": "web.listen_address",
  "web.external-url": "web.external_url",
  "log.level": "log.level",
  "log.format": "log.format",
};

/** `alertlore serve`: takes alerts until SIGTERM or SIGINT; SIGHUP reloads. */
export function createServeCommand(): Command {
  return new Command("serve")
    .description("take alerts over HTTP, explain them and hand them on")
    .addOption(configFileFlag)
    .option("--web.listen-address <address>", "where to listen (default: :9845)")
    .option("--web.external-url <url>", "base of all links to Alertlore")
    .addOption(logLevelFlag)
    .addOption(logFormatFlag)
    .action(serve);
}

async function serve(values: FlagValues): Promise<void> {
  const { service, faults } = await createService({
    sources: configSourcesOf(values, KEY_PATHS),
    writeLog: (line) => process.stderr.write(line),
  });
  if (service === undefined) {
    reportFaults(faults);
    return;
  }
  try {
    await service.listen();
  } catch (error) {
    console.error(`cannot listen: ${error instanceof Error ? error.message : "unknown"}`);
    process.exitCode = 1;
    return;
  }
  followSignals(service);
}

function followSignals(service: Service): void {
  process.on("SIGHUP", () => void service.reload());
  const stop = () => {
    // A second signal ends the program at once, as it would without a handler.
    process.off("SIGTERM", stop).off("SIGINT", stop);
    void service.close().then(() => {
      // Connections to destinations that are kept alive must not hold the program.
      process.exit(0);
    });
  };
  process.on("SIGTERM", stop).on("SIGINT", stop);
}
