import { readFileSync } from "node:fs";
import { copyFolderOf, findCopy } from "../catalogue/sync/dataset-copy.ts";
import { createFetch } from "../catalogue/sync/http-fetch.ts";
import type { FetchOptions } from "../catalogue/sync/http-fetch.ts";
import { syncUrl } from "../catalogue/sync/sync-dataset.ts";
import type { SyncMeans, SyncTask } from "../catalogue/sync/sync-dataset.ts";
import { SyncError } from "../catalogue/sync/sync-error.ts";
import type { Config } from "../config/config.ts";
import { CACHE_PATH, readVersion } from "./installation.ts";

/** Everything that a sync of one URL needs, as plain values: it is sent to the worker thread. */
export interface SyncRequest {
  readonly task: SyncTask;
  readonly http: Omit<FetchOptions, "ca"> & { readonly caPath: string | undefined };
}

/** What became of the sync of one URL; the copy in force stays when it failed. */
export type SyncReport =
  | {
      readonly url: string;
      readonly result: "updated" | "unchanged";
      readonly datasetVersion: string;
      /** Chosen repositories that the dataset does not have. */
      readonly absentRepos: readonly string[];
    }
  | {
      readonly url: string;
      readonly result: "failure";
      /** Of a closed list. */
      readonly reason: string;
      readonly message: string;
      /** Whether an earlier copy is there, which stays in use. */
      readonly hasCopy: boolean;
    };

/** The syncs that a configuration asks for, in its order. */
export function syncRequestsOf({ records }: Pick<Config, "records">): readonly SyncRequest[] {
  const { caPath, proxyUrl, timeoutMs } = records.http;
  const userAgent = `alertlore/${readVersion()}`;
  const http = { caPath, proxyUrl: proxyUrl?.reveal(), timeoutMs, userAgent };
  return records.sources.flatMap(({ url, repos }) =>
    url === undefined
      ? []
      : [
          {
            task: { url, repos, folder: copyFolderOf(records.cachePath ?? CACHE_PATH, url) },
            http,
          },
        ],
  );
}

/** Fetches what is new at one URL. Throws only where the program is wrong. */
export async function syncOnce(
  { task, http }: SyncRequest,
  means: Omit<SyncMeans, "fetch"> = {},
): Promise<SyncReport> {
  const { url } = task;
  try {
    const { caPath, ...options } = http;
    const fetch = createFetch({ ...options, ca: readCertificates(caPath) });
    const outcome = await syncUrl(task, { fetch, ...means });
    const { isUpdated, datasetVersion, absentRepos } = outcome;
    return { url, result: isUpdated ? "updated" : "unchanged", datasetVersion, absentRepos };
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    return failedSync(task, error);
  }
}

/** The report of a sync that gave nothing. */
export async function failedSync(
  { url, folder }: SyncTask,
  { reason, message }: { readonly reason: string; readonly message: string },
): Promise<SyncReport> {
  const hasCopy = (await findCopy(folder)) !== undefined;
  return { url, result: "failure", reason, message, hasCopy };
}

/** What is used where a URL gave nothing new. */
export function fallbackWords({ hasCopy }: { readonly hasCopy: boolean }): string {
  return hasCopy ? "the last good copy stays" : "there is no earlier copy";
}

function readCertificates(caPath: string | undefined): string | undefined {
  if (caPath === undefined) return undefined;
  try {
    return readFileSync(caPath, "utf8");
  } catch (cause) {
    throw new SyncError("unreachable", "the file of certificates cannot be read", { cause });
  }
}
