import type { Transferable } from "node:worker_threads";

/** One value of a larger object, with the keys that lead to it. */
export interface Part {
  readonly keys: readonly string[];
  readonly value: unknown;
}

/** How deep an object is taken apart: that of a catalogue's tables. */
const DEPTH = 5;

/**
 * Takes an object apart, so that each message to another thread is small or is moved, not copied:
 * plain objects to a depth of five; arrays, texts and typed arrays stay whole.
 */
export function partsOf(whole: object, keys: readonly string[] = []): Part[] {
  return Object.entries(whole).flatMap(([key, value]: [string, unknown]) => {
    const at = [...keys, key];
    const isTaken = isPlainObject(value) && at.length < DEPTH && Object.keys(value).length > 0;
    return isTaken ? partsOf(value, at) : [{ keys: at, value }];
  });
}

/** Puts a part where it belongs; the objects on the way are made. */
export function placePart(whole: Record<string, unknown>, { keys, value }: Part): void {
  const path = [...keys];
  const last = path.pop();
  let parent = whole;
  for (const key of path) {
    const known = parent[key];
    const next = isPlainObject(known) ? known : {};
    parent[key] = next;
    parent = next;
  }
  if (last !== undefined) parent[last] = value;
}

/** The buffers in a value: they are moved to the other thread. Each buffer once. */
export function transferListOf(value: unknown): readonly Transferable[] {
  const found = new Set<ArrayBuffer>();
  collectBuffers(value, found);
  return [...found];
}

function collectBuffers(value: unknown, found: Set<ArrayBuffer>): void {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer) found.add(value.buffer);
  } else if (Array.isArray(value)) {
    // Lists of objects hold no buffers; the first member tells.
    if (ArrayBuffer.isView(value[0])) for (const member of value) collectBuffers(member, found);
  } else if (isPlainObject(value)) {
    for (const member of Object.values(value)) collectBuffers(member, found);
  }
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}
