import type { Config } from "./config.ts";
import type { ConfigFault } from "./config-fault.ts";

/** Where a configuration comes from. */
export interface ConfigSources {
  /** Path of the YAML file; `undefined`: defaults and flags alone. */
  readonly file: string | undefined;
  /**
   * Values given on the command line, by key path (`web.listen_address`). They win over the file.
   */
  readonly flags: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A configuration without a fault, or every fault found. */
export type ConfigOutcome =
  | { readonly config: Config; readonly faults: readonly [] }
  | { readonly config: undefined; readonly faults: readonly ConfigFault[] };

/** Reads the configuration and the secrets it names. Never throws on what it reads. */
export declare function loadConfig(sources: ConfigSources): ConfigOutcome;
