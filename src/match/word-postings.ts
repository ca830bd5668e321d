import type { CompiledTemplate } from "./compile-template.ts";
import { type KeyTable, buildKeyTable, createKeyEntries } from "./key-table.ts";
import { splitWords, wordBits } from "./words.ts";

/** From how many bits on a word is rare enough to lead to a template. */
export const RARE_BITS = 9;
/** Rare words that a template and a text must share, in order, to be called similar. */
export const RARE_WORDS_MIN = 4;
/** From how many bits on a word has postings: the commoner rare words only cost time. */
const POSTED_BITS = 10;
/** Posted words that a text must share with a template before it is looked at. */
export const POSTED_WORDS_MIN = 3;
/** A word of more templates than this leads nowhere. */
const POSTINGS_MAX = 128;

/** Hash of a lower-case word (FNV-1a, 32 bit). */
export function hashWord(word: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i += 1) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Words of a template's literals, in order. */
function templateWords(template: Pick<CompiledTemplate, "literals">): readonly string[] {
  return template.literals.flatMap((each) => splitWords(each.text).map((word) => word.text));
}

/** Rare word → shapes whose templates have at least four rare words. */
export function buildWordPostings(templates: readonly CompiledTemplate[]): KeyTable {
  const postings = new Map<number, number[]>();
  templates.forEach((template, shape) => {
    const words = new Set(templateWords(template));
    const rare = [...words].filter((word) => wordBits(word) >= RARE_BITS);
    if (rare.length < RARE_WORDS_MIN) return;
    for (const word of rare.filter((each) => wordBits(each) >= POSTED_BITS)) {
      const hash = hashWord(word);
      const known = postings.get(hash);
      if (known === undefined) postings.set(hash, [shape]);
      else known.push(shape);
    }
  });
  const entries = createKeyEntries();
  for (const [hash, shapes] of postings) {
    if (shapes.length > POSTINGS_MAX) continue;
    for (const shape of shapes) {
      entries.hashes.push(hash);
      entries.literals.push(shape);
    }
  }
  return buildKeyTable(entries);
}
