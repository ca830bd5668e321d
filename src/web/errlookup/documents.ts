import { createHash } from "node:crypto";
import { once } from "node:events";
import { createGzip } from "node:zlib";
import type { RecordStore } from "../../enrich/ports.ts";
import type { KnownError } from "../../record/known-error.ts";
import type { RecordIndex } from "../records/record-index.ts";
import type { Pause } from "../records/word-postings.ts";
import { repoEntries } from "./repo-entries.ts";

/** Bytes as they are served, with what the manifest says of them. */
export interface PublishedDocument {
  readonly bytes: Uint8Array;
  /** Lower-case hex, of the bytes. */
  readonly sha256: string;
}

/** The documents of a dataset that have a hash. Of the index only the compressed form is kept. */
export interface PublishedDocuments {
  readonly manifest: PublishedDocument;
  readonly repos: PublishedDocument;
  readonly indexGzip: PublishedDocument;
  /** Of the decoded index. */
  readonly index: { readonly bytes: number; readonly sha256: string };
}

/** Makes the documents; the index of many records is written in slices and compressed beside. */
export async function publishDocuments(
  { records, index }: { readonly records: RecordStore; readonly index: RecordIndex },
  datasetVersion: string,
  pause: Pause,
): Promise<PublishedDocuments> {
  const repos = documentOf(JSON.stringify(repoEntries(index)));
  const { gzip, raw } = await writeIndex(records, datasetVersion, pause);
  const manifest = {
    schemaVersion: 2,
    datasetVersion,
    counts: { repos: index.repos.length, errors: index.size },
    files: {
      // Clients up to 0.1.2 fetch the plain file and check it against this hash, whatever the path says.
      index: { path: "/data/index.json", ...raw },
      indexGzip: {
        path: "/data/index.json.gz",
        bytes: gzip.bytes.length,
        sha256: gzip.sha256,
        encoding: "gzip",
        rawBytes: raw.bytes,
        rawSha256: raw.sha256,
      },
      repos: { path: "/data/repos.json", bytes: repos.bytes.length, sha256: repos.sha256 },
    },
  };
  return { manifest: documentOf(JSON.stringify(manifest)), repos, indexGzip: gzip, index: raw };
}

function documentOf(text: string): PublishedDocument {
  const bytes = Buffer.from(text);
  return { bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
}

const PIECE_CHARACTERS = 2 ** 16;

async function writeIndex(
  records: RecordStore,
  datasetVersion: string,
  pause: Pause,
): Promise<{ gzip: PublishedDocument; raw: PublishedDocuments["index"] }> {
  const gzip = createGzip();
  const chunks: Buffer[] = [];
  gzip.on("data", (chunk: Buffer) => chunks.push(chunk));
  const ended = once(gzip, "end");
  const hash = createHash("sha256");
  let size = 0;
  const write = async (text: string) => {
    const piece = Buffer.from(text);
    hash.update(piece);
    size += piece.length;
    if (!gzip.write(piece)) await once(gzip, "drain");
  };
  let text = `{"schemaVersion":2,"datasetVersion":${JSON.stringify(datasetVersion)},"errors":[`;
  let separator = "";
  for (const { record } of records.records()) {
    text += separator + JSON.stringify(indexEntry(record));
    separator = ",";
    if (text.length >= PIECE_CHARACTERS) {
      await write(text);
      text = "";
    }
    await pause();
  }
  await write(`${text}]}`);
  gzip.end();
  await ended;
  const bytes = Buffer.concat(chunks);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { gzip: { bytes, sha256 }, raw: { bytes: size, sha256: hash.digest("hex") } };
}

function indexEntry(record: KnownError): object {
  const { id, repo, slug, errorCode, errorMessage, messagePattern, tags } = record;
  const { errorType: type, errorClass: cls, severity: sev } = record;
  const names = { id, repo, slug, code: errorCode, msg: errorMessage, pattern: messagePattern };
  return { ...names, type, cls, tags, sev };
}
