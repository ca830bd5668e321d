import { Command } from "commander";
import { createRecordsCheckCommand } from "./records/check.ts";
import { createDiffCommand } from "./records/diff.ts";
import { createListCommand, createSearchCommand } from "./records/list.ts";
import { createShowCommand } from "./records/show.ts";
import { createSyncCommand } from "./records/sync.ts";
import { createStatsCommand, createVagueCommand } from "./records/stats.ts";

/** `alertlore records`: looks at the known-error records and keeps them up to date. */
export function createRecordsCommand(): Command {
  const records = new Command("records").description("look at known-error records, fetch new ones");
  for (const command of [
    createListCommand(),
    createShowCommand(),
    createSearchCommand(),
    createStatsCommand(),
    createVagueCommand(),
    createSyncCommand(),
    createRecordsCheckCommand(),
    createDiffCommand(),
  ]) {
    records.addCommand(command.helpOption("--help", "print help").showHelpAfterError());
  }
  return records;
}
