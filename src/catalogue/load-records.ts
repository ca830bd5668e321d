import type { CatalogueRecord, RecordOrigin } from "../record/known-error.ts";
import { isStronger, strengthOf, withOverrides } from "./contender.ts";
import type { Contender, RankedPlace } from "./contender.ts";
import { listRecordFiles } from "./list-record-files.ts";
import type { ListedFile } from "./list-record-files.ts";
import { readRecordFile } from "./read-record-file.ts";
import type { RecordCandidate } from "./read-record-file.ts";
import { checkRecord, isObject } from "./record-schema.ts";
import type { FieldFault } from "./record-schema.ts";
import { isRunbookUrl, RUNBOOK_URL_FORM } from "./runbook-url.ts";
import { SourceDigest } from "./source-digest.ts";

/** A file or folder to load records from. */
export interface RecordSource {
  readonly path: string;
  /** What its records are taken for: see ADR 5. */
  readonly origin: RecordOrigin;
  /** Whether it is the copy of a single file that the operator named by URL: the strongest source. */
  readonly isSingleUrl?: boolean;
}

/** A record that another with its id keeps out. */
export interface OverriddenRecord {
  readonly id: string;
  readonly loadedFrom: string;
  /** Place of the record that is taken instead. */
  readonly by: string;
}

/** A record, or a whole file of records, that could not be loaded. */
export interface SkippedRecord {
  readonly file: string;
  /** Index from 0 in the file; `undefined` when the whole file is meant. */
  readonly index: number | undefined;
  /** Line from 1 of the first fault; `undefined` where none can be named. */
  readonly line: number | undefined;
  /** Path of the record in the file, e.g. `[3]`; empty for the whole. */
  readonly path: string;
  /** The record's id where it has a sound one. */
  readonly id: string | undefined;
  /** At least one; a fault without field is that of the whole. */
  readonly faults: readonly (FieldFault & { readonly line: number | undefined })[];
}

/** Everything that was found in the sources. */
export interface LoadedRecords {
  /** In the order of their ids, each id once. */
  readonly records: readonly CatalogueRecord[];
  /** In the order of the sources, their files and the records in them. */
  readonly skipped: readonly SkippedRecord[];
  /** Sound records of which a stronger one with their id was taken, in the order of ids. */
  readonly overridden: readonly OverriddenRecord[];
  /** The newest version that a dataset's manifest names, else an API answer; empty without one. */
  readonly datasetVersion: string;
  /** As `digestSources` gives it for the bytes that were read; `undefined` when something could not be. */
  readonly digest: string | undefined;
}

/**
 * Loads all records of all sources. A broken record or file is skipped and named; the rest loads.
 * Never throws on what it reads.
 *
 * Of records with one id the strongest is taken: published datasets are weaker than what comes with
 * Alertlore, that is weaker than the operator's files, and single files by URL are strongest. Of equals a curated one, then the one
 * analyzed last, then the one whose text sorts last: neither the order of the sources nor the names
 * of files decide.
 */
export async function loadRecords(sources: readonly RecordSource[]): Promise<LoadedRecords> {
  const loading = new Loading();
  for (const source of sources) await loading.addSource(source);
  return loading.finish();
}

class Loading {
  readonly #strongest = new Map<string, Contender>();
  readonly #skipped: SkippedRecord[] = [];
  /** By id, in the order in which they were found out. */
  readonly #weaker = new Map<string, RankedPlace[]>();
  #manifestVersion = "";
  #answerVersion = "";
  readonly #digest = new SourceDigest();
  #isWhole = true;

  async addSource(source: RecordSource): Promise<void> {
    const list = await listRecordFiles(source.path);
    this.#manifestVersion = newest(this.#manifestVersion, list.datasetVersion);
    this.#digest.addSource(source, list);
    if (list.faults.length > 0) this.#isWhole = false;
    for (const { file, message } of list.faults) this.#skipFile(file, message);
    for (const listed of list.files) await this.#addFile(listed, source);
  }

