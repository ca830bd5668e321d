import path from "node:path";
import type { ZodError } from "zod";
import { configSchema, configTable } from "./config.ts";
import type { Config } from "./config.ts";
import type { ConfigFault } from "./config-fault.ts";
import { expandEnvironment } from "./expand-environment.ts";
import type { Environment } from "./expand-environment.ts";
import { renderKeyPath } from "./key-path.ts";
import type { KeyPath } from "./key-path.ts";
import { readSecretFiles } from "./read-secret-files.ts";
import type { SecretFiles } from "./read-secret-files.ts";
import { FileReadError, readTextFile } from "./read-text-file.ts";
import { secretKeysOf } from "./setting.ts";
import { settingsInForce } from "./settings-in-force.ts";
import type { SettingInForce } from "./settings-in-force.ts";
import { readYamlDocument } from "./yaml-document.ts";
import type { TextMapper, YamlDocument } from "./yaml-document.ts";

/** Where a configuration comes from. */
export interface ConfigSources {
  /** Path of the YAML file; `undefined`: defaults and flags alone. */
  readonly file: string | undefined;
  /**
   * Values given on the command line, by key path (`web.listen_address`). They win over the file, and
   * their faults name the flag (`--web.listen-address`).
   */
  readonly flags: Readonly<Record<string, string>>;
  readonly env: Environment;
}

/** A configuration without a fault. */
export interface LoadedConfig {
  readonly config: Config;
  /** The same as an operator wrote it, without secrets. */
  readonly settings: readonly SettingInForce[];
}

/** A configuration without a fault, or every fault found. */
export type ConfigOutcome =
  | (LoadedConfig & { readonly faults: readonly [] })
  | {
      readonly config: undefined;
      readonly faults: readonly ConfigFault[];
      readonly soundSections: SoundSections;
    };

/** Sections without a fault of a configuration that has faults elsewhere: a check goes on with them. */
export interface SoundSections {
  readonly records: Config["records"] | undefined;
  readonly rules: Config["rules"] | undefined;
}

const CONFIG_BYTES_MAX = 2 ** 20;
const SECRET_KEYS = secretKeysOf(configTable);

/** Reads the configuration and the secrets it names. Never throws on what it reads. */
export function loadConfig(sources: ConfigSources): ConfigOutcome {
  const document = readDocument(sources);
  if (document.tree === undefined) {
    const soundSections = { records: undefined, rules: undefined };
    return { config: undefined, faults: document.faults, soundSections };
  }
  const folder = path.resolve(sources.file === undefined ? "." : path.dirname(sources.file));
  const secrets = readSecretFiles(document.tree, SECRET_KEYS, folder);
  const tree = withFlags(document.tree, sources.flags);
  const places: Places = { sources, document, secrets };
  const checked = configSchema.safeParse(tree);
  const faults = [
    ...document.faults,
    ...secrets.faults.map((fault) => placeFault(fault.path, fault.message, places)),
    ...(checked.success ? [] : issuesOf(checked.error, places)),
  ];
  if (!checked.success || faults.length > 0) {
    return { config: undefined, faults: inOrder(faults), soundSections: readSound(tree, folder) };
  }
  const { records, rules } = checked.data;
  const config = {
    ...checked.data,
    records: withAbsolutePaths(records, folder),
    rules: withAbsoluteTables(rules, folder),
  };
  return { config, settings: settingsInForce(configTable, readWritten(sources)), faults: [] };
}

/** The tree as it was written: names of variables and files in place of what they hold. */
function readWritten(sources: ConfigSources): unknown {
  return withFlags(readDocument(sources, (text) => text).tree, sources.flags);
}

