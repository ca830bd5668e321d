import { Command, Option } from "commander";
import { planRecords } from "../../app/records/open-records.ts";
import { fallbackWords, syncOnce, syncRequestsOf } from "../../app/sync-records.ts";
import type { SyncReport, SyncRequest } from "../../app/sync-records.ts";
import { configFileFlag, configSourcesOf, reportFaults } from "../common-flags.ts";
import type { FlagValues } from "../common-flags.ts";
import { printAnswer } from "./records-flags.ts";
import { createSyncProgress } from "./sync-progress.ts";

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

async function syncShown(request: SyncRequest): Promise<SyncReport> {
  const progress = createSyncProgress(process.stderr);
  const report = await syncOnce(request, { onProgress: progress.show });
  progress.end();
  return report;
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
