import { Command } from "commander";
import { checkAll } from "../app/check.ts";
import { renderFault } from "../config/config-fault.ts";
import { configFileFlag, configSourcesOf, reportFaults } from "./common-flags.ts";
import type { FlagValues } from "./common-flags.ts";

/** `alertlore check`: says whether `serve` would start, and everything that is wrong. */
export function createCheckCommand(): Command {
  return new Command("check")
    .description(
      "validate configuration, rules and records; name every fault; exit 1 if there is one",
    )
    .addOption(configFileFlag)
    .option(
      "--overlaps",
      "list retry rules that share matches with earlier ones and decide otherwise",
    )
    .action(check);
}

async function check(values: FlagValues): Promise<void> {
  const { faults, notes, summary } = await checkAll(configSourcesOf(values, {}));
  if (faults.length > 0) reportFaults(faults);
  if (values["overlaps"] === true) for (const note of notes) console.log(renderFault(note));
  console.log(summary);
}
