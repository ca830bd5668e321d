import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { partsOf, placePart } from "../hand-over.ts";

/** First in the file; another layout gets another number. */
const MAGIC = "alertlore flat 1\n";
/** Behind the magic word: the length of the table in bytes, eight digits. */
const LENGTH_DIGITS = 8;
const TABLE_BYTES_MAX = 64 * 2 ** 20;
const SUM_BYTES = 32;

const ARRAYS = { Uint8Array, Uint16Array, Uint32Array, Float32Array } as const;
type ArrayName = keyof typeof ARRAYS;
type FlatArray = InstanceType<(typeof ARRAYS)[ArrayName]>;

/** How one part of the object lies in the file; a part with a `value` lies in the table itself. */
type PartForm =
  | { readonly form: "value"; readonly value: unknown }
  | { readonly form: "text"; readonly encoding: "latin1" | "utf16le"; readonly bytes: number }
  | { readonly form: "array"; readonly array: ArrayName; readonly length: number }
  | { readonly form: "arrays"; readonly array: ArrayName; readonly lengths: readonly number[] };

type PartEntry = PartForm & { readonly keys: readonly string[] };

interface Table {
  readonly key: string;
  readonly parts: readonly PartEntry[];
}

/** Texts from this length on lie outside the table. */
const LONG_TEXT = 4096;

/**
 * Writes a plain object of typed arrays, texts and small values: a table of its parts, the bytes of
 * the large ones, and a SHA-256 of all that. Numbers lie in the machine's own order of bytes.
 *
 * @returns Its size in bytes.
 */
export async function writeFlat(handle: FileHandle, key: string, whole: object): Promise<number> {
  const parts: PartEntry[] = [];
  const bodies: Uint8Array[] = [];
  for (const { keys, value } of partsOf(whole)) {
    const { form, bytes } = formOf(value);
    parts.push({ keys, ...form });
    bodies.push(...bytes);
  }
  const table = Buffer.from(JSON.stringify({ key, parts } satisfies Table, refuseArrays));
  const head = MAGIC + String(table.length).padStart(LENGTH_DIGITS, "0");
  const sum = createHash("sha256");
  let size = 0;
  for (const bytes of [Buffer.from(head), table, ...bodies]) {
    sum.update(bytes);
    await handle.writeFile(bytes);
    size += bytes.byteLength;
  }
  await handle.writeFile(sum.digest());
  return size + SUM_BYTES;
}

/** One that lies too deep to be found would come back as an object of numbers. */
function refuseArrays(_key: string, value: unknown): unknown {
  if (ArrayBuffer.isView(value)) throw new Error("an array lies too deep to be written");
  return value;
}

function formOf(value: unknown): {
  readonly form: PartForm;
  readonly bytes: readonly Uint8Array[];
} {
  if (typeof value === "string" && value.length >= LONG_TEXT) {
    const encoding = isLatin1(value) ? "latin1" : "utf16le";
    const bytes = Buffer.from(value, encoding);
    return { form: { form: "text", encoding, bytes: bytes.length }, bytes: [bytes] };
  }
  if (isFlatArray(value)) {
    const array = nameOf(value);
    return { form: { form: "array", array, length: value.length }, bytes: [bytesOf(value)] };
  }
  if (Array.isArray(value) && value.length > 0 && value.every(isFlatArray)) {
    const lengths = value.map(({ length }) => length);
    const array = nameOf(value[0] as FlatArray);
    return { form: { form: "arrays", array, lengths }, bytes: value.map(bytesOf) };
  }
  return { form: { form: "value", value }, bytes: [] };
}

function isLatin1(text: string): boolean {
  return !/[^\0-\xff]/u.test(text);
}

function isFlatArray(value: unknown): value is FlatArray {
  return Object.values(ARRAYS).some((kind) => value instanceof kind);
}

function nameOf(value: FlatArray): ArrayName {
  return value.constructor.name as ArrayName;
}

function bytesOf({ buffer, byteOffset, byteLength }: FlatArray): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/**
 * Reads what `writeFlat` wrote under this key. Every array has a buffer of its own, so that it can be
 * moved to another thread.
 *
 * @returns `undefined` when the file is of another key.
 * @throws {Error} When the file is cut off, changed or something else.
 */
export async function readFlat(handle: FileHandle, key: string): Promise<object | undefined> {
  const { size } = await handle.stat();
  const head = await readBytes(handle, MAGIC.length + LENGTH_DIGITS);
  const text = head.toString("latin1");
  const length = Number(text.slice(MAGIC.length));
  const isOurs = text.startsWith(MAGIC) && Number.isInteger(length);
  if (!isOurs || length > Math.min(size, TABLE_BYTES_MAX)) throw new Error("is no flat file");
  const tableBytes = await readBytes(handle, length);
  const table = JSON.parse(tableBytes.toString("utf8")) as Table;
  if (table.key !== key) return undefined;
  const bodyBytes = table.parts.reduce((sum, part) => sum + bodyBytesOf(part), 0);
  // Before anything is allocated: a length that was changed would ask for any size.
  if (head.length + length + bodyBytes + SUM_BYTES !== size) throw new Error("has another length");
  const bodies = table.parts.flatMap(emptyBodiesOf);
  const found = createHash("sha256").update(head).update(tableBytes);
  for (const body of bodies) {
    const bytes = bytesOf(body);
    await fill(handle, bytes);
    found.update(bytes);
  }
  const sum = await readBytes(handle, SUM_BYTES);
  if (!sum.equals(found.digest())) throw new Error("has another checksum");
  return putTogether(table.parts, bodies);
}

function bodyBytesOf(part: PartForm): number {
  if (part.form === "value") return 0;
  if (part.form === "text") return part.bytes;
  const lengths = part.form === "array" ? [part.length] : part.lengths;
  const items = lengths.reduce((sum, length) => sum + length, 0);
  return items * ARRAYS[part.array].BYTES_PER_ELEMENT;
}

function emptyBodiesOf(part: PartForm): readonly FlatArray[] {
  if (part.form === "value") return [];
  if (part.form === "text") return [new Uint8Array(part.bytes)];
  const lengths = part.form === "array" ? [part.length] : part.lengths;
  return lengths.map((length) => new ARRAYS[part.array](length));
}

function putTogether(parts: readonly PartEntry[], bodies: readonly FlatArray[]): object {
  const whole: Record<string, unknown> = {};
  let next = 0;
  for (const part of parts) {
    const { keys } = part;
    if (part.form === "value") {
      placePart(whole, { keys, value: part.value });
      continue;
    }
    const count = part.form === "arrays" ? part.lengths.length : 1;
    const own = bodies.slice(next, next + count);
    next += count;
    placePart(whole, { keys, value: valueOf(part, own) });
  }
  return whole;
}

function valueOf(part: PartForm, own: readonly FlatArray[]): unknown {
  if (part.form === "arrays") return own;
  const [body] = own;
  if (part.form !== "text" || body === undefined) return body;
  return Buffer.from(body.buffer).toString(part.encoding);
}

async function readBytes(handle: FileHandle, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  await fill(handle, bytes);
  return bytes;
}

async function fill(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  let at = 0;
  while (at < bytes.byteLength) {
    const { bytesRead } = await handle.read(bytes, at, bytes.byteLength - at, null);
    if (bytesRead === 0) throw new Error("ends too early");
    at += bytesRead;
  }
}