  finish(): LoadedRecords {
    const records = [...this.#strongest.values()].map((strongest) => {
      const weaker = this.#weaker.get(strongest.entry.record.id);
      return weaker === undefined ? strongest.entry : withOverrides(strongest, weaker);
    });
    records.sort((left, right) => (left.record.id < right.record.id ? -1 : 1));
    const datasetVersion =
      this.#manifestVersion === "" ? this.#answerVersion : this.#manifestVersion;
    const digest = this.#isWhole ? this.#digest.finish() : undefined;
    const overridden = this.#overridden();
    return { records, skipped: this.#skipped, overridden, datasetVersion, digest };
  }

  #overridden(): readonly OverriddenRecord[] {
    const all = [...this.#weaker].flatMap(([id, weaker]) => {
      const by = this.#strongest.get(id)?.entry.loadedFrom ?? "";
      return weaker.map(({ loadedFrom }) => ({ id, loadedFrom, by }));
    });
    return all.sort((left, right) =>
      `${left.id} ${left.loadedFrom}` < `${right.id} ${right.loadedFrom}` ? -1 : 1,
    );
  }

  async #addFile(listed: ListedFile, source: RecordSource): Promise<void> {
    const { file, isPublished, isNamedAsRecords } = listed;
    const content = await readRecordFile(file, isNamedAsRecords);
    if (content.digest === undefined) this.#isWhole = false;
    else this.#digest.addFile(listed, content.digest);
    this.#answerVersion = newest(this.#answerVersion, content.datasetVersion);
    for (const { index, line, message } of content.faults) {
      this.#skipFile(file, message, { index, line });
    }
    const { origin } = source;
    const strength = strengthOf(source, isPublished);
    for (const candidate of content.candidates) {
      const { entry, faults } = entryOf(candidate, origin);
      if (entry === undefined) this.#skipRecord(file, candidate, faults);
      else this.#contend({ entry, strength });
    }
  }

  #contend(contender: Contender): void {
    const { id } = contender.entry.record;
    const other = this.#strongest.get(id);
    const isTaken = other === undefined || isStronger(contender, other);
    if (isTaken) this.#strongest.set(id, contender);
    const weaker = isTaken ? other : contender;
    if (weaker === undefined) return;
    const place = { loadedFrom: weaker.entry.loadedFrom, strength: weaker.strength };
    const others = this.#weaker.get(id);
    if (others === undefined) this.#weaker.set(id, [place]);
    else others.push(place);
  }

  #skipFile(
    file: string,
    message: string,
    at: { index: number | undefined; line: number | undefined } = NOWHERE,
  ): void {
    const faults = [{ field: "", message, line: at.line }];
    this.#skipped.push({ file, ...at, path: "", id: undefined, faults });
  }

  #skipRecord(file: string, candidate: RecordCandidate, faults: readonly FieldFault[]): void {
    const { index, path, value } = candidate;
    const placed = faults.map((fault) => ({ ...fault, line: candidate.lineOf(fault.field) }));
    const line = placed[0]?.line;
    this.#skipped.push({ file, index, path, line, id: idOf(value), faults: placed });
  }
}

const NOWHERE = { index: undefined, line: undefined };

function newest(left: string, right: string): string {
  return left < right ? right : left;
}

/**
 * Whoever answers for a record may give it a link of their own, `runbookUrl`, which ErrLookup does not
 * have; in any other source it is a key like those that nobody knows.
 */
function entryOf(
  { value, place }: RecordCandidate,
  origin: RecordOrigin,
): { readonly entry: CatalogueRecord | undefined; readonly faults: readonly FieldFault[] } {
  const { record, faults } = checkRecord(value);
  if (record === undefined) return { entry: undefined, faults };
  const mayLink = origin !== "dataset" && isObject(value);
  const runbookUrl = (mayLink ? value["runbookUrl"] : null) ?? null;
  if (runbookUrl !== null && !isRunbookUrl(runbookUrl)) {
    const message = `must be ${RUNBOOK_URL_FORM}`;
    return { entry: undefined, faults: [{ field: "runbookUrl", message }] };
  }
  const entry = { record, origin, loadedFrom: place, overlays: [], overrides: [], runbookUrl };
  return { entry, faults };
}

function idOf(value: unknown): string | undefined {
  const id = isObject(value) ? value["id"] : undefined;
  return typeof id === "string" && /^[0-9a-f]{16}$/u.test(id) ? id : undefined;
}
