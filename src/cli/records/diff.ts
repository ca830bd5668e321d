import type { Command } from "commander";
import { diffRecords } from "../../app/records/diff-records.ts";
import type { RecordsDiff } from "../../app/records/diff-records.ts";
import { openRecords } from "../../app/records/open-records.ts";
import { configSourcesOf, reportFaults } from "../common-flags.ts";
import type { FlagValues } from "../common-flags.ts";
import { renderSummary } from "./list.ts";
import { createRecordsSubcommand, printAnswer } from "./records-flags.ts";

/** `alertlore records diff`: what one dataset has other than another. */
export function createDiffCommand(): Command {
  return createRecordsSubcommand(
    "diff",
    "compare two datasets: added, removed and changed templates",
  )
    .argument("<before>", "file or folder of records")
    .argument("<after>", "file or folder of records")
    .action(diff);
}

async function diff(before: string, after: string, values: FlagValues): Promise<void> {
  const sources = configSourcesOf(values, {});
  const older = await openRecords({ sources, recordPaths: [before] });
  const newer = await openRecords({ sources, recordPaths: [after] });
  if (older.gathered === undefined || newer.gathered === undefined) {
    reportFaults(older.gathered === undefined ? older.faults : newer.faults);
    return;
  }
  const broken = [older.gathered, newer.gathered].flatMap(({ skipped }) =>
    skipped.filter(({ index }) => index === undefined),
  );
  for (const { file, faults } of broken) {
    // What is not there looks as if it had been removed.
    console.error(`${file}: ${faults[0]?.message ?? ""}`);
    process.exitCode = 1;
  }
  printAnswer(values, diffRecords(older.gathered.records, newer.gathered.records), renderDiff);
}

function renderDiff(found: RecordsDiff): string[] {
  const { added, removed, changedTemplates, changedOtherwise, unchanged } = found;
  return [
    ...added.map((each) => `+ ${renderSummary(each)}`),
    ...removed.map((each) => `- ${renderSummary(each)}`),
    ...changedTemplates.flatMap(({ id, repo, before, after }) => [
      `~ ${id}  ${repo}`,
      `    before  ${before}`,
      `    after   ${after}`,
    ]),
    `${added.length} added, ${removed.length} removed, ${changedTemplates.length} with another template, ` +
      `${changedOtherwise} changed otherwise, ${unchanged} unchanged`,
  ];
}
