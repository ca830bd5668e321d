import { Command } from "commander";
import { checkAll } from "../app/check.ts";
import { configFileFlag, configSourcesOf, reportFaults } from "./common-flags.ts";
import type { FlagValues } from "./common-flags.ts";

/** `alertlore check`: says whether `serve` would start, and everything that is wrong. */
export function createCheckCommand(): Command {
  return new Command("check")
    .description(
      "validate configuration, rules and records; name every fault; exit 1 if there is one",
    )
    .addOption(configFileFlag)
    .action(check);
}

async function check(values: FlagValues): Promise<void> {
  const { faults, summary } = await checkAll(configSourcesOf(values, {}));
  if (faults.length > 0) reportFaults(faults);
  console.log(summary);
}
