import { type CharacterSet, escapedSet, negate, POSIX_CLASSES, rangesOf } from "./character-set.ts";

/** A condition on a place that takes no character. */
export type Assertion = "start" | "end" | "boundary" | "no-boundary";

/** A regular expression taken apart. */
export type ExpressionNode =
  | { readonly type: "set"; readonly set: CharacterSet }
  | { readonly type: "assertion"; readonly assertion: Assertion }
  /** In order, one after the other; empty for the empty text. */
  | { readonly type: "sequence"; readonly parts: readonly ExpressionNode[] }
  | { readonly type: "choice"; readonly branches: readonly ExpressionNode[] }
  /** `max` is `Infinity` for no limit. */
  | {
      readonly type: "repeat";
      readonly part: ExpressionNode;
      readonly min: number;
      readonly max: number;
    };

/** Source text that is no expression, or one that cannot be matched in linear time. */
export class ExpressionError extends Error {
  constructor(position: number, message: string) {
    super(`${message}, at character ${position}`);
    this.name = "ExpressionError";
  }
}

const DEPTH_MAX = 100;
/** RE2's limit. */
const REPEAT_MAX = 1000;

/**
 * Takes an expression apart: RE2's syntax without Unicode classes (`\p`), `\Q…\E` and the flags `m`
 * and `U`. What RE2 lacks because it cannot be matched in linear time (back references, look-around)
 * is refused here too.
 *
 * @throws {ExpressionError} At the first character that does not fit.
 * @see https://github.com/google/re2/wiki/Syntax
 */
export function parseExpression(source: string): ExpressionNode {
  const parser = new Parser(source);
  const node = parser.parseChoice({ fold: false, dotAll: false }, 0);
  if (!parser.atEnd()) throw parser.fault("this ) closes nothing");
  return node;
}

interface Count {
  readonly min: number;
  readonly max: number;
}

interface Flags {
  /** `i`: upper and lower case are the same. */
  readonly fold: boolean;
  /** `s`: `.` also stands for a line feed. */
  readonly dotAll: boolean;
}

class Parser {
  readonly #characters: readonly string[];
  #at = 0;

  constructor(source: string) {
    this.#characters = Array.from(source);
  }

  atEnd(): boolean {
    return this.#at >= this.#characters.length;
  }

  fault(message: string, at = this.#at): ExpressionError {
    return new ExpressionError(at + 1, message);
  }

  parseChoice(flags: Flags, depth: number): ExpressionNode {
    if (depth > DEPTH_MAX) throw this.fault("groups are nested too deep");
    const branches: ExpressionNode[] = [];
    let current = flags;
    do {
      const parts: ExpressionNode[] = [];
      while (!this.atEnd() && this.#peek() !== "|" && this.#peek() !== ")") {
        const changed = this.#takeFlags(current);
        if (changed === undefined) parts.push(this.#parseRepeat(current, depth));
        else current = changed;
      }
      branches.push(sequenceOf(parts));
    } while (this.#take("|"));
    return branches.length === 1 && branches[0] ? branches[0] : { type: "choice", branches };
  }

  #peek(ahead = 0): string {
    return this.#characters[this.#at + ahead] ?? "";
  }

  #next(): string {
    const character = this.#peek();
    this.#at += 1;
    return character;
  }

