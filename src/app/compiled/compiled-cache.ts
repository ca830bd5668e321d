import { createHash } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { endianness } from "node:os";
import path from "node:path";
import type { BuiltCatalogue } from "../build-catalogue.ts";
import { digestRecords } from "../gather-records.ts";
import type { RecordPlan } from "../gather-records.ts";
import { readFlat, writeFlat } from "./flat-file.ts";

/** Where a compiled catalogue is kept, as plain values: it is sent to the worker thread. */
export interface CompiledCache {
  readonly folder: string;
  /** Larger ones are not kept and not read; 0: none is. */
  readonly bytesMax: number;
}

/** What became of a kept catalogue: found, or why it is not there. */
export type CacheAnswer =
  | { readonly built: BuiltCatalogue; readonly state: "found" }
  | { readonly built: undefined; readonly state: "absent" | "outdated" }
  | { readonly built: undefined; readonly state: "broken"; readonly reason: string };

const NAME = "compiled.bin";
const ABSENT: CacheAnswer = { built: undefined, state: "absent" };

/**
 * The catalogue that was kept for exactly these records, mutes and overlays by exactly this program.
 * Everything that enters is read and compared by its content, not by its time. Never throws on what
 * it reads: a broken or outdated file is as good as none.
 */
export async function readCompiled(plan: RecordPlan, cache: CompiledCache): Promise<CacheAnswer> {
  const file = path.join(cache.folder, NAME);
  // Now, not when it is needed: the program's files may be replaced under a process that runs.
  programDigest ??= digestProgram();
  void programDigest.catch(() => undefined);
  if (!(await isWithin(file, cache.bytesMax))) return ABSENT;
  const digest = await digestRecords(plan);
  if (digest === undefined) return ABSENT;
  try {
    const handle = await open(file, "r");
    try {
      const found = await readFlat(handle, await keyOf(digest));
      if (found === undefined) return { built: undefined, state: "outdated" };
      return { built: found as BuiltCatalogue, state: "found" };
    } finally {
      await handle.close();
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : "cannot be read";
    return { built: undefined, state: "broken", reason };
  }
}

async function isWithin(file: string, bytesMax: number): Promise<boolean> {
  return stat(file).then(
    (status) => status.isFile() && status.size <= bytesMax,
    () => false,
  );
}

/** What became of an attempt to keep a catalogue. */
export type KeepOutcome =
  | { readonly isKept: true; readonly bytes: number }
  /** `isFault`: it should have been. */
  | { readonly isKept: false; readonly isFault: boolean; readonly reason: string };

/**
 * Keeps a catalogue for the next start, in one step in place of the one before. One that is not whole,
 * because a source was broken or missing, is not kept. Never throws: the disk may be full.
 */
export async function keepCompiled(
  built: BuiltCatalogue,
  { folder, bytesMax }: CompiledCache,
): Promise<KeepOutcome> {
  const { digest, broken, faults } = built;
  if (digest === undefined || broken.length > 0 || faults.length > 0) {
    return { isKept: false, isFault: false, reason: "not all sources could be read" };
  }
  const bytes = bytesOf(built);
  if (bytes > bytesMax) {
    return { isKept: false, isFault: false, reason: "it is larger than records.compiled_max" };
  }
  const draft = path.join(folder, `${NAME}.${process.pid.toString(36)}-${nextNumber()}.tmp`);
  try {
    await mkdir(folder, { recursive: true });
    await removeDrafts(folder);
    const handle = await open(draft, "wx");
    let written: number;
    try {
      written = await writeFlat(handle, await keyOf(digest), built);
      await handle.datasync();
    } finally {
      await handle.close();
    }
    await rename(draft, path.join(folder, NAME));
    return { isKept: true, bytes: written };
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    const reason = error instanceof Error ? error.message : "unknown";
    return { isKept: false, isFault: true, reason };
  }
}

let drafts = 0;

function nextNumber(): string {
  drafts += 1;
  return `${drafts.toString(36)}${Math.random().toString(36).slice(2, 8)}`;
}

/** What a process that was killed left behind: it has stood still for longer than any writing takes. */
const DRAFT_AGE_MS = 10 * 60_000;

async function removeDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${NAME}.`) || !name.endsWith(".tmp")) continue;
    const file = path.join(folder, name);
    const status = await stat(file).catch(() => undefined);
    if (status === undefined || Date.now() - status.mtimeMs < DRAFT_AGE_MS) continue;
    await rm(file, { force: true });
  }
}

/** Bytes of all arrays; the rest is small beside them. */
function bytesOf(value: unknown): number {
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (typeof value === "string") return 2 * value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, each) => sum + bytesOf(each), 0);
}

const ROOT = path.resolve(import.meta.dirname, "..", "..");
/** Folders whose code decides what a catalogue looks like. */
const CODE_FOLDERS = ["app", "catalogue", "config", "count", "match", "record"];

/**
 * Of the records and of the program: its own files, so that no change of the compiler or its tables
 * can be forgotten, and the versions of what it runs on.
 */
async function keyOf(digest: string): Promise<string> {
  programDigest ??= digestProgram();
  const machine = `${process.versions.node} ${endianness()}`;
  return createHash("sha256")
    .update(`${digest}\n${await programDigest}\n${machine}`)
    .digest("hex");
}

let programDigest: Promise<string> | undefined;

async function digestProgram(): Promise<string> {
  const sum = createHash("sha256");
  for (const folder of CODE_FOLDERS) {
    const entries = await readdir(path.join(ROOT, folder), { recursive: true });
    for (const name of entries.filter((each) => /\.[jt]s$/u.test(each)).sort()) {
      const file = path.join(folder, name);
      sum.update(`${file}\n`).update(await readFile(path.join(ROOT, file)));
    }
  }
  sum.update(await readFile(path.join(ROOT, "..", "package.json")));
  return sum.digest("hex");
}
