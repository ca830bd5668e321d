import type { ConfigFault } from "../../config/config-fault.ts";
import type { Config } from "../../config/config.ts";
import { loadConfig } from "../../config/load-config.ts";
import type { ConfigSources } from "../../config/load-config.ts";
import { gatherRecords } from "../gather-records.ts";
import type { GatheredRecords, RecordPlan } from "../gather-records.ts";
import { recordPlanOf, withSources } from "../record-plan.ts";

/** Which records a command looks at. */
export interface RecordsOptions {
  readonly sources: ConfigSources;
  /** Files and folders that replace every configured source; `undefined`: the configured ones. */
  readonly recordPaths: readonly string[] | undefined;
}

/** A plan and the configuration it is of, or the faults that keep it from being made. */
export type PlanOutcome =
  | { readonly plan: RecordPlan; readonly config: Config; readonly faults: readonly [] }
  | { readonly plan: undefined; readonly faults: readonly ConfigFault[] };

/** Works out where the records are that the options mean. */
export function planRecords({ sources, recordPaths }: RecordsOptions): PlanOutcome {
  const { config, faults } = loadConfig(sources);
  if (config === undefined) return { plan: undefined, faults };
  return { plan: withSources(recordPlanOf(config), recordPaths), config, faults: [] };
}

/** The records, or the faults of the files that say which they are. */
export type OpenOutcome =
  | { readonly gathered: GatheredRecords; readonly faults: readonly [] }
  | { readonly gathered: undefined; readonly faults: readonly ConfigFault[] };

/** Loads the records that the options mean. */
export async function openRecords(options: RecordsOptions): Promise<OpenOutcome> {
  const { plan, faults } = planRecords(options);
  if (plan === undefined) return { gathered: undefined, faults };
  const gathered = await gatherRecords(plan);
  if (gathered.faults.length > 0) return { gathered: undefined, faults: gathered.faults };
  return { gathered, faults: [] };
}
