import type { ConfigFault } from "../config/config-fault.ts";
import type { RetryRules } from "../recommend/retry-rules.ts";
import { validateRetryRules } from "../recommend/validate-retry-rules.ts";
import { readRuleFile } from "./read-rule-file.ts";

/** The retry table, or every fault that keeps it from being used. */
export type RetryRulesOutcome =
  | { readonly rules: RetryRules; readonly faults: readonly [] }
  | { readonly rules: undefined; readonly faults: readonly ConfigFault[] };

/** Reads and checks a file of retry rules. Never throws on what it reads. */
export function loadRetryRules(file: string): RetryRulesOutcome {
  const { content, faults } = readRuleFile(file, validateRetryRules);
  if (content?.rules === undefined) return { rules: undefined, faults };
  return { rules: content.rules, faults: [] };
}
