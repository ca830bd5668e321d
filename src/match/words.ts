import { BACKGROUND_WORDS } from "./background-words.ts";
import { isLetter, isLetterOrDigit } from "./character-codes.ts";
import { isSpace } from "./white-space.ts";

/** A word of a text: letters and digits that begin with a letter, at least two of them, lower case. */
export interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Words of a text in order; separators are everything but ASCII letters and digits. */
export function splitWords(text: string): readonly Word[] {
  const words: Word[] = [];
  for (let at = 0; at < text.length;) {
    if (!isLetter(text.charCodeAt(at))) {
      at += 1;
      continue;
    }
    const start = at;
    at = wordEnd(text, start);
    if (at - start > 1) words.push({ text: text.slice(start, at).toLowerCase(), start, end: at });
  }
  return words;
}

function wordEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && isLetterOrDigit(text.charCodeAt(at))) at += 1;
  return at;
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
  let blanks = 0;
  for (let at = 0; at < literal.length; at += 1) if (isSpace(literal, at)) blanks += 1;
  const marks = literal.length - blanks - inWords;
  return bits + Math.min(marks, 12) * MARK_BITS;
}
