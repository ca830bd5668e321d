import { BACKGROUND_WORDS } from "./background-words.ts";

/** A word of a text: letters and digits that begin with a letter, at least two of them, lower case. */
export interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const WORD = /[A-Za-z][A-Za-z0-9]+/g;

/** Words of a text in order; separators are everything but ASCII letters and digits. */
export function splitWords(text: string): readonly Word[] {
  const words: Word[] = [];
  for (const found of text.matchAll(WORD)) {
    words.push({
      text: found[0].toLowerCase(),
      start: found.index,
      end: found.index + found[0].length,
    });
  }
  return words;
}

/** What a word tells that the table does not know, in bits. */
const RARE_WORD_BITS = 14;

const TABLE: ReadonlyMap<string, number> = readTable();

function readTable(): ReadonlyMap<string, number> {
  const table = new Map<string, number>();
  for (const line of BACKGROUND_WORDS.trim().split("\n")) {
    const [bits, ...words] = line.split(" ");
    for (const word of words) table.set(word, Math.min(Number(bits), RARE_WORD_BITS));
  }
  return table;
}

/**
 * Information of one lower-case word in bits, from the committed table of word frequencies. It does
 * not depend on the loaded records, so that unrelated records never change a score.
 */
export function wordBits(word: string): number {
  return TABLE.get(word) ?? RARE_WORD_BITS;
}

/** Bits that a mark such as `:` or `(` adds; blanks add none. */
const MARK_BITS = 0.25;

/** Information of a literal: its words, each once at full value and half for each repeat, and its marks. */
export function literalBits(literal: string, seen = new Set<string>()): number {
  let bits = 0;
  let inWords = 0;
  for (const word of splitWords(literal)) {
    bits += wordBits(word.text) * (seen.has(word.text) ? 0.5 : 1);
    seen.add(word.text);
    inWords += word.end - word.start;
  }
  const marks = literal.replace(/\s+/g, "").length - inWords;
  return bits + Math.min(marks, 12) * MARK_BITS;
}
