import { readFile, stat } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { digestBytes } from "./digest-bytes.ts";
import { createLineLookup, locateJson, locateKey } from "./locate-json.ts";
import { isObject } from "./record-schema.ts";

/** Largest file, and largest text that a compressed one may become: V8's strings end there too. */
const FILE_BYTES_MAX = 400 * 2 ** 20;

/** One value of a file that should be a record. */
export interface RecordCandidate {
  readonly value: unknown;
  /** `file`, `file[3]` or, of JSON Lines, `file:4`. */
  readonly place: string;
  /** Path of the record in the file: `[3]`, `record`, or empty where the line says it all. */
  readonly path: string;
  /** Index from 0 in the file's array or among its lines that are not empty; 0 for a single record. */
  readonly index: number;
  /** Line from 1 of a field of the record, or of the record where it lacks the field. */
  lineOf(field: string): number;
}

/** What keeps a file, or one line of JSON Lines, from being read. */
export interface FileFault {
  /** Of JSON Lines as in a candidate; `undefined` for the whole file. */
  readonly index: number | undefined;
  readonly line: number | undefined;
  readonly message: string;
}

/** The content of one file, in whatever shape it came. */
export interface RecordFile {
  readonly candidates: readonly RecordCandidate[];
  readonly faults: readonly FileFault[];
  /** The newest that API answers in the file name; empty when none does. */
  readonly datasetVersion: string;
  /** Of the bytes that were read; `undefined` when they could not be. */
  readonly digest: string | undefined;
}

type ParsedFile = Omit<RecordFile, "digest">;

/**
 * Reads a record file: an ErrLookup API answer `{record, datasetVersion}`, a bare record, an array of
 * those, or JSON Lines of either; compressed with gzip or not. The extension decides nothing but that
 * `.jsonl` and `.ndjson` are JSON Lines.
 *
 * A file that is not named as records and holds no JSON, such as a README in the folder, has nothing
 * in it and no fault.
 */
export async function readRecordFile(file: string, isNamedAsRecords: boolean): Promise<RecordFile> {
  try {
    const bytes = await readBytes(file);
    const digest = digestBytes(bytes);
    const text = await textOf(bytes);
    const isOther = !isNamedAsRecords && !/^\s*[[{]/u.test(text);
    return { ...(isOther ? NOTHING : parseRecordText(file, text)), digest: await digest };
  } catch (error) {
    return { ...failed(describeReadError(error)), digest: undefined };
  }
}

const NOTHING: ParsedFile = { candidates: [], faults: [], datasetVersion: "" };

function failed(message: string, line?: number): ParsedFile {
  return { candidates: [], faults: [{ index: undefined, line, message }], datasetVersion: "" };
}

async function readBytes(file: string): Promise<Buffer<ArrayBuffer>> {
  const status = await stat(file);
  if (!status.isFile()) throw new Error("is no regular file");
  if (status.size > FILE_BYTES_MAX) throw new Error("is larger than 400 MiB");
  return readFile(file);
}

async function textOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const plain = isGzip
    ? await unzip(bytes, { maxOutputLength: FILE_BYTES_MAX })
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return plain.toString("utf8").replace(/^\uFEFF/u, "");
}

const unzip = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(gunzip);

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "no such file or folder",
  EACCES: "permission denied",
  ELOOP: "symbolic links lead in a circle",
  ERR_BUFFER_TOO_LARGE: "becomes larger than 400 MiB when it is decompressed",
  Z_DATA_ERROR: "is broken gzip",
  Z_BUF_ERROR: "is gzip that ends too early",
};

/** Why a file or folder could not be read, in words and without its path. */
export function describeReadError(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  if (code !== undefined) return REASONS[code] ?? code;
  return error instanceof Error ? error.message : "cannot be read";
}

function parseRecordText(file: string, text: string): ParsedFile {
  const isLines = /\.(?:jsonl|ndjson)(?:\.gz)?$/iu.test(file);
  if (isLines) return parseLines(file, text);
  const parsed = tryParse(text);
  if (parsed !== undefined) return fileOf(file, text, parsed.value);
  if (looksLikeLines(text)) return parseLines(file, text);
  const { brokenAt } = locateJson(text);
  return failed(
    "is no JSON",
    brokenAt === undefined ? undefined : createLineLookup(text)(brokenAt),
  );
}

/**
 * JSON Lines without the extension: a line begins an object and goes on, and a later one begins
 * another. Pretty-printed JSON has its opening brace alone, an array begins with a bracket.
 */
function looksLikeLines(text: string): boolean {
  return /^\s*\{[^\n]*[^\s{][^\n]*\n/u.test(text) && /\n\{/u.test(text);
}

function tryParse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

function fileOf(file: string, text: string, value: unknown): ParsedFile {
  const lineAt = lazily(() => createLineLookup(text));
  if (Array.isArray(value)) {
    const offsets = lazily(() => locateJson(text).members);
    const candidates = value.map((member: unknown, index) => ({
      value: member,
      place: `${file}[${index}]`,
      path: `[${index}]`,
      index,
      lineOf: (field: string) => lineAt()(locateKey(text, offsets()[index] ?? 0, field)),
    }));
    return { candidates, faults: [], datasetVersion: "" };
  }
  const answer = unwrap(value);
  const start = lazily(() => text.search(/\S/u));
  const lineOf = (field: string): number => {
    const outer = answer.isWrapped ? locateKey(text, start(), "record") : start();
    const inner = answer.isWrapped ? text.indexOf("{", outer) : outer;
    return lineAt()(locateKey(text, inner, field));
  };
  const at = answer.isWrapped ? "record" : "";
  const candidate = { value: answer.value, place: file, path: at, index: 0, lineOf };
  return { candidates: [candidate], faults: [], datasetVersion: answer.datasetVersion };
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

function parseLines(file: string, text: string): ParsedFile {
  const candidates: RecordCandidate[] = [];
  const faults: FileFault[] = [];
  let datasetVersion = "";
  let index = -1;
  for (const [at, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    index += 1;
    const lineNumber = at + 1;
    const parsed = tryParse(line);
    if (parsed === undefined) {
      faults.push({ index, line: lineNumber, message: "is no JSON" });
      continue;
    }
    const answer = unwrap(parsed.value);
    if (answer.datasetVersion > datasetVersion) datasetVersion = answer.datasetVersion;
    const place = `${file}:${lineNumber}`;
    candidates.push({
      value: answer.value,
      place,
      path: answer.isWrapped ? "record" : "",
      index,
      lineOf: () => lineNumber,
    });
  }
  return { candidates, faults, datasetVersion };
}

interface Answer {
  readonly value: unknown;
  readonly isWrapped: boolean;
  readonly datasetVersion: string;
}

/** Takes the record out of an API answer; a bare record comes back as it is. */
function unwrap(value: unknown): Answer {
  if (!isObject(value) || !Object.hasOwn(value, "record")) {
    return { value, isWrapped: false, datasetVersion: "" };
  }
  const datasetVersion = datasetVersionOf(value);
  return { value: value["record"], isWrapped: true, datasetVersion };
}

/** The version that an API answer or a manifest names; empty when it names none that can be one. */
export function datasetVersionOf(value: unknown): string {
  const version = isObject(value) ? value["datasetVersion"] : undefined;
  const isVersion = typeof version === "string" && /^[\w.:+-]{1,64}$/u.test(version);
  return isVersion ? version : "";
}
