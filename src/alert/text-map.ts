import type { Annotations } from "./alert.ts";

/**
 * Makes objects that inherit from an empty one. An object without any prototype would do as well, but the
 * runtime keeps such a one as a hash table, which takes some twenty times as long to copy.
 */
const TextMap = function TextMap() {} as unknown as new () => Record<string, string>;
TextMap.prototype = Object.freeze(Object.create(null) as object);

/**
 * An empty map of texts that inherits nothing, so that a label named `constructor` is only there when it
 * was sent and one named `__proto__` is kept like any other.
 */
export function createTextMap(): Record<string, string> {
  return new TextMap();
}

/** A map of texts that inherits nothing, from its entries. */
export function textMapOf(
  entries: Iterable<readonly [name: string, text: string]>,
): Record<string, string> {
  const map = createTextMap();
  for (const [name, text] of entries) map[name] = text;
  return map;
}

/** Annotations less those whose names begin with a prefix. */
export function withoutPrefix(annotations: Annotations, prefix: string): Annotations {
  return textMapOf(Object.entries(annotations).filter(([name]) => !name.startsWith(prefix)));
}

/** Reads an object of texts from the wire; `undefined` for anything else. */
export function readTextMap(value: unknown): Record<string, string> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value);
  return entries.every(isText) ? textMapOf(entries) : undefined;
}

function isText(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === "string";
}
