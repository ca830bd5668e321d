import { createHash } from "node:crypto";
import { loadRecords } from "../catalogue/load-records.ts";
import type { LoadedRecords, RecordSource } from "../catalogue/load-records.ts";
import { applyMutes, readMutes } from "../catalogue/mutes.ts";
import type { MutedRecord } from "../catalogue/mutes.ts";
import { applyOverlays, readOverlays } from "../catalogue/overlays.ts";
import { digestSources } from "../catalogue/source-digest.ts";
import { findCopy } from "../catalogue/sync/dataset-copy.ts";
import type { ConfigFault } from "../config/config-fault.ts";
import type { RecordOrigin } from "../record/known-error.ts";
import { readRuleFile } from "./read-rule-file.ts";
import type { RuleFile } from "./read-rule-file.ts";

/** A published dataset or a single file by URL, of which the last good copy is read. */
export interface UrlSource {
  readonly url: string;
  /** Folder of its copies. */
  readonly folder: string;
  readonly origin: RecordOrigin;
}

/** Everything that decides which records there are, as plain values: it is sent to the worker thread. */
export interface RecordPlan {
  readonly sources: readonly (RecordSource | UrlSource)[];
  /** File of mutes. */
  readonly mutePath: string;
  /** Files of overlays, weakest first. */
  readonly overlayPaths: readonly string[];
}

/** The records of a plan, muted ones left out and overlays applied. */
export interface GatheredRecords extends LoadedRecords {
  readonly muted: readonly MutedRecord[];
  /** URLs of which there is no copy yet. */
  readonly missing: readonly string[];
  /** Of the files of mutes and overlays, whose sound parts are applied nonetheless. */
  readonly faults: readonly ConfigFault[];
}

/** Loads the records of all sources and does to them what the operator's mutes and overlays say. */
export async function gatherRecords(plan: RecordPlan): Promise<GatheredRecords> {
  const rules = readRules(plan);
  const { mutes, overlays } = rules;
  const { sources, missing } = await findCopies(plan.sources);
  const loaded = await loadRecords(sources);
  const { heard, muted } = applyMutes(loaded.records, mutes.content?.mutes ?? []);
  const records = applyOverlays(
    heard,
    overlays.flatMap(({ content }) => content?.overlays ?? []),
  );
  const faults = [mutes, ...overlays].flatMap((file) => file.faults);
  const digest = digestOf(loaded.digest, rules, missing);
  return { ...loaded, records, muted, missing, faults, digest };
}

/**
 * The digest of everything that decides what `gatherRecords` gives for a plan, without doing it.
 *
 * @returns `undefined` when something of it is missing or broken.
 */
export async function digestRecords(plan: RecordPlan): Promise<string | undefined> {
  const { sources, missing } = await findCopies(plan.sources);
  return digestOf(await digestSources(sources), readRules(plan), missing);
}

interface ChangingRules {
  readonly mutes: RuleFile<ReturnType<typeof readMutes>>;
  readonly overlays: readonly RuleFile<ReturnType<typeof readOverlays>>[];
}

function readRules({ mutePath, overlayPaths }: RecordPlan): ChangingRules {
  return {
    mutes: readRuleFile(mutePath, readMutes),
    overlays: overlayPaths.map((file) => readRuleFile(file, readOverlays)),
  };
}

function digestOf(
  sources: string | undefined,
  { mutes, overlays }: ChangingRules,
  missing: readonly string[],
): string | undefined {
  const files = [mutes, ...overlays];
  if (sources === undefined || missing.length > 0) return undefined;
  if (files.some(({ faults }) => faults.length > 0)) return undefined;
  const rules = JSON.stringify(files, (_key, value: unknown) =>
    value instanceof Set ? [...(value as ReadonlySet<unknown>)] : value,
  );
  return createHash("sha256").update(`${sources}\n${rules}`).digest("hex");
}

async function findCopies(planned: RecordPlan["sources"]): Promise<{
  readonly sources: readonly RecordSource[];
  readonly missing: readonly string[];
}> {
  const sources: RecordSource[] = [];
  const missing: string[] = [];
  for (const source of planned) {
    if (!("url" in source)) {
      sources.push(source);
      continue;
    }
    const copy = await findCopy(source.folder);
    if (copy === undefined) missing.push(source.url);
    else
      sources.push({ path: copy.path, origin: source.origin, isSingleUrl: copy.kind === "file" });
  }
  return { sources, missing };
}
