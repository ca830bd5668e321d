import { type MappedText, sliceMapped } from "../log/mapped-text.ts";
import { closingQuote, decodeEscapes } from "./decode-string.ts";

/** A string value of a JSON text with the key it stands under. */
export interface JsonString {
  /** Key of the innermost object member, as written; empty for a member of a top-level array. */
  readonly key: string;
  /** The member's key one level further out; empty at the top. */
  readonly parent: string;
  readonly value: MappedText;
}

/** A number or a word (`true`, `null`) under a key. */
export interface JsonScalar {
  readonly key: string;
  readonly text: string;
}

/** What a JSON text holds besides its brackets. */
export interface JsonStrings {
  readonly strings: readonly JsonString[];
  readonly scalars: readonly JsonScalar[];
  /** Offset after the closing brace, or the text's length where it was cut off. */
  readonly end: number;
}

const STRINGS_MAX = 2_000;
const DEPTH_MAX = 64;

/**
 * Reads the string values of a JSON object or array that begins at `start`.
 *
 * A reader of its own and not `JSON.parse`, for log lines repeat keys (tracing writes `message` twice),
 * are cut off in the middle, and every character must map back to its place. Keys keep their order,
 * repeated ones are all kept. Bounded to 2,000 strings and 64 levels.
 *
 * @returns `undefined` when the text does not read like JSON.
 */
export function readJson(mapped: MappedText, start: number): JsonStrings | undefined {
  return new JsonReader(mapped, start).read();
}

class JsonReader {
  private at: number;
  private readonly strings: JsonString[] = [];
  private readonly scalars: JsonScalar[] = [];
  private readonly keys: string[] = [];
  private depth = 0;
  private readonly mapped: MappedText;
  private readonly text: string;
  private readonly start: number;

  constructor(mapped: MappedText, start: number) {
    this.mapped = mapped;
    this.text = mapped.text;
    this.start = start;
    this.at = start;
  }

  read(): JsonStrings | undefined {
    const open = this.text[this.start];
    if (open !== "{" && open !== "[") return undefined;
    const whole = this.walk();
    if (!whole && this.strings.length + this.scalars.length < 2) return undefined;
    return { strings: this.strings, scalars: this.scalars, end: this.at };
  }

  /**
   * Reads to the closing bracket of the outermost value.
   *
   * @returns Whether the outermost bracket was closed.
   */
  private walk(): boolean {
    let depth = 0;
    let key = "";
    while (this.at < this.text.length) {
      const letter = this.text[this.at] ?? "";
      if (letter === '"') {
        const read = this.readString(key);
        if (read === undefined) return false;
        key = read;
      } else if (letter === "{" || letter === "[") {
        if (depth >= DEPTH_MAX) return false;
        this.keys[depth] = key;
        depth += 1;
        key = "";
        this.at += 1;
      } else if (letter === "}" || letter === "]") {
        depth -= 1;
        this.at += 1;
        if (depth === 0) return true;
        key = "";
      } else if (!this.skipBetween(letter, key)) return false;
      else if (letter === ",") key = "";
      this.depth = depth;
    }
    return false;
  }

  /** Reads a string; returns the key in force after it, or `undefined` to stop. */
  private readString(key: string): string | undefined {
    const from = this.at + 1;
    const close = closingQuote(this.text, from, '"');
    const end = close < 0 ? this.text.length : close;
    this.at = close < 0 ? end : close + 1;
    if (close >= 0) {
      const colon = this.skipBlanks(this.at);
      if (this.text[colon] === ":") {
        this.at = colon + 1;
        return this.text.slice(from, end);
      }
    }
    if (this.strings.length >= STRINGS_MAX) return undefined;
    const value = this.text.slice(from, end).includes("\\")
      ? decodeEscapes(this.mapped, from, end)
      : sliceMapped(this.mapped, from, end);
    this.strings.push({ key, parent: this.keys[this.depth - 1] ?? "", value });
    return key;
  }

  private skipBlanks(from: number): number {
    let at = from;
    while (at < this.text.length && /\s/.test(this.text[at] ?? "")) at += 1;
    return at;
  }

  /** Passes commas, blanks, numbers and words; says no to what JSON does not have. */
  private skipBetween(letter: string, key: string): boolean {
    if (letter === "," || letter === ":" || /\s/.test(letter)) {
      this.at += 1;
      return true;
    }
    SCALAR.lastIndex = this.at;
    const scalar = SCALAR.exec(this.text);
    if (scalar === null) return false;
    this.at += scalar[0].length;
    if (key !== "" && this.scalars.length < STRINGS_MAX)
      this.scalars.push({ key, text: scalar[0] });
    return true;
  }
}

const SCALAR = /-?\d[\d.eE+-]{0,40}|true|false|null|NaN/y;
