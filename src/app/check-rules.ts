import type { ConfigFault } from "../config/config-fault.ts";
import type { Config } from "../config/config.ts";
import { reviewRules } from "../recommend/review-rules.ts";
import { validateRetryRules } from "../recommend/validate-retry-rules.ts";
import { RETRY_RULES_PATH } from "./installation.ts";
import { loadScopes } from "./load-scopes.ts";
import { readRuleFile } from "./read-rule-file.ts";

/** What was found in the rules. */
export interface RulesReport {
  /** Also of rules that can never decide, which do not keep `serve` from using the file. */
  readonly faults: readonly ConfigFault[];
  /** Rules that share matches with earlier ones and decide otherwise: to know, not to repair. */
  readonly notes: readonly ConfigFault[];
  readonly summary: string;
}

/** Checks the retry rules, each by itself and beside the others, and the scopes. */
export function checkRules(section: Config["rules"] | undefined): RulesReport {
  if (section === undefined) return { faults: [], notes: [], summary: "rules not checked" };
  const retry = checkRetryRules(section.retryPath ?? RETRY_RULES_PATH);
  return { ...retry, faults: [...retry.faults, ...loadScopes(section.scopesPath).faults] };
}

function checkRetryRules(file: string): RulesReport {
  const { content, faults, place } = readRuleFile(file, validateRetryRules);
  if (content?.rules === undefined) return { faults, notes: [], summary: "rules" };
  const { rules } = content.rules;
  const { dead, overlaps, overlapping } = reviewRules(rules);
  const total = `${rules.length} rule${rules.length === 1 ? "" : "s"}`;
  const pairs = `${overlapping} overlapping pair${overlapping === 1 ? "" : "s"}`;
  const summary = overlapping === 0 ? total : `${total} (${pairs})`;
  return { faults: dead.map(place), notes: overlaps.map(place), summary };
}
