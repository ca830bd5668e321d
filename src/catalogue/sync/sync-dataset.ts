import { readFile } from "node:fs/promises";
import path from "node:path";
import { draftCopy, findCopy } from "./dataset-copy.ts";
import type { CopyDraft, DatasetCopy, WriteFile } from "./dataset-copy.ts";
import { nameOf } from "./http-fetch.ts";
import type { Fetch } from "./http-fetch.ts";
import { checkRepoFile, decode, publishedBytes, readIndex } from "./read-index.ts";
import type { DatasetIndex } from "./read-index.ts";
import { readManifest } from "./read-manifest.ts";
import type { Manifest } from "./read-manifest.ts";
import { parseAnswer, SyncError } from "./sync-error.ts";

/** What is to be fetched, and where to. Plain values but for the functions. */
export interface SyncTask {
  /** A published dataset when it ends in `/` or `/manifest.json`, else a single file. */
  readonly url: string;
  /** Of a dataset; all when empty. */
  readonly repos: readonly string[];
  /** Folder of the copies. */
  readonly folder: string;
}

/** Means of a sync. */
export interface SyncMeans {
  readonly fetch: Fetch;
  /** Told after each file. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Only a test gives another than the file system's. */
  readonly write?: WriteFile;
}

/** What a sync came to. */
export interface SyncOutcome {
  readonly isUpdated: boolean;
  /** Of the copy now in force; empty for a single file. */
  readonly datasetVersion: string;
  /** Wished repositories that the dataset does not have. */
  readonly absentRepos: readonly string[];
}

const AT_ONCE = 4;
const MANIFEST = "manifest.json";

/**
 * Fetches what is new. The copy in force is replaced as a whole, once everything new has arrived,
 * fits together and is written; until then, and when anything is wrong, it stays.
 *
 * @throws {SyncError} When nothing new could be taken.
 */
export async function syncUrl(task: SyncTask, means: SyncMeans): Promise<SyncOutcome> {
  const copy = await findCopy(task.folder);
  const wish = JSON.stringify([task.url, [...task.repos].sort()]);
  const usable = copy?.wish === wish ? copy : undefined;
  const isDataset = /\/(?:manifest\.json)?$/u.test(task.url);
  return isDataset
    ? syncDataset({ ...task, wish, copy: usable }, means)
    : syncFile({ ...task, wish, copy: usable }, means);
}

interface Sync extends SyncTask {
  readonly wish: string;
  readonly copy: DatasetCopy | undefined;
}

async function syncFile(sync: Sync, means: SyncMeans): Promise<SyncOutcome> {
  const { url, copy, wish } = sync;
  const answer = await means.fetch(url, copy?.etags[""]);
  if (!answer.isFresh) return { isUpdated: false, datasetVersion: "", absentRepos: [] };
  const bytes = await decode(answer.bytes, nameOf(url));
  if (copy !== undefined && Buffer.from(bytes).equals(await readFile(copy.path))) {
    return { isUpdated: false, datasetVersion: "", absentRepos: [] };
  }
  if (!/\.(?:jsonl|ndjson)(?:\.gz)?$/iu.test(new URL(url).pathname))
    parseAnswer(bytes, nameOf(url));
  await writeCopy(sync, means, async (draft) => {
    await draft.write("", bytes);
    const etags = etagMap([["", answer.etag]]);
    await draft.commit({ kind: "file", datasetVersion: "", etags, wish });
  });
  return { isUpdated: true, datasetVersion: "", absentRepos: [] };
}

