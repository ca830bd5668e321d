import { Option } from "commander";
import { renderFault } from "../config/config-fault.ts";
import type { ConfigFault } from "../config/config-fault.ts";
import type { ConfigSources } from "../config/load-config.ts";

/** Values of flags as commander hands them over: `--web.listen-address` is `web.listenAddress`. */
export type FlagValues = Readonly<Record<string, unknown>>;

/** Names the configuration file. */
export const configFileFlag = new Option(
  "--config.file <path>",
  "configuration file (YAML); without it the defaults hold",
);
/** Names records to look at in place of the configured ones. */
export const recordsFlag = new Option(
  "--records <path>",
  "file or folder of records; repeatable, and replaces every other source",
).argParser((path: string, paths: readonly string[] | undefined) => [...(paths ?? []), path]);
/** Overrides `log.level`. */
export const logLevelFlag = new Option(
  "--log.level <level>",
  "least severe level that is logged: debug, info, warn, error",
);
/** Overrides `log.format`. */
export const logFormatFlag = new Option("--log.format <format>", "logfmt or json");

/**
 * Where the configuration comes from: the file, the environment, and those flags that stand for keys
 * of the file, given as flag without its dashes to key path.
 */
export function configSourcesOf(
  values: FlagValues,
  keyPaths: Readonly<Record<string, string>>,
): ConfigSources {
  const file = values["config.file"];
  const flags = Object.entries(keyPaths).flatMap(([flag, keyPath]) => {
    const value = values[flag.replace(/-(\w)/gu, (_, letter: string) => letter.toUpperCase())];
    return typeof value === "string" ? [[keyPath, value] as const] : [];
  });
  return {
    file: typeof file === "string" ? file : undefined,
    flags: Object.fromEntries(flags),
    env: process.env,
  };
}

/** Tells every fault on standard error; the program then ends with status 1. */
export function reportFaults(faults: readonly ConfigFault[]): void {
  for (const fault of faults) console.error(renderFault(fault));
  process.exitCode = 1;
}
