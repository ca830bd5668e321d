import { readdir, readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { datasetVersionOf, describeReadError } from "./read-record-file.ts";

/** A file that may hold records. */
export interface ListedFile {
  readonly file: string;
  /** Whether it belongs to a published dataset, which is the weakest source. */
  readonly isPublished: boolean;
  /** Whether it must hold records: it was named by the operator, or its extension says so. */
  readonly isNamedAsRecords: boolean;
}

/** The files below one path. */
export interface RecordFileList {
  /** In the order of their names. */
  readonly files: readonly ListedFile[];
  readonly faults: readonly { readonly file: string; readonly message: string }[];
  /** The newest that a manifest names; empty without one. */
  readonly datasetVersion: string;
}

/**
 * Lists the files that a source of records consists of.
 *
 * A folder with a `manifest.json` or a folder `repos` is a published dataset or a copy of one: only
 * what lies under `repos` is taken, for its index and search files repeat the records. Every other
 * folder is walked whole, hidden files and folders left out. A folder is visited once, so that
 * symbolic links may lead in circles.
 */
export async function listRecordFiles(root: string): Promise<RecordFileList> {
  const walk = new FolderWalk();
  await walk.visitRoot(root);
  const { files, faults, datasetVersion } = walk;
  return { files, faults, datasetVersion };
}

const RECORD_FILE_NAME = /\.(?:json|jsonl|ndjson)(?:\.gz)?$/iu;
/** Beside these a cache of the dataset holds leftovers of downloads, named `….json.tmp-<pid>`. */
const PUBLISHED_FILE_NAME = /\.json(?:\.gz)?$/u;

class FolderWalk {
  readonly files: ListedFile[] = [];
  readonly faults: { file: string; message: string }[] = [];
  datasetVersion = "";
  readonly #visited = new Set<string>();

  async visitRoot(root: string): Promise<void> {
    const kind = await this.#kindOf(root);
    if (kind === "folder") await this.#visitFolder(root, false);
    else if (kind === "file") this.#add(root, { isPublished: false, isNamedAsRecords: true });
  }

  async #kindOf(file: string): Promise<"folder" | "file" | undefined> {
    try {
      return (await stat(file)).isDirectory() ? "folder" : "file";
    } catch (error) {
      this.#fail(file, error);
      return undefined;
    }
  }

  async #visitFolder(folder: string, isPublished: boolean): Promise<void> {
    const names = await this.#namesIn(folder);
    if (names === undefined) return;
    if (!isPublished && (await this.#isDataset(folder, names))) {
      await this.#visitDataset(folder, names);
      return;
    }
    for (const name of names) await this.#visitMember(path.join(folder, name), isPublished);
  }

  /** Names in order, hidden ones left out; `undefined` when unreadable or visited before. */
  async #namesIn(folder: string): Promise<readonly string[] | undefined> {
    try {
      const real = await realpath(folder);
      if (this.#visited.has(real)) return undefined;
      this.#visited.add(real);
      return (await readdir(folder)).filter((name) => !name.startsWith(".")).sort();
    } catch (error) {
      this.#fail(folder, error);
      return undefined;
    }
  }

  async #visitMember(file: string, isPublished: boolean): Promise<void> {
    const kind = await this.#kindOf(file);
    if (kind === "folder") {
      await this.#visitFolder(file, isPublished);
    } else if (kind === "file" && (!isPublished || PUBLISHED_FILE_NAME.test(file))) {
      this.#add(file, { isPublished, isNamedAsRecords: RECORD_FILE_NAME.test(file) });
    }
  }

  async #isDataset(folder: string, names: readonly string[]): Promise<boolean> {
    if (names.includes("manifest.json")) return true;
    return names.includes("repos") && (await this.#kindOf(path.join(folder, "repos"))) === "folder";
  }

  async #visitDataset(folder: string, names: readonly string[]): Promise<void> {
    if (names.includes("manifest.json"))
      await this.#readManifest(path.join(folder, "manifest.json"));
    await this.#visitMember(path.join(folder, "repos"), true);
  }

  async #readManifest(file: string): Promise<void> {
    try {
      const manifest: unknown = JSON.parse(await readFile(file, "utf8"));
      const version = datasetVersionOf(manifest);
      if (version === "") this.faults.push({ file, message: "names no datasetVersion" });
      if (version > this.datasetVersion) this.datasetVersion = version;
    } catch (error) {
      if (error instanceof SyntaxError) this.faults.push({ file, message: "is no JSON" });
      else this.#fail(file, error);
    }
  }

  #add(file: string, kind: Omit<ListedFile, "file">): void {
    this.files.push({ file, ...kind });
  }

  #fail(file: string, error: unknown): void {
    this.faults.push({ file, message: describeReadError(error) });
  }
}
