import type { SkippedRecord } from "../catalogue/load-records.ts";
import { packRecords } from "../catalogue/packed-records.ts";
import type { PackedRecords } from "../catalogue/packed-records.ts";
import type { ConfigFault } from "../config/config-fault.ts";
import { summarizeClasses } from "../count/error-class-labels.ts";
import type { ErrorClassSummary } from "../count/error-class-labels.ts";
import type { Catalogue } from "../match/compile-catalogue.ts";
import { compileCatalogue } from "../match/compile-catalogue.ts";
import { gatherRecords } from "./gather-records.ts";
import type { GatheredRecords, RecordPlan } from "./gather-records.ts";

/** A catalogue ready for use, in a form that can be handed to another thread without object graphs. */
export interface BuiltCatalogue {
  readonly catalogue: Catalogue;
  readonly packed: PackedRecords;
  readonly classes: ErrorClassSummary;
  readonly counts: RecordCounts;
  /** The first few of each kind: the log names them, `alertlore check` names all. */
  readonly skipped: readonly SkippedRecord[];
  /** Files and folders that could not be read at all, and URLs without a copy. */
  readonly broken: readonly ConfigFault[];
  /** Of mutes and overlays. */
  readonly faults: readonly ConfigFault[];
  /** Of everything that entered; `undefined` when something of it was missing or broken. */
  readonly digest: string | undefined;
}

/** How many records there are of each fate. */
export interface RecordCounts {
  readonly used: number;
  readonly vague: number;
  readonly muted: number;
  readonly overridden: number;
  readonly skipped: number;
}

const LISTED_MAX = 20;

/** Loads, compiles and packs the records of a plan. */
export async function buildCatalogue(plan: RecordPlan): Promise<BuiltCatalogue> {
  const gathered = await gatherRecords(plan);
  const { records, datasetVersion } = gathered;
  const catalogue = compileCatalogue(records, datasetVersion);
  const skipped = gathered.skipped.filter(({ index }) => index !== undefined);
  return {
    catalogue,
    packed: packRecords(records),
    classes: summarizeClasses(records),
    counts: {
      used: records.length - catalogue.vague.length,
      vague: catalogue.vague.length,
      muted: gathered.muted.length,
      overridden: gathered.overridden.length,
      skipped: skipped.length,
    },
    skipped: skipped.slice(0, LISTED_MAX),
    broken: brokenSources(gathered).slice(0, LISTED_MAX),
    faults: gathered.faults.slice(0, LISTED_MAX),
    digest: gathered.digest,
  };
}

function brokenSources({ skipped }: GatheredRecords): readonly ConfigFault[] {
  return skipped
    .filter(({ index }) => index === undefined)
    .map(({ file, line, faults }) => ({ file, line, path: "", message: faults[0]?.message ?? "" }));
}
