/** Farthest that two literals of a template may lie apart, in characters. */
export const GAP_MAX = 8 * 1024;

/** How a literal stands in a text: as it is, or with ASCII letters of the other case. */
export type Spelling = "same" | "folded";

/** An answer that is kept: it serves until a search from another side passes it. */
interface Cursor {
  from: number;
  at: number;
}

/** A literal to look for: its number, by which answers are kept, and its text. */
export interface Sought {
  readonly literal: number;
  readonly text: string;
}

/**
 * Looks for literals in one text and remembers the last answer for each, so that many candidates of one
 * template in a hostile text cost one pass over it and not one each.
 */
export class TextFinder {
  readonly text: string;
  private folded: string | undefined;
  private ahead: Map<number, Cursor> | undefined;
  private behind: Map<number, Cursor> | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** How the literal stands at `at`; `undefined` when it does not. */
  spellingAt(literal: string, at: number): Spelling | undefined {
    if (this.text.startsWith(literal, at)) return "same";
    if (at < 0 || at + literal.length > this.text.length) return undefined;
    for (let i = 0; i < literal.length; i += 1) {
      if (foldCode(this.text.charCodeAt(at + i)) !== foldCode(literal.charCodeAt(i)))
        return undefined;
    }
    return "folded";
  }

  /** How many characters of the literal stand at `at` before the text ends; 0 when it goes on differently. */
  cutLength(literal: string, at: number): number {
    const left = this.text.length - at;
    if (left >= literal.length || left <= 0) return 0;
    return this.text.startsWith(literal.slice(0, left), at) ? left : 0;
  }

  /** Start of the first occurrence at or after `from`, within the longest gap; -1 when there is none. */
  next({ literal, text }: Sought, from: number, isFolded = false): number {
    const key = keyOf(literal, isFolded);
    const known = this.ahead?.get(key);
    if (known !== undefined && known.from <= from && (known.at < 0 || known.at >= from))
      return within(known.at, from);
    const at = isFolded
      ? this.lower().indexOf(text.toLowerCase(), from)
      : this.text.indexOf(text, from);
    if (known === undefined) (this.ahead ??= new Map()).set(key, { from, at });
    else {
      known.from = from;
      known.at = at;
    }
    return within(at, from);
  }

  /** Start of the last occurrence that ends at or before `end`; -1 when there is none within the longest gap. */
  previous({ literal, text }: Sought, end: number, isFolded = false): number {
    const last = end - text.length;
    if (last < 0) return -1;
    const key = keyOf(literal, isFolded);
    const known = this.behind?.get(key);
    if (known !== undefined && known.from >= last && known.at <= last)
      return known.at < 0 || last - known.at > GAP_MAX ? -1 : known.at;
    // Only what lies within the longest gap is searched, so a failing search cannot be quadratic.
    const floor = Math.max(0, last - GAP_MAX);
    const all = isFolded ? this.lower() : this.text;
    const wanted = isFolded ? text.toLowerCase() : text;
    // A short text is searched where it is; of a long one the part within reach is cut out first.
    const at =
      floor === 0 ? all.lastIndexOf(wanted, last) : all.slice(floor, end).lastIndexOf(wanted);
    if (at < 0) return -1;
    (this.behind ??= new Map()).set(key, { from: last, at: floor + at });
    return floor + at;
  }

  private lower(): string {
    this.folded ??= this.text.replace(/[A-Z]+/g, (upper) => upper.toLowerCase());
    return this.folded;
  }
}

function keyOf(literal: number, isFolded: boolean): number {
  return literal * 2 + (isFolded ? 1 : 0);
}

function within(at: number, from: number): number {
  return at >= 0 && at - from <= GAP_MAX ? at : -1;
}

function foldCode(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}
