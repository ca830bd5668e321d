import { createHash } from "node:crypto";

const START = "1970-01-01T00:00:00.000Z";

/**
 * The version under which the loaded records are published. Clients fetch again when it changes, so
 * where records came from elsewhere than one dataset, digits of a digest stand behind the milliseconds:
 * it stays a time of ISO 8601 and changes with every overlay.
 */
export function publishedVersion(facts: {
  /** Of the dataset; empty without one. */
  readonly datasetVersion: string;
  /** Latest time of analysis, for want of a dataset; may be empty. */
  readonly analyzedAt: string;
  /** Of all that entered the catalogue; `undefined` when nothing but the dataset did. */
  readonly digest: string | undefined;
}): string {
  const { datasetVersion, analyzedAt, digest } = facts;
  if (digest === undefined && datasetVersion !== "") return datasetVersion;
  const time = isoOf(datasetVersion) ?? isoOf(analyzedAt) ?? START;
  return `${time.slice(0, -1)}${digitsOf(digest ?? "")}Z`;
}

function isoOf(text: string): string | undefined {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

function digitsOf(digest: string): string {
  const hash = createHash("sha256").update(digest).digest();
  return String(hash.readUIntBE(0, 6) % 1e12).padStart(12, "0");
}
