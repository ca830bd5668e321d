import type { ConfigFault } from "../config/config-fault.ts";
import { FileReadError, readTextFile } from "../config/read-text-file.ts";
import { readYamlDocument } from "../config/yaml-document.ts";
import type { RetryRules } from "../recommend/retry-rules.ts";
import { validateRetryRules } from "../recommend/validate-retry-rules.ts";

const RULES_BYTES_MAX = 2 ** 20;

/** The retry table, or every fault that keeps it from being used. */
export type RetryRulesOutcome =
  | { readonly rules: RetryRules; readonly faults: readonly [] }
  | { readonly rules: undefined; readonly faults: readonly ConfigFault[] };

/** Reads and checks a file of retry rules. Never throws on what it reads. */
export function loadRetryRules(file: string): RetryRulesOutcome {
  try {
    const document = readYamlDocument(file, readTextFile(file, RULES_BYTES_MAX));
    if (document.faults.length > 0) return { rules: undefined, faults: document.faults };
    const check = validateRetryRules(document.tree);
    if (check.rules !== undefined) return check;
    const faults = check.faults.map(({ path, message }) => {
      return { file, line: document.lineOf(path), path, message };
    });
    return { rules: undefined, faults };
  } catch (error) {
    if (!(error instanceof FileReadError)) throw error;
    return {
      rules: undefined,
      faults: [{ file, line: undefined, path: "", message: error.message }],
    };
  }
}
