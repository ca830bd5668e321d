import type { Command } from "commander";
import type { CatalogueEntry } from "../../app/records/find-records.ts";
import type { FlagValues } from "../common-flags.ts";
import { createRecordsSubcommand, loadForCommand, printAnswer } from "./records-flags.ts";

/** `alertlore records show`: one record in full. */
export function createShowCommand(): Command {
  return createRecordsSubcommand("show", "show one record in full")
    .argument("<id>", "16 hex digits")
    .action(show);
}

async function show(id: string, values: FlagValues): Promise<void> {
  const gathered = await loadForCommand(values);
  if (gathered === undefined) return;
  const entry = gathered.records.find(({ record }) => record.id === id);
  if (entry !== undefined) {
    printAnswer(values, { ...entry, datasetVersion: gathered.datasetVersion }, renderRecord);
    return;
  }
  const muted = gathered.muted.find((each) => each.id === id);
  console.error(
    muted === undefined ? `no record has the id ${id}` : `the record is muted by ${muted.mute}`,
  );
  process.exitCode = 1;
}

function renderRecord({
  record,
  origin,
  loadedFrom,
  overlays,
  overrides,
  runbookUrl,
}: CatalogueEntry): string[] {
  const fields: readonly (readonly [string, string | null])[] = [
    ["id", record.id],
    ["message", record.errorMessage],
    ["class", record.errorClass],
    ["code", record.errorCode],
    ["family", record.backgroundTag],
    ["severity", record.severity],
    ["strategy", record.handlingStrategy],
    ["source", `${record.repo} ${record.filePath}`],
    ["link", record.githubUrl],
    ["runbook", runbookUrl],
    ["analyzed", record.analyzedAt],
    ["origin", `${origin}, ${loadedFrom}`],
    ["chosen", overrides.length === 0 ? null : overrides.join("; ")],
    ["overlays", overlays.length === 0 ? null : overlays.join("; ")],
  ];
  const prose: readonly (readonly [string, readonly string[]])[] = [
    ["What it means", record.documentation.split("\n")],
    ["When it occurs", record.triggerScenarios.split("\n")],
    ["Common situations", record.commonSituations.split("\n")],
    ["Solutions", record.solutions.map((text, index) => `${index + 1}. ${text}`)],
  ];
  return [
    ...fields.flatMap(([name, text]) => (text === null ? [] : [`${name.padEnd(9)} ${text}`])),
    ...prose.flatMap(([title, lines]) => ["", title, ...lines.map((line) => `  ${line}`)]),
  ];
}
