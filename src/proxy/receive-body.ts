import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";

/** A body in memory, or the rest of one that is too large for it. */
export type ReceivedBody =
  | { readonly whole: Uint8Array; readonly rest: undefined }
  | { readonly whole: undefined; readonly rest: AsyncIterable<Uint8Array> };

/**
 * Reads a request body, unpacked, up to a limit; what is longer is handed on as it comes in.
 * `onBytes` hears of each chunk that is kept.
 *
 * @throws {Error} When the sender broke off, or what it calls gzip is none.
 */
export async function receiveBody(
  request: IncomingMessage,
  bytesMax: number,
  onBytes: (bytes: number) => void,
): Promise<ReceivedBody> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const iterator = unpacked(request)[Symbol.asyncIterator]();
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
    chunks.push(next.value);
    size += next.value.length;
    if (size > bytesMax) return { whole: undefined, rest: chain(chunks, iterator) };
    onBytes(next.value.length);
  }
  const [only] = chunks;
  return { whole: chunks.length === 1 && only ? only : Buffer.concat(chunks), rest: undefined };
}

/** Alertmanager does not understand gzip, so it is undone here. */
function unpacked(request: IncomingMessage): AsyncIterable<Uint8Array> {
  const encoding = request.headers["content-encoding"]?.toLowerCase() ?? "identity";
  return encoding === "gzip" || encoding === "x-gzip" ? Readable.from(gunzip(request)) : request;
}

async function* gunzip(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  const unzip = createGunzip();
  request.on("error", (error) => unzip.destroy(error));
  request.on("aborted", () => unzip.destroy(new Error("the sender broke off")));
  request.pipe(unzip);
  yield* unzip as AsyncIterable<Uint8Array>;
}

async function* chain(
  first: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}
