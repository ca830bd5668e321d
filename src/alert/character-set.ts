/** Code points that one place of an expression accepts. */
export interface CharacterSet {
  /** First and last of each range, both included. */
  readonly ranges: readonly (readonly [first: number, last: number])[];
  readonly isNegated: boolean;
  /** Whether upper and lower case are the same. */
  readonly fold: boolean;
}

const LAST_CODE_POINT = 0x10_ffff;

/** The characters of a text, each for itself; `"a-z"` means three characters. */
export function rangesOf(characters: string): CharacterSet {
  const ranges = Array.from(characters, (character) => {
    const codePoint = character.codePointAt(0) ?? 0;
    return [codePoint, codePoint] as const;
  });
  return { ranges, isNegated: false, fold: false };
}

/** Everything that a set leaves out. */
export function negate(set: CharacterSet): CharacterSet {
  return { ...set, isNegated: !set.isNegated };
}

/** Whether a set accepts a code point. */
export function accepts(set: CharacterSet, codePoint: number): boolean {
  const isIn = isInRanges(set, codePoint) || (set.fold && isFoldedIn(set, codePoint));
  return isIn !== set.isNegated;
}

function isInRanges({ ranges }: CharacterSet, codePoint: number): boolean {
  for (const [first, last] of ranges) if (codePoint >= first && codePoint <= last) return true;
  return false;
}

function isFoldedIn(set: CharacterSet, codePoint: number): boolean {
  const character = String.fromCodePoint(codePoint);
  return [character.toLowerCase(), character.toUpperCase()].some(
    (other) => Array.from(other).length === 1 && isInRanges(set, other.codePointAt(0) ?? -1),
  );
}

function ranges(...pairs: readonly (readonly [number, number])[]): CharacterSet {
  return { ranges: pairs, isNegated: false, fold: false };
}

/** The complement as ranges, so that it may stand beside others in a class. */
function complement(set: CharacterSet): CharacterSet {
  const gaps: (readonly [number, number])[] = [];
  let next = 0;
  for (const [first, last] of set.ranges.toSorted((left, right) => left[0] - right[0])) {
    if (first > next) gaps.push([next, first - 1]);
    next = last + 1;
  }
  return ranges(...gaps, [next, LAST_CODE_POINT]);
}

const DIGIT = ranges([0x30, 0x39]);
const UPPER = ranges([0x41, 0x5a]);
const LOWER = ranges([0x61, 0x7a]);
const ALPHA = ranges(...UPPER.ranges, ...LOWER.ranges);
const ALNUM = ranges(...DIGIT.ranges, ...ALPHA.ranges);
const WORD = ranges(...ALNUM.ranges, [0x5f, 0x5f]);
const SPACE = rangesOf("\t\n\f\r ");

/** ASCII classes, as they are written within brackets. */
export const POSIX_CLASSES: ReadonlyMap<string, CharacterSet> = new Map(
  Object.entries({
    alnum: ALNUM,
    alpha: ALPHA,
    ascii: ranges([0, 0x7f]),
    blank: rangesOf("\t "),
    cntrl: ranges([0, 0x1f], [0x7f, 0x7f]),
    digit: DIGIT,
    graph: ranges([0x21, 0x7e]),
    lower: LOWER,
    print: ranges([0x20, 0x7e]),
    punct: ranges([0x21, 0x2f], [0x3a, 0x40], [0x5b, 0x60], [0x7b, 0x7e]),
    space: rangesOf("\t\n\v\f\r "),
    upper: UPPER,
    word: WORD,
    xdigit: ranges([0x30, 0x39], [0x41, 0x46], [0x61, 0x66]),
  }).flatMap(([name, set]) => [
    [`[:${name}:]`, set] as const,
    [`[:^${name}:]`, complement(set)] as const,
  ]),
);

const ESCAPED_SETS: ReadonlyMap<string, CharacterSet> = new Map([
  ["d", DIGIT],
  ["D", complement(DIGIT)],
  ["w", WORD],
  ["W", complement(WORD)],
  ["s", SPACE],
  ["S", complement(SPACE)],
  ["a", rangesOf("\u0007")],
  ["f", rangesOf("\f")],
  ["n", rangesOf("\n")],
  ["r", rangesOf("\r")],
  ["t", rangesOf("\t")],
  ["v", rangesOf("\v")],
]);

/**
 * Reads what follows a backslash: a class, a control character, `x41`, `x{1F600}`, or punctuation that
 * stands for itself.
 *
 * @returns With the number of characters read; `undefined` for any other.
 */
export function escapedSet(rest: string): { set: CharacterSet; length: number } | undefined {
  const [first = ""] = rest;
  const known = ESCAPED_SETS.get(first);
  if (known !== undefined) return { set: known, length: 1 };
  const hex = /^x(?:([0-9a-fA-F]{2})|\{([0-9a-fA-F]{1,6})\})/u.exec(rest);
  if (hex !== null) {
    const codePoint = Number.parseInt(hex[1] ?? hex[2] ?? "", 16);
    const length = hex[0].length;
    return codePoint <= LAST_CODE_POINT
      ? { set: ranges([codePoint, codePoint]), length }
      : undefined;
  }
  return /^[!-/:-@[-`{-~]/u.test(first) ? { set: rangesOf(first), length: 1 } : undefined;
}

/** Whether `\w` accepts the code point; -1 stands for the end of the text. */
export function isWordCharacter(codePoint: number): boolean {
  return isInRanges(WORD, codePoint);
}
