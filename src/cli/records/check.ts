import type { Command } from "commander";
import { checkRecords } from "../../app/check.ts";
import { planRecords } from "../../app/records/open-records.ts";
import { reportFaults } from "../common-flags.ts";
import type { FlagValues } from "../common-flags.ts";
import { createRecordsSubcommand, printAnswer, recordsOptionsOf } from "./records-flags.ts";

/** `alertlore records check`: every fault of records, mutes and overlays. */
export function createRecordsCheckCommand(): Command {
  return createRecordsSubcommand(
    "check",
    "name every fault of records, mutes and overlays; exit 1 if there is one",
  )
    .argument("[paths...]", "files and folders, as --records names them")
    .action((paths: readonly string[], values: FlagValues) => check(withPaths(values, paths)));
}

/** Paths on the command line stand for the flag. */
function withPaths(values: FlagValues, paths: readonly string[]): FlagValues {
  if (paths.length === 0) return values;
  const { records } = values;
  return {
    ...values,
    records: [...(Array.isArray(records) ? (records as unknown[]) : []), ...paths],
  };
}

async function check(values: FlagValues): Promise<void> {
  const outcome = planRecords(recordsOptionsOf(values));
  if (outcome.plan === undefined) {
    reportFaults(outcome.faults);
    return;
  }
  const report = await checkRecords(outcome.plan);
  if (values["format"] === "json") {
    if (report.faults.length > 0) process.exitCode = 1;
  } else if (report.faults.length > 0) {
    reportFaults(report.faults);
  }
  printAnswer(values, report, ({ summary, faults }) => [
    `${summary}: ${faults.length === 0 ? "no faults" : `${faults.length} faults`}`,
  ]);
}
