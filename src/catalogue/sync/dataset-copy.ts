import { createHash } from "node:crypto";
import { mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { isObject } from "../record-schema.ts";

/**
 * The last good copy of what a URL gave. Copies lie beside one another in the folder of the URL, and
 * `current.json` names the one in force; it is replaced by renaming, so that a reader never sees half
 * of a change, whenever the writer is killed.
 */
export interface DatasetCopy {
  readonly kind: "dataset" | "file";
  /** Absolute: a folder in the published layout, or a file. */
  readonly path: string;
  /** Empty for a single file. */
  readonly datasetVersion: string;
  /** Validators of the answers that the copy was made of, by path below the URL. */
  readonly etags: Readonly<Record<string, string>>;
  /** What was asked for, so that other wishes lead to another copy. */
  readonly wish: string;
}

const POINTER = "current.json";
const MEMBER_NAME = /^copy-[\w.-]{1,100}$/u;

/** Folder for the copies of one URL, below the folder for all. */
export function copyFolderOf(cachePath: string, url: string): string {
  const digest = createHash("sha256").update(url).digest("hex").slice(0, 16);
  return path.join(cachePath, digest);
}

/** The copy in force; `undefined` where there is none that can be used. Never throws. */
export async function findCopy(folder: string): Promise<DatasetCopy | undefined> {
  try {
    const pointer: unknown = JSON.parse(await readFile(path.join(folder, POINTER), "utf8"));
    return isObject(pointer) ? copyOf(folder, pointer) : undefined;
  } catch {
    // No pointer, or one that something else wrote over: as if nothing had been fetched.
    return undefined;
  }
}

function copyOf(
  folder: string,
  pointer: Readonly<Record<string, unknown>>,
): DatasetCopy | undefined {
  const { kind, name, datasetVersion, etags, wish } = pointer;
  if (kind !== "dataset" && kind !== "file") return undefined;
  if (typeof name !== "string" || !MEMBER_NAME.test(name)) return undefined;
  if (typeof datasetVersion !== "string" || typeof wish !== "string") return undefined;
  const texts = isObject(etags) ? Object.entries(etags) : [];
  return {
    kind,
    path: path.join(folder, name),
    datasetVersion,
    wish,
    etags: Object.fromEntries(
      texts.filter((each): each is [string, string] => typeof each[1] === "string"),
    ),
  };
}

/** Where the bytes of a copy go while it is made. */
export interface CopyDraft {
  /** Absolute path of the finished copy's content: a folder, or a file. */
  readonly path: string;
  /** Writes one file of the copy; `name` is relative to `path`, empty for a single file. */
  write(name: string, bytes: Uint8Array): Promise<void>;
  /** Puts the copy into force and removes those it replaces. */
  commit(about: Omit<DatasetCopy, "path">): Promise<void>;
  /** Removes what was written. */
  discard(): Promise<void>;
}

/** Writes one file; another than `fs.writeFile` only where a test lets the disk be full. */
export type WriteFile = (file: string, bytes: Uint8Array) => Promise<void>;

/** Begins a copy beside those that are there. */
export async function draftCopy(
  folder: string,
  write: WriteFile = (file, bytes) => writeFile(file, bytes),
): Promise<CopyDraft> {
  await mkdir(folder, { recursive: true });
  const name = `copy-${Date.now().toString(36)}-${process.pid.toString(36)}-${nextNumber()}`;
  const draft = path.join(folder, name);
  return {
    path: draft,
    async write(member, bytes) {
      const file = path.join(draft, member);
      await mkdir(path.dirname(file), { recursive: true });
      await write(file, bytes);
    },
    async commit(about) {
      const { kind, datasetVersion, etags, wish } = about;
      const pointer = JSON.stringify({ kind, name, datasetVersion, etags, wish });
      const fresh = path.join(folder, `${name}.pointer`);
      await write(fresh, Buffer.from(pointer));
      await rename(fresh, path.join(folder, POINTER));
      await removeOthers(folder, name);
    },
    async discard() {
      await rm(draft, { recursive: true, force: true });
      await rm(path.join(folder, `${name}.pointer`), { force: true });
    },
  };
}

let drafts = 0;

function nextNumber(): string {
  drafts += 1;
  return drafts.toString(36);
}

/** Also what a writer that was killed left behind. A copy that cannot be removed only takes space. */
async function removeOthers(folder: string, kept: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name === kept || name === POINTER || !name.startsWith("copy-")) continue;
    await rm(path.join(folder, name), { recursive: true, force: true }).catch(() => undefined);
  }
}