function readDocument({ file, env }: ConfigSources, mapText?: TextMapper): YamlDocument {
  const empty = { tree: {}, faults: [], lineOf: () => undefined };
  if (file === undefined) return empty;
  try {
    const source = readTextFile(file, CONFIG_BYTES_MAX);
    const expand: TextMapper = (text, report) => expandEnvironment(text, env, report);
    const document = readYamlDocument(file, source, mapText ?? expand);
    // A file without any key is a file that leaves everything as it is.
    return document.tree === null ? empty : document;
  } catch (error) {
    if (!(error instanceof FileReadError)) throw error;
    const fault = { file, line: undefined, path: "", message: error.message };
    return { ...empty, tree: undefined, faults: [fault] };
  }
}

function withFlags(tree: unknown, flags: ConfigSources["flags"]): unknown {
  for (const [keyPath, value] of Object.entries(flags)) {
    const keys = keyPath.split(".");
    const last = keys.pop();
    let mapping = tree;
    for (const key of keys) mapping = mappingUnder(mapping, key);
    if (isMapping(mapping) && last !== undefined) mapping[last] = value;
  }
  return tree;
}

function mappingUnder(parent: unknown, key: string): unknown {
  if (!isMapping(parent)) return undefined;
  parent[key] ??= {};
  return parent[key];
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

interface Places {
  readonly sources: ConfigSources;
  readonly document: YamlDocument;
  readonly secrets: SecretFiles;
}

function issuesOf(error: ZodError, places: Places): readonly ConfigFault[] {
  // A variable that is not set or a file that cannot be read is a fault already; that the value is
  // then none is the same fault again.
  const faulty = new Set([
    ...places.document.faults.map(({ path: at }) => at),
    ...places.secrets.unread,
  ]);
  return error.issues
    .filter(({ path: at }) => !faulty.has(renderKeyPath(at)))
    .map(({ path: at, message }) => placeFault(at, message, places));
}

function placeFault(at: KeyPath, message: string, places: Places): ConfigFault {
  const { sources, document, secrets } = places;
  const rendered = renderKeyPath(at);
  if (Object.hasOwn(sources.flags, rendered)) {
    const flag = `--${rendered.replaceAll("_", "-")}`;
    return { file: flag, line: undefined, path: "", message };
  }
  // The name of the file is what stands in the configuration, not its content.
  const written = secrets.fromFile.has(rendered) ? `${rendered}_file` : rendered;
  const file = sources.file ?? "configuration";
  return { file, line: document.lineOf(written), path: written, message };
}

function inOrder(faults: readonly ConfigFault[]): readonly ConfigFault[] {
  return faults.toSorted((left, right) => (left.line ?? 0) - (right.line ?? 0));
}

function readSound(tree: unknown, folder: string): SoundSections {
  if (!isMapping(tree)) return { records: undefined, rules: undefined };
  const records = configTable.records.schema.safeParse(tree["records"]).data;
  const rules = configTable.rules.schema.safeParse(tree["rules"]).data;
  return {
    records: records && withAbsolutePaths(records, folder),
    rules: rules && withAbsoluteTables(rules, folder),
  };
}

// Names in the file are relative to its folder, so that it means the same wherever it is started.

function withAbsolutePaths(records: Config["records"], folder: string): Config["records"] {
  const absolute = (name: string): string => path.resolve(folder, name);
  const { http } = records;
  return {
    ...records,
    sources: records.sources.map((source) =>
      source.path === undefined ? source : { ...source, path: absolute(source.path) },
    ),
    overlays: records.overlays.map(absolute),
    cachePath: records.cachePath === undefined ? undefined : absolute(records.cachePath),
    http: { ...http, caPath: http.caPath === undefined ? undefined : absolute(http.caPath) },
  };
}

function withAbsoluteTables(rules: Config["rules"], folder: string): Config["rules"] {
  const absolute = (name: string | undefined): string | undefined =>
    name === undefined ? undefined : path.resolve(folder, name);
  return {
    retryPath: absolute(rules.retryPath),
    mutePath: absolute(rules.mutePath),
    scopesPath: absolute(rules.scopesPath),
  };
}
