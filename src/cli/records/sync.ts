import { Command, Option } from "commander";
import { planRecords } from "../../app/records/open-records.ts";
import { fallbackWords, syncOnce, syncRequestsOf } from "../../app/sync-records.ts";
import type { SyncReport, SyncRequest } from "../../app/sync-records.ts";
import { configFileFlag, configSourcesOf, reportFaults } from "../common-flags.ts";
import type { FlagValues } from "../common-flags.ts";
import { printAnswer } from "./records-flags.ts";

/** `alertlore records sync`: fetches what is new at every configured URL. */
export function createSyncCommand(): Command {
  const format = new Option("--format <format>", "of the answer").choices(["text", "json"]);
  return new Command("sync")
    .description("fetch new records from every configured URL; exit 1 if one failed")
    .addOption(format.default("text"))
    .addOption(configFileFlag)
    .action(sync);
}

async function sync(values: FlagValues): Promise<void> {
  const sources = configSourcesOf(values, {});
  const outcome = planRecords({ sources, recordPaths: undefined });
  if (outcome.plan === undefined) {
    reportFaults(outcome.faults);
    return;
  }
  const reports: SyncReport[] = [];
  for (const request of syncRequestsOf(outcome.config)) {
    reports.push(await syncShown(request));
  }
  if (reports.some(({ result }) => result === "failure")) process.exitCode = 1;
  printAnswer(values, reports, renderReports);
}

const BAR_CELLS = 30;
const MANY_FILES = 10;

/** Progress goes to standard error: a bar on a terminal, now and then a plain line elsewhere. */
async function syncShown(request: SyncRequest): Promise<SyncReport> {
  const { isTTY } = process.stderr;
  const report = await syncOnce(request, {
    onProgress: (done, total) => {
      if (isTTY) process.stderr.write(`\r${renderBar(done, total)}`);
      else if (done === total || done % MANY_FILES === 0) {
        process.stderr.write(`${done} of ${total} files\n`);
      }
    },
  });
  // Clears the bar.
  if (isTTY) process.stderr.write("\r\u001B[K");
  return report;
}

function renderBar(done: number, total: number): string {
  const cells = Math.round((BAR_CELLS * done) / Math.max(1, total));
  return `[${"#".repeat(cells)}${".".repeat(BAR_CELLS - cells)}] ${done} of ${total} files`;
}

function renderReports(reports: readonly SyncReport[]): string[] {
  if (reports.length === 0) return ["no source of records has a URL"];
  return reports.flatMap((report) => {
    if (report.result === "failure") {
      return [
        `${report.url}: not updated (${report.reason}): ${report.message}; ${fallbackWords(report)}`,
      ];
    }
    const { url, result, datasetVersion, absentRepos } = report;
    const version = datasetVersion === "" ? "" : ` (dataset of ${datasetVersion})`;
    return [
      `${url}: ${result}${version}`,
      ...absentRepos.map((repo) => `  has no repository ${repo}`),
    ];
  });
}
