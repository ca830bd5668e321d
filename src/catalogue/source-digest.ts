import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { digestBytes } from "./digest-bytes.ts";
import { listRecordFiles } from "./list-record-files.ts";
import type { ListedFile, RecordFileList } from "./list-record-files.ts";

/** Of a source of `loadRecords` all that decides what is loaded. */
interface DigestedSource {
  readonly path: string;
  readonly origin: string;
  readonly isSingleUrl?: boolean;
}

/** Files that are read at a time; the thread pool of Node has four threads. */
const FILES_AT_A_TIME = 4;

/**
 * A digest of everything that decides what `loadRecords` gives for these sources: their paths and
 * kinds, and the bytes of every file. It is the `digest` of what is loaded from the same bytes.
 *
 * @returns `undefined` when something cannot be read: then what is loaded is not whole either.
 */
export async function digestSources(
  sources: readonly DigestedSource[],
): Promise<string | undefined> {
  const digest = new SourceDigest();
  for (const source of sources) {
    const list = await listRecordFiles(source.path);
    if (list.faults.length > 0) return undefined;
    digest.addSource(source, list);
    if (!(await addFiles(digest, list.files))) return undefined;
  }
  return digest.finish();
}

/** Whether all could be read. */
async function addFiles(digest: SourceDigest, files: readonly ListedFile[]): Promise<boolean> {
  for (let at = 0; at < files.length; at += FILES_AT_A_TIME) {
    const batch = files.slice(at, at + FILES_AT_A_TIME);
    const sums = await Promise.all(batch.map(({ file }) => digestFile(file)));
    for (const [index, listed] of batch.entries()) {
      const sum = sums[index];
      if (sum === undefined) return false;
      digest.addFile(listed, sum);
    }
  }
  return true;
}

async function digestFile(file: string): Promise<string | undefined> {
  try {
    return await digestBytes(await readFile(file));
  } catch {
    return undefined;
  }
}

/** The digest while it is collected, in the order in which sources and files are read. */
export class SourceDigest {
  readonly #hash = createHash("sha256");

  addSource(
    { path, origin, isSingleUrl }: DigestedSource,
    { datasetVersion }: RecordFileList,
  ): void {
    this.#add([path, origin, isSingleUrl === true, datasetVersion]);
  }

  addFile({ file, isPublished, isNamedAsRecords }: ListedFile, sum: string): void {
    this.#add([file, isPublished, isNamedAsRecords, sum]);
  }

  finish(): string {
    return this.#hash.digest("hex");
  }

  #add(values: readonly unknown[]): void {
    this.#hash.update(`${JSON.stringify(values)}\n`);
  }
}
