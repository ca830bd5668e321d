import { datasetVersionOf } from "../read-record-file.ts";
import { isObject } from "../record-schema.ts";
import { SyncError } from "./sync-error.ts";

/** A file of which the manifest knows the hash. */
export interface PublishedFile {
  /** Below the folder of the manifest. */
  readonly path: string;
  /** Of the bytes as published, lower-case hex. */
  readonly sha256: string;
}

/** What a client needs of a dataset's manifest, schema version 2. */
export interface Manifest {
  readonly datasetVersion: string;
  readonly index: PublishedFile;
}

/**
 * Reads a manifest.
 *
 * @throws {SyncError} `schema` for another schema version, or where something is missing.
 */
export function readManifest(value: unknown): Manifest {
  if (!isObject(value)) throw new SyncError("schema", "manifest.json is no object");
  const { schemaVersion, files } = value;
  if (schemaVersion !== 2) {
    const found = typeof schemaVersion === "number" ? schemaVersion : "none";
    throw new SyncError("schema", `manifest.json has schema version ${found}; 2 can be read`);
  }
  const datasetVersion = datasetVersionOf(value);
  if (datasetVersion === "") throw new SyncError("schema", "manifest.json names no datasetVersion");
  const index = isObject(files) ? publishedFile(files["index"]) : undefined;
  if (index === undefined) {
    throw new SyncError("schema", "manifest.json names no index with path and sha256");
  }
  return { datasetVersion, index };
}

function publishedFile(value: unknown): PublishedFile | undefined {
  if (!isObject(value)) return undefined;
  const { path, sha256 } = value;
  if (typeof path !== "string" || typeof sha256 !== "string") return undefined;
  // On the site the path begins with /data/; a mirror has its files elsewhere, beside the manifest.
  const below = path.replace(/^\/?(?:data\/)?/u, "");
  const isSound = isSafePath(below) && /^[0-9a-f]{64}$/iu.test(sha256);
  return isSound ? { path: below, sha256: sha256.toLowerCase() } : undefined;
}

/** Whether a relative path stays below its folder, whatever is done with it. */
export function isSafePath(relative: string): boolean {
  const segments = relative.split("/");
  return segments.every((segment) => /^[\w.-]{1,200}$/u.test(segment) && !/^\.+$/u.test(segment));
}
