import { Command, InvalidArgumentError, Option } from "commander";
import { escapeUnsafe } from "../../app/logfmt.ts";
import { openRecords } from "../../app/records/open-records.ts";
import type { GatheredRecords } from "../../app/gather-records.ts";
import type { RecordsOptions } from "../../app/records/open-records.ts";
import { configFileFlag, configSourcesOf, recordsFlag, reportFaults } from "../common-flags.ts";
import type { FlagValues } from "../common-flags.ts";

/** A subcommand of `alertlore records` with the flags that all of them have. */
export function createRecordsSubcommand(name: string, description: string): Command {
  const format = new Option("--format <format>", "of the answer").choices(["text", "json"]);
  return new Command(name)
    .description(description)
    .addOption(recordsFlag)
    .addOption(format.default("text"))
    .addOption(configFileFlag);
}

/** The records that the flags mean. */
export function recordsOptionsOf(values: FlagValues): RecordsOptions {
  const { records } = values;
  const isGiven = Array.isArray(records) && records.every((path) => typeof path === "string");
  return { sources: configSourcesOf(values, {}), recordPaths: isGiven ? records : undefined };
}

/** Loads the records that the flags mean; tells faults, after which the program ends with status 1. */
export async function loadForCommand(values: FlagValues): Promise<GatheredRecords | undefined> {
  const { gathered, faults } = await openRecords(recordsOptionsOf(values));
  if (gathered === undefined) reportFaults(faults);
  return gathered;
}

/** Prints an answer as JSON, or as the lines that `render` makes of it, control characters escaped. */
export function printAnswer<T>(
  values: FlagValues,
  answer: T,
  render: (answer: T) => readonly string[],
): void {
  const isJson = values["format"] === "json";
  const lines = isJson ? [JSON.stringify(answer, undefined, 2)] : render(answer).map(escapeUnsafe);
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
}

/** Most records that are listed. */
export const limitFlag = new Option("--limit <number>", "most records that are listed")
  .argParser((value) => {
    const limit = Number(value);
    if (!Number.isSafeInteger(limit) || limit < 1) {
      throw new InvalidArgumentError("It must be a whole number from 1 on.");
    }
    return limit;
  })
  .default(50);

/** The limit that a command was given. */
export function limitOf(values: FlagValues): number {
  const { limit } = values;
  return typeof limit === "number" ? limit : 50;
}
