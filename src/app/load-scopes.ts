import type { ConfigFault } from "../config/config-fault.ts";
import type { ScopeTable } from "../match/scope-table.ts";
import { validateScopes } from "../match/validate-scopes.ts";
import { SCOPES_PATH } from "./installation.ts";
import { readRuleFile } from "./read-rule-file.ts";

/** The table of scopes, or every fault that keeps it from being used. */
export type ScopesOutcome =
  | { readonly scopes: ScopeTable; readonly faults: readonly [] }
  | { readonly scopes: undefined; readonly faults: readonly ConfigFault[] };

/** Reads and checks a file of scopes, by default the shipped one. Never throws on what it reads. */
export function loadScopes(file: string = SCOPES_PATH): ScopesOutcome {
  const { content, faults } = readRuleFile(file, validateScopes);
  if (content?.scopes === undefined) return { scopes: undefined, faults };
  return { scopes: content.scopes, faults: [] };
}
