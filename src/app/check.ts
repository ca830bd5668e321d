import type { ConfigFault } from "../config/config-fault.ts";
import { loadConfig } from "../config/load-config.ts";
import type { ConfigSources, SoundSections } from "../config/load-config.ts";
import { compileCatalogue } from "../match/compile-catalogue.ts";
import { checkRules } from "./check-rules.ts";
import { findQueryFaults } from "./find-query-faults.ts";
import { checkUpstreams } from "./check-upstreams.ts";
import { gatherRecords } from "./gather-records.ts";
import type { GatheredRecords, RecordPlan } from "./gather-records.ts";
import { recordPlanOf } from "./record-plan.ts";
import { skippedRecordFaults } from "./skipped-record-faults.ts";

/** What a check found. */
export interface CheckReport {
  /** Of the configuration, then the rules, then the records; empty when all is well. */
  readonly faults: readonly ConfigFault[];
  /** What is no fault and good to know: retry rules that overlap. */
  readonly notes: readonly ConfigFault[];
  /** One line that says what was checked. */
  readonly summary: string;
}

/**
 * Checks the configuration, the retry rules and every record that `serve` would load, without serving.
 * Sections with a fault do not keep the rest from being checked.
 */
export async function checkAll(sources: ConfigSources): Promise<CheckReport> {
  const outcome = loadConfig(sources);
  const sound = outcome.config ?? outcome.soundSections;
  const rules = checkRules(sound.rules);
  const records = await checkSection(sound);
  const queries =
    outcome.config && findQueryFaults(outcome.config, sources.file ?? "configuration");
  const upstreams = outcome.config
    ? await checkUpstreams(outcome.config.proxy, sources.file ?? "configuration")
    : [];
  const faults = [
    ...outcome.faults,
    ...(queries ?? []),
    ...rules.faults,
    ...upstreams,
    ...records.faults,
  ];
  const checked = ["configuration", rules.summary, records.summary].join(", ");
  const found = faults.length === 0 ? "no faults" : counted(faults.length, "fault");
  return { faults, notes: rules.notes, summary: `${checked}: ${found}` };
}

/** What was found in one part. */
export interface PartReport {
  readonly faults: readonly ConfigFault[];
  readonly summary: string;
}

async function checkSection({ records, rules }: Partial<SoundSections>): Promise<PartReport> {
  if (records === undefined) return { faults: [], summary: "records not checked" };
  const noRules = { retryPath: undefined, mutePath: undefined, scopesPath: undefined };
  return checkRecords(recordPlanOf({ records, rules: rules ?? noRules }));
}

/** Checks every record of a plan, and its files of mutes and overlays. */
export async function checkRecords(plan: RecordPlan): Promise<PartReport> {
  const gathered = await gatherRecords(plan);
  const faults = [...gathered.faults, ...gathered.skipped.flatMap(skippedRecordFaults)];
  return { faults, summary: describeRecords(gathered) };
}

/** A vague template is no fault of the record: its program prints no more than that. */
function describeRecords({ records, muted, datasetVersion }: GatheredRecords): string {
  const { vague } = compileCatalogue(records, datasetVersion);
  const notes = [
    ...(vague.length > 0 ? [`${vague.length} too vague to match`] : []),
    ...(muted.length > 0 ? [`${muted.length} muted`] : []),
  ];
  const total = counted(records.length + muted.length, "record");
  return notes.length === 0 ? total : `${total} (${notes.join(", ")})`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