async function syncDataset(sync: Sync, means: SyncMeans): Promise<SyncOutcome> {
  const { copy, repos } = sync;
  const answer = await means.fetch(urlOf(sync, MANIFEST), copy?.etags[MANIFEST]);
  const unchanged = {
    isUpdated: false,
    datasetVersion: copy?.datasetVersion ?? "",
    absentRepos: [],
  };
  if (!answer.isFresh) return unchanged;
  const manifestBytes = await decode(answer.bytes, MANIFEST);
  const manifest = readManifest(parseAnswer(manifestBytes, MANIFEST));
  const { datasetVersion } = manifest;
  if (datasetVersion === copy?.datasetVersion) return unchanged;
  if (copy !== undefined && datasetVersion < copy.datasetVersion) {
    const message = `${MANIFEST} is of ${datasetVersion}, older than the copy of ${copy.datasetVersion}`;
    throw new SyncError("version", message);
  }
  const index = await fetchIndex(sync, manifest, means);
  const chosen = repos.length === 0 ? [...index.repos.keys()] : repos;
  const absentRepos = chosen.filter((repo) => !index.repos.has(repo));
  await writeCopy(sync, means, async (draft) => {
    await draft.write(MANIFEST, manifestBytes);
    await draft.write(manifest.index.path, index.published);
    const present = chosen.filter((repo) => index.repos.has(repo)).sort();
    const etags = await fetchRepos(
      { ...sync, repos: present },
      { index: index.repos, draft },
      means,
    );
    const all = etagMap([[MANIFEST, answer.etag], ...etags]);
    await draft.commit({ kind: "dataset", datasetVersion, etags: all, wish: sync.wish });
  });
  return { isUpdated: true, datasetVersion, absentRepos };
}

function urlOf({ url }: SyncTask, relative: string): string {
  return `${url.replace(/manifest\.json$/u, "")}${relative}`;
}

async function fetchIndex(
  sync: Sync,
  manifest: Manifest,
  { fetch }: SyncMeans,
): Promise<{ readonly published: Uint8Array; readonly repos: DatasetIndex }> {
  const { index } = manifest;
  const answer = await fetch(urlOf(sync, index.path), undefined);
  if (!answer.isFresh) throw new SyncError("status", `${index.path} was not sent`);
  const published = await publishedBytes(answer, index);
  return { published, repos: await readIndex(published, manifest) };
}

type Etag = readonly [string, string | undefined];

async function fetchRepos(
  sync: Sync,
  into: { readonly index: DatasetIndex; readonly draft: CopyDraft },
  means: SyncMeans,
): Promise<readonly Etag[]> {
  const { repos } = sync;
  const etags: Etag[] = [];
  const waiting = [...repos];
  const work = async (): Promise<void> => {
    try {
      for (let repo = waiting.pop(); repo !== undefined; repo = waiting.pop()) {
        etags.push(await fetchRepo(sync, repo, into, means));
        means.onProgress?.(etags.length, repos.length);
      }
    } catch (error) {
      waiting.length = 0;
      throw error;
    }
  };
  // All of them have to be over before the draft may be removed.
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
  const failed = ends.find((end) => end.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return etags;
}

async function fetchRepo(
  sync: Sync,
  repo: string,
  { index, draft }: { readonly index: DatasetIndex; readonly draft: CopyDraft },
  { fetch }: SyncMeans,
): Promise<Etag> {
  const name = `repos/${repo}.json`;
  const etag = sync.copy?.etags[name];
  const answer = await fetch(urlOf(sync, name), etag);
  const bytes =
    answer.isFresh || sync.copy === undefined
      ? await decode(answer.isFresh ? answer.bytes : new Uint8Array(0), name)
      : await readFile(path.join(sync.copy.path, name));
  checkRepoFile(bytes, name, index.get(repo) ?? new Map());
  await draft.write(name, bytes);
  return [name, answer.isFresh ? answer.etag : etag];
}

function etagMap(etags: readonly Etag[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    etags.filter((each): each is [string, string] => each[1] !== undefined),
  );
}

/** Makes a copy and removes what there is of it when it fails. */
async function writeCopy(
  { folder }: Sync,
  { write }: SyncMeans,
  fill: (draft: CopyDraft) => Promise<void>,
): Promise<void> {
  let draft: CopyDraft | undefined;
  try {
    draft = await draftCopy(folder, write);
    await fill(draft);
  } catch (error) {
    await draft?.discard().catch(() => undefined);
    if (error instanceof SyncError) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
    if (code === undefined) throw error;
    const why = code === "ENOSPC" || code === "EDQUOT" ? "the disk is full" : code;
    throw new SyncError("disk", `the copy could not be written: ${why}`, { cause: error });
  }
}
