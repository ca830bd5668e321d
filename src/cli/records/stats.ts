import type { Command } from "commander";
import { accountRecords, listVague } from "../../app/records/account-records.ts";
import type { RecordAccount, UnusedRecord } from "../../app/records/account-records.ts";
import type { FlagValues } from "../common-flags.ts";
import { createRecordsSubcommand, loadForCommand, printAnswer } from "./records-flags.ts";

/** `alertlore records stats`: what became of every record of every source. */
export function createStatsCommand(): Command {
  return createRecordsSubcommand(
    "stats",
    "account for every record: used, vague, muted, overridden, skipped",
  ).action(async (values: FlagValues) => {
    const gathered = await loadForCommand(values);
    if (gathered !== undefined) printAnswer(values, accountRecords(gathered), renderAccount);
  });
}

/** Reasons that the text answer lists; the JSON answer has all. */
const REASONS_SHOWN_MAX = 30;

function renderAccount(account: RecordAccount): string[] {
  const { datasetVersion, total, brokenFiles, missing, overlaid, repos, reasons } = account;
  const fates = ["used", "vague", "muted", "overridden", "skipped"] as const;
  const left = reasons.length - REASONS_SHOWN_MAX;
  return [
    `${String(total).padStart(8)} records found in ${Object.keys(repos).length} repositories`,
    ...fates.map((fate) => `${String(account[fate]).padStart(8)} ${fate}`),
    ...(overlaid > 0 ? [`${String(overlaid).padStart(8)} changed by overlays`] : []),
    ...(datasetVersion === "" ? [] : [`dataset of ${datasetVersion}`]),
    ...brokenFiles.map(({ file, reason }) => `broken: ${file}: ${reason}`),
    ...missing.map((url) => `not fetched yet: ${url}`),
    ...reasons.slice(0, REASONS_SHOWN_MAX).map(({ fate, reason, records }) => {
      return `${String(records).padStart(8)} ${fate}: ${reason}`;
    }),
    ...(left > 0 ? [`         and ${left} more reasons: see --format json`] : []),
  ];
}

/** `alertlore records vague`: the records that nothing can be found by, and why. */
export function createVagueCommand(): Command {
  return createRecordsSubcommand(
    "vague",
    "list the records whose message is too vague to match, with reasons",
  ).action(async (values: FlagValues) => {
    const gathered = await loadForCommand(values);
    if (gathered === undefined) return;
    const messages = new Map(gathered.records.map(({ record }) => [record.id, record]));
    const vague = listVague(gathered).map((each) => {
      const record = messages.get(each.id ?? "");
      return { ...each, repo: record?.repo ?? "", errorMessage: record?.errorMessage ?? "" };
    });
    printAnswer(values, { total: vague.length, records: vague }, renderVague);
  });
}

type VagueRecord = UnusedRecord & { readonly repo: string; readonly errorMessage: string };

function renderVague({ records }: { readonly records: readonly VagueRecord[] }): string[] {
  if (records.length === 0) return ["no record is too vague"];
  return records.map(({ id, reason, repo, errorMessage }) => {
    return `${id ?? ""}  ${reason}  ${repo}  ${JSON.stringify(errorMessage)}`;
  });
}
