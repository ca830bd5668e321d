/** Keys and list indexes from the top of the file down to one value. */
export type KeyPath = readonly PropertyKey[];

/** Writes a path as operators read it: `destinations[0].url`; empty for the whole file. */
export function renderKeyPath(path: KeyPath): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    const name = keyText(String(key));
    return text === "" ? name : `${text}.${name}`;
  }, "");
}

/** A key from a file may hold anything: one that would break the line is written as JSON. */
function keyText(key: string): string {
  const isPlain = /^[\p{L}\p{N}_-]{1,100}$/u.test(key);
  return isPlain ? key : JSON.stringify(key.slice(0, 100));
}
