/**
 * Writes alerting rules for Loki's ruler from record files. usage: npm run build:loki-rules -- --help
 */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Command } from "commander";
import { loadRecords } from "../../src/catalogue/load-records.ts";
import { LOKI_RULE_DEFAULTS, makeLokiRules } from "./make-loki-rules.ts";

interface Flags {
  readonly records: string;
  readonly out: string;
  readonly selector: string;
  readonly by: string;
  readonly repo?: readonly string[];
}

const { records, out, selector, by, repo } = new Command()
  .name("build:loki-rules")
  .description("Writes one file of alerting rules for each repository.")
  .option("--records <path>", "file or folder of records", "rules/records")
  .option("--out <folder>", "where the files go", "rules/loki")
  .option("--selector <selector>", "streams that are read", LOKI_RULE_DEFAULTS.selector)
  .option("--by <labels>", "what tells one alert from another", LOKI_RULE_DEFAULTS.by.join(","))
  .option("--repo <owner/name...>", "only records of these repositories")
  .parse()
  .opts<Flags>();

const loaded = await loadRecords([{ path: records, origin: "starter" }]);
for (const { file, path: place, faults } of loaded.skipped) {
  console.error(`skipped: ${file}${place}: ${faults[0]?.message ?? ""}`);
}
const wanted = loaded.records
  .map(({ record }) => record)
  .filter((record) => repo === undefined || repo.includes(record.repo));
mkdirSync(out, { recursive: true });
for (const { name, text } of makeLokiRules(wanted, { selector, by: by.split(",") })) {
  writeFileSync(path.join(out, name), text);
  console.log(path.join(out, name));
}
if (loaded.skipped.length > 0) process.exitCode = 1;