  #take(text: string): boolean {
    const found = this.#characters.slice(this.#at, this.#at + text.length).join("") === text;
    if (found) this.#at += text.length;
    return found;
  }

  /** `(?i)` and the like, which hold to the end of the group. */
  #takeFlags(flags: Flags): Flags | undefined {
    const rest = this.#characters.slice(this.#at, this.#at + 8).join("");
    const found = /^\(\?([is]*)(?:-([is]+))?\)/u.exec(rest);
    if (found === null) return undefined;
    this.#at += found[0].length;
    return withFlags(flags, found[1], found[2]);
  }

  #parseRepeat(flags: Flags, depth: number): ExpressionNode {
    const part = this.#parseAtom(flags, depth);
    const count = this.#takeCount();
    if (count === undefined) return part;
    this.#take("?");
    const at = this.#at;
    if (this.#takeCount() !== undefined) throw this.fault("this repeats a repetition", at);
    return { type: "repeat", part, ...count };
  }

  #takeCount(): Count | undefined {
    if (this.#take("*")) return { min: 0, max: Infinity };
    if (this.#take("+")) return { min: 1, max: Infinity };
    if (this.#take("?")) return { min: 0, max: 1 };
    const rest = this.#characters.slice(this.#at, this.#at + 12).join("");
    const found = /^\{(\d{1,6})(?:,(\d{0,6}))?\}/u.exec(rest);
    if (found === null) return undefined;
    const count = countOf(found[1], found[2]);
    if (count === undefined) {
      throw this.fault(`a count must be at most ${REPEAT_MAX} and in order`);
    }
    this.#at += found[0].length;
    return count;
  }

  #parseAtom(flags: Flags, depth: number): ExpressionNode {
    const at = this.#at;
    const character = this.#next();
    switch (character) {
      case "(":
        return this.#parseGroup(flags, depth);
      case "[":
        return setNode({ ...this.#parseClass(), fold: flags.fold });
      case ".":
        return setNode(negate(rangesOf(flags.dotAll ? "" : "\n")));
      case "^":
      case "$":
        return { type: "assertion", assertion: character === "^" ? "start" : "end" };
      case "\\":
        return this.#parseEscape(flags);
      default:
        if ("*+?".includes(character)) {
          throw this.fault(`there is nothing before this ${character}`, at);
        }
        return setNode({ ...rangesOf(character), fold: flags.fold });
    }
  }

  #parseGroup(flags: Flags, depth: number): ExpressionNode {
    const at = this.#at - 1;
    let inner = flags;
    if (this.#take("?")) {
      const rest = this.#characters.slice(this.#at, this.#at + 80).join("");
      const found = /^(?:P?<[A-Za-z_]\w{0,63}>|([is]*)(?:-([is]+))?:)/u.exec(rest);
      if (found === null) throw this.fault("no group of this kind is supported", at);
      this.#at += found[0].length;
      inner = withFlags(flags, found[1], found[2]);
    }
    const node = this.parseChoice(inner, depth + 1);
    if (!this.#take(")")) throw this.fault("this ( is not closed", at);
    return node;
  }

  #parseEscape(flags: Flags): ExpressionNode {
    const at = this.#at - 1;
    const assertion = ASSERTIONS.get(this.#peek());
    if (assertion !== undefined) {
      this.#at += 1;
      return { type: "assertion", assertion };
    }
    return setNode({ ...this.#takeEscapedSet(at), fold: flags.fold });
  }

  /** What follows a backslash and stands for one character of a set. */
  #takeEscapedSet(at: number): CharacterSet {
    const rest = this.#characters.slice(this.#at, this.#at + 10).join("");
    const found = escapedSet(rest);
    if (found === undefined) throw this.fault("no such escape is supported", at);
    this.#at += found.length;
    return found.set;
  }

  #parseClass(): CharacterSet {
    const at = this.#at - 1;
    const isNegated = this.#take("^");
    const sets: CharacterSet[] = [];
    // A bracket right at the beginning stands for itself.
    do {
      if (this.atEnd()) throw this.fault("this [ is not closed", at);
      sets.push(this.#parseClassMember());
    } while (!this.#take("]"));
    const ranges = sets.flatMap((set) => set.ranges);
    return { ranges, isNegated, fold: false };
  }

  #parseClassMember(): CharacterSet {
    for (const [name, set] of POSIX_CLASSES) if (this.#take(name)) return set;
    const first = this.#takeClassCharacter();
    if (this.#peek() !== "-" || this.#peek(1) === "]" || this.#peek(1) === "") return first;
    const at = this.#at;
    this.#at += 1;
    const range = rangeBetween(first, this.#takeClassCharacter());
    if (range === undefined) throw this.fault("this is no range", at);
    return range;
  }

  #takeClassCharacter(): CharacterSet {
    const at = this.#at;
    const character = this.#next();
    if (character === "") throw this.fault("the class is not closed", at);
    return character === "\\" ? this.#takeEscapedSet(at) : rangesOf(character);
  }
}

const ASSERTIONS: ReadonlyMap<string, Assertion> = new Map([
  ["b", "boundary"],
  ["B", "no-boundary"],
  ["A", "start"],
  ["z", "end"],
]);

function setNode(set: CharacterSet): ExpressionNode {
  return { type: "set", set };
}

function sequenceOf(parts: readonly ExpressionNode[]): ExpressionNode {
  return parts.length === 1 && parts[0] ? parts[0] : { type: "sequence", parts };
}

function withFlags(flags: Flags, on = "", off = ""): Flags {
  const decide = (letter: string, before: boolean): boolean =>
    off.includes(letter) ? false : on.includes(letter) || before;
  return { fold: decide("i", flags.fold), dotAll: decide("s", flags.dotAll) };
}

/** `most` is `undefined` without a comma and empty without a number behind it. */
function countOf(least: string | undefined, most: string | undefined): Count | undefined {
  const min = Number(least);
  const max = most === "" ? Infinity : Number(most ?? least);
  if (min > REPEAT_MAX || max < min) return undefined;
  return max > REPEAT_MAX && max !== Infinity ? undefined : { min, max };
}

function rangeBetween(first: CharacterSet, last: CharacterSet): CharacterSet | undefined {
  const [from, to] = [singleOf(first), singleOf(last)];
  if (from === undefined || to === undefined || from > to) return undefined;
  return { ranges: [[from, to]], isNegated: false, fold: false };
}

/** The code point of a set that accepts one and no other. */
function singleOf({ ranges: [range, ...others] }: CharacterSet): number | undefined {
  return range?.[0] === range?.[1] && others.length === 0 ? range?.[0] : undefined;
}
