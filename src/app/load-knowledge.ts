import type { SkippedRecord } from "../catalogue/load-records.ts";
import { createRecordStore } from "../catalogue/record-store.ts";
import type { ConfigFault } from "../config/config-fault.ts";
import type { Config } from "../config/config.ts";
import type { LoadedCatalogue } from "../enrich/ports.ts";
import { compileCatalogue } from "../match/compile-catalogue.ts";
import type { RetryRules } from "../recommend/retry-rules.ts";
import { gatherRecords } from "./gather-records.ts";
import type { RecordPlan } from "./gather-records.ts";
import { RETRY_RULES_PATH } from "./installation.ts";
import { loadScopes } from "./load-scopes.ts";
import { loadRetryRules } from "./load-retry-rules.ts";

/** What explanations rest on: the catalogue and the retry table. */
export interface Knowledge {
  readonly loaded: LoadedCatalogue;
  /** Records that were left out; the rest loads without them. */
  readonly skipped: readonly SkippedRecord[];
  readonly rules: RetryRules;
}

/** Usable knowledge, or every fault of the files that keep it from being used. */
export type KnowledgeOutcome =
  | { readonly knowledge: Knowledge; readonly faults: readonly [] }
  | { readonly knowledge: undefined; readonly faults: readonly ConfigFault[] };

/** Loads records and rules and compiles the catalogue. The paths are by default those of the shipped files. */
export async function loadKnowledge(
  plan: RecordPlan,
  { retryPath, scopesPath }: Partial<Config["rules"]> = {},
): Promise<KnowledgeOutcome> {
  const { rules, faults } = loadRetryRules(retryPath ?? RETRY_RULES_PATH);
  if (rules === undefined) return { knowledge: undefined, faults };
  const { scopes, faults: scopeFaults } = loadScopes(scopesPath);
  if (scopes === undefined) return { knowledge: undefined, faults: scopeFaults };
  const gathered = await gatherRecords(plan);
  if (gathered.faults.length > 0) return { knowledge: undefined, faults: gathered.faults };
  const { records, skipped, datasetVersion } = gathered;
  const store = createRecordStore(records, datasetVersion);
  const catalogue = compileCatalogue(records, datasetVersion);
  return { knowledge: { loaded: { catalogue, store, scopes }, skipped, rules }, faults: [] };
}
