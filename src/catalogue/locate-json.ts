/** Deepest nesting that is followed. */
const DEPTH_MAX = 500;

/** Where values stand in a JSON text. Made only to explain a fault: slower than `JSON.parse`. */
export interface JsonLocations {
  /** UTF-16 offset where the text stops being JSON; `undefined` for a sound one. */
  readonly brokenAt: number | undefined;
  /** Offsets of the members of a top-level array, as far as they could be read. */
  readonly members: readonly number[];
}

/** Finds the members of a top-level array, and the place where a broken text breaks. */
export function locateJson(text: string): JsonLocations {
  const members: number[] = [];
  const scan = new JsonScan(text);
  try {
    scan.skipBlanks();
    if (scan.peek() === "[") scan.skipArray(1, (offset) => members.push(offset));
    else scan.skipValue(1);
    scan.skipBlanks();
    return { brokenAt: scan.offset < text.length ? scan.offset : undefined, members };
  } catch (error) {
    if (!(error instanceof JsonBroken)) throw error;
    return { brokenAt: scan.offset, members };
  }
}

/** The offset of a key of the object that begins at `offset`; that of the object where it has none. */
export function locateKey(text: string, offset: number, key: string): number {
  let found = offset;
  const scan = new JsonScan(text, offset);
  try {
    scan.skipObject(1, (name, at) => {
      if (name === key) found = at;
    });
  } catch (error) {
    if (!(error instanceof JsonBroken)) throw error;
  }
  return found;
}

/** Line numbers from 1 for offsets, without counting from the start for each. */
export function createLineLookup(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

class JsonBroken extends Error {}

// eslint-disable-next-line no-control-regex -- unescaped ones are what a string must not hold
const PLAIN_TEXT = /[^"\\\u0000-\u001f]*/uy;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/uy;
const PLAIN = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy;
const BLANKS = /[ \t\r\n]*/uy;

class JsonScan {
  offset: number;
  readonly #text: string;

  constructor(text: string, offset = 0) {
    this.#text = text;
    this.offset = offset;
  }

  peek(): string {
    return this.#text.charAt(this.offset);
  }

  skipBlanks(): void {
    this.#take(BLANKS);
  }

  skipValue(depth: number): void {
    if (depth > DEPTH_MAX) throw new JsonBroken();
    const first = this.peek();
    if (first === "{") this.skipObject(depth);
    else if (first === "[") this.skipArray(depth);
    else if (first === '"') this.#skipString();
    else this.#take(PLAIN);
  }

  #skipString(): void {
    this.#expect('"');
    this.#take(PLAIN_TEXT);
    while (this.peek() === "\\") {
      this.#take(ESCAPE);
      this.#take(PLAIN_TEXT);
    }
    this.#expect('"');
  }

  skipArray(depth: number, onMember?: (offset: number) => void): void {
    this.#skipList("]", () => {
      onMember?.(this.offset);
      this.skipValue(depth + 1);
    });
  }

  skipObject(depth: number, onKey?: (name: string, offset: number) => void): void {
    this.#skipList("}", () => {
      const at = this.offset;
      this.#skipString();
      onKey?.(this.#text.slice(at + 1, this.offset - 1), at);
      this.skipBlanks();
      this.#expect(":");
      this.skipBlanks();
      this.skipValue(depth + 1);
    });
  }

  #skipList(close: string, skipMember: () => void): void {
    this.offset += 1;
    this.skipBlanks();
    if (this.peek() === close) {
      this.offset += 1;
      return;
    }
    for (;;) {
      skipMember();
      this.skipBlanks();
      if (this.peek() !== ",") break;
      this.offset += 1;
      this.skipBlanks();
    }
    this.#expect(close);
  }

  #expect(character: string): void {
    if (this.peek() !== character) throw new JsonBroken();
    this.offset += 1;
  }

  #take(sticky: RegExp): string {
    sticky.lastIndex = this.offset;
    const found = sticky.exec(this.#text)?.[0];
    if (found === undefined) throw new JsonBroken();
    this.offset += found.length;
    return found;
  }
}
