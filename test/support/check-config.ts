import path from "node:path";
import { renderFault } from "../../src/config/config-fault.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import type { ConfigOutcome } from "../../src/config/load-config.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

/** What lies around a configuration that a test loads. */
export interface Surroundings {
  readonly env?: Readonly<Record<string, string>>;
  readonly flags?: Readonly<Record<string, string>>;
  /** Files beside the configuration, by relative name. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Loads a configuration from a folder that is removed when the test ends. */
export function loadYaml(
  yaml: string,
  { env = {}, flags = {}, files = {} }: Surroundings = {},
): ConfigOutcome & { readonly folder: string } {
  const folder = createTemporaryFolder({ ...files, "alertlore.yaml": yaml });
  return { ...loadConfig({ file: path.join(folder, "alertlore.yaml"), flags, env }), folder };
}

/** The faults as they are printed, without the folder. */
export function faultsOf(yaml: string, surroundings: Surroundings = {}): readonly string[] {
  const { faults, folder } = loadYaml(yaml, surroundings);
  return faults.map((fault) => renderFault(fault).replaceAll(`${folder}/`, ""));
}
