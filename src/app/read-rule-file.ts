import type { ConfigFault } from "../config/config-fault.ts";
import { FileReadError, readTextFile } from "../config/read-text-file.ts";
import { readYamlDocument } from "../config/yaml-document.ts";

const RULES_BYTES_MAX = 2 ** 20;

/** What a file of rules holds, with every fault of it. */
export interface RuleFile<T> {
  /** `undefined` when the file cannot be read as YAML. */
  readonly content: T | undefined;
  readonly faults: readonly ConfigFault[];
  /** Says where in the file something stands. */
  readonly place: (at: { readonly path: string; readonly message: string }) => ConfigFault;
}

/** Reads a YAML file of rules and places the faults that `read` finds. Never throws on what it reads. */
export function readRuleFile<
  T extends { readonly faults: readonly { path: string; message: string }[] },
>(file: string, read: (tree: unknown) => T): RuleFile<T> {
  try {
    const document = readYamlDocument(file, readTextFile(file, RULES_BYTES_MAX));
    const place: RuleFile<T>["place"] = ({ path, message }) => {
      return { file, line: document.lineOf(path), path, message };
    };
    if (document.faults.length > 0) return { content: undefined, faults: document.faults, place };
    const content = read(document.tree);
    return { content, faults: content.faults.map(place), place };
  } catch (error) {
    if (!(error instanceof FileReadError)) throw error;
    const fault = { file, line: undefined, path: "", message: error.message };
    return {
      content: undefined,
      faults: [fault],
      place: (at) => ({ file, line: undefined, ...at }),
    };
  }
}
