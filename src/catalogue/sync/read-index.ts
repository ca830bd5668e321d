import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { datasetVersionOf } from "../read-record-file.ts";
import { isObject } from "../record-schema.ts";
import type { Manifest } from "./read-manifest.ts";
import { isSafePath } from "./read-manifest.ts";
import { parseAnswer, SyncError } from "./sync-error.ts";

/** Of each repository its records: id → message. It tells which records a version has. */
export type DatasetIndex = ReadonlyMap<string, ReadonlyMap<string, string>>;

const DECODED_BYTES_MAX = 400 * 2 ** 20;
const unzip = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(gunzip);

/** The bytes as published, whatever the transport did to them; checked against the manifest's hash. */
export async function publishedBytes(
  { bytes, contentEncoding }: { readonly bytes: Uint8Array; readonly contentEncoding: string },
  { path, sha256 }: Manifest["index"],
): Promise<Uint8Array> {
  if (sha256Of(bytes) === sha256) return bytes;
  if (contentEncoding !== "") {
    const decoded = await decode(bytes, path);
    if (sha256Of(decoded) === sha256) return decoded;
  }
  throw new SyncError("hash", `${path} has not the hash that manifest.json gives`);
}

function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Undoes gzip where bytes begin as gzip does. */
export async function decode(bytes: Uint8Array, name: string): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return await unzip(bytes, { maxOutputLength: DECODED_BYTES_MAX });
  } catch (cause) {
    throw new SyncError("gzip", `${name} is broken gzip, or too large`, { cause });
  }
}

/**
 * Reads the index of a dataset.
 *
 * @throws {SyncError} `version` when it is of another version than the manifest: one of both was
 * published while the other was read.
 */
export async function readIndex(
  published: Uint8Array,
  { datasetVersion, index }: Manifest,
): Promise<DatasetIndex> {
  const value = parseAnswer(await decode(published, index.path), index.path);
  const version = datasetVersionOf(value);
  if (version !== datasetVersion) {
    throw new SyncError(
      "version",
      `manifest.json is of ${datasetVersion}, but ${index.path} of ${version === "" ? "no version" : version}`,
    );
  }
  const entries = isObject(value) ? value["errors"] : undefined;
  if (!Array.isArray(entries)) throw new SyncError("schema", `${index.path} has no list of errors`);
  return groupByRepo(entries, index.path);
}

function groupByRepo(entries: readonly unknown[], name: string): DatasetIndex {
  const repos = new Map<string, Map<string, string>>();
  for (const entry of entries) {
    const { id, repo, msg } = isObject(entry) ? entry : {};
    if (typeof id !== "string" || typeof repo !== "string" || typeof msg !== "string") {
      throw new SyncError("schema", `${name} has an entry without id, repo or msg`);
    }
    if (repo.split("/").length !== 2 || !isSafePath(repo)) {
      throw new SyncError("schema", `${name} names a repository that can be no file name`);
    }
    const known = repos.get(repo);
    if (known === undefined) repos.set(repo, new Map([[id, msg]]));
    else known.set(id, msg);
  }
  return repos;
}

/**
 * Checks that a repository file is of the version of the index. It has no hash of its own, and caches
 * on the way may be a day behind.
 *
 * @throws {SyncError} `records` when it is no list, `version` when it holds other records.
 */
export function checkRepoFile(
  bytes: Uint8Array,
  path: string,
  expected: ReadonlyMap<string, string>,
): void {
  const records = parseAnswer(bytes, path);
  if (!Array.isArray(records)) throw new SyncError("records", `${path} is no list of records`);
  const isSame =
    records.length === expected.size &&
    records.every((record: unknown) => {
      const { id, errorMessage } = isObject(record) ? record : {};
      return typeof id === "string" && expected.get(id) === errorMessage;
    });
  if (!isSame) {
    throw new SyncError("version", `${path} does not hold the records that the index lists for it`);
  }
}
