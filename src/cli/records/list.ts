import type { Command } from "commander";
import { filterByRepo, searchRecords, summarizeRecord } from "../../app/records/find-records.ts";
import type { CatalogueEntry, RecordSummary } from "../../app/records/find-records.ts";
import type { FlagValues } from "../common-flags.ts";
import {
  createRecordsSubcommand,
  limitFlag,
  limitOf,
  loadForCommand,
  printAnswer,
} from "./records-flags.ts";

/** `alertlore records list`: the records in force, in the order of ids. */
export function createListCommand(): Command {
  return createRecordsSubcommand("list", "list the records in force")
    .option("--repo <owner/name>", "only those of one repository")
    .addOption(limitFlag)
    .action(async (values: FlagValues) => {
      const gathered = await loadForCommand(values);
      if (gathered === undefined) return;
      const { repo } = values;
      printRecords(
        values,
        filterByRepo(gathered.records, typeof repo === "string" ? repo : undefined),
      );
    });
}

/** `alertlore records search`: the records that hold every word of a text. */
export function createSearchCommand(): Command {
  return createRecordsSubcommand(
    "search",
    "find records by words of message, code, class, path, tags, documentation",
  )
    .argument("<words...>", "all of them have to occur, in any case and place")
    .addOption(limitFlag)
    .action(async (words: readonly string[], values: FlagValues) => {
      const gathered = await loadForCommand(values);
      if (gathered === undefined) return;
      printRecords(values, searchRecords(gathered.records, words.join(" ")));
    });
}

interface RecordsAnswer {
  readonly total: number;
  readonly records: readonly RecordSummary[];
}

function printRecords(values: FlagValues, records: readonly CatalogueEntry[]): void {
  const shown = records.slice(0, limitOf(values)).map(summarizeRecord);
  printAnswer<RecordsAnswer>(values, { total: records.length, records: shown }, renderRecords);
}

function renderRecords({ total, records }: RecordsAnswer): string[] {
  const lines = records.map(renderSummary);
  if (total === 0) return ["no records"];
  return total > records.length
    ? [...lines, `(${total - records.length} of ${total} not shown: see --limit)`]
    : lines;
}

/** One record on one line. */
export function renderSummary({
  id,
  repo,
  severity,
  errorMessage,
  overlays,
}: RecordSummary): string {
  const mark = overlays.length === 0 ? "" : ` [overlaid by ${overlays.join("; ")}]`;
  return `${id}  ${severity.padEnd(8)}  ${repo}  ${errorMessage}${mark}`;
}
