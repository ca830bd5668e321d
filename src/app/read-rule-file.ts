import type { ConfigFault } from "../config/config-fault.ts";
import { FileReadError, readTextFile } from "../config/read-text-file.ts";
import { readYamlDocument } from "../config/yaml-document.ts";

const RULES_BYTES_MAX = 2 ** 20;

/** What a file of rules holds, with every fault of it. */
export interface RuleFile<T> {
  /** `undefined` when the file cannot be read as YAML. */
  readonly content: T | undefined;
  readonly faults: readonly ConfigFault[];
}

/** Reads a YAML file of rules and places the faults that `read` finds. Never throws on what it reads. */
export function readRuleFile<
  T extends { readonly faults: readonly { path: string; message: string }[] },
>(file: string, read: (tree: unknown) => T): RuleFile<T> {
  try {
    const document = readYamlDocument(file, readTextFile(file, RULES_BYTES_MAX));
    if (document.faults.length > 0) return { content: undefined, faults: document.faults };
    const content = read(document.tree);
    const faults = content.faults.map(({ path, message }) => {
      return { file, line: document.lineOf(path), path, message };
    });
    return { content, faults };
  } catch (error) {
    if (!(error instanceof FileReadError)) throw error;
    const fault = { file, line: undefined, path: "", message: error.message };
    return { content: undefined, faults: [fault] };
  }
}
