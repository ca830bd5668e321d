import type { RecordIndex } from "../records/record-index.ts";
import { wordsOfQuery } from "../records/split-words.ts";

/** A record found for a text. */
export interface Hit {
  readonly id: string;
  /** From 0 to 1, three decimals. */
  readonly score: number;
  /** `pattern` is a match of the engine, as for an alert. */
  readonly matchType: "exact-code" | "pattern" | "fuzzy";
}

/** Finds records of one repository, or of all. */
export interface LookUp {
  readonly text: string;
  readonly max: number;
  /** Tells whether a document may be found. */
  readonly mayBe: (document: number) => boolean;
}

// Of any log line, and codes of somebody.
const COMMON = new Set(
  "error warn warning info debug trace fatal http https json get put post ok null true false".split(
    " ",
  ),
);

/** Records whose code stands in the text. */
export function findByCode({ codes, ids }: RecordIndex, wish: LookUp): readonly Hit[] {
  const tokens = new Set(wish.text.match(/[\p{L}\p{N}_][\p{L}\p{N}_.-]*[\p{L}\p{N}_]/gu) ?? []);
  const isName = (token: string) => /[\p{Lu}\p{N}]/u.test(token) && !/^[\p{N}.-]+$/u.test(token);
  return [...tokens]
    .filter((token) => isName(token) && !COMMON.has(token.toLowerCase()))
    .flatMap((token) => codes.get(token) ?? [])
    .filter(wish.mayBe)
    .slice(0, wish.max)
    .map((document) => ({ id: ids[document] ?? "", score: 1, matchType: "exact-code" }));
}

const WORDS_MAX = 64;
const LEAST_SCORE = 0.3;

/** Records whose words are most like those of the text (cosine of weighted words). */
export function findAlike(index: RecordIndex, wish: LookUp): readonly Hit[] {
  const { norms } = index.words;
  const { sums, norm } = addWeights(index, wish.text);
  const found: { readonly document: number; readonly score: number }[] = [];
  for (const [document, sum] of sums.entries()) {
    const score = sum === 0 ? 0 : sum / (norm * (norms[document] ?? 1));
    if (score >= LEAST_SCORE && wish.mayBe(document)) found.push({ document, score });
  }
  return found
    .sort((one, other) => other.score - one.score || one.document - other.document)
    .slice(0, wish.max)
    .map(({ document, score }) => ({
      id: index.ids[document] ?? "",
      score: Math.round(Math.min(1, score) * 1000) / 1000,
      matchType: "fuzzy",
    }));
}

/** Of each document the squared weights of the words that it shares with the text, and the text's norm. */
function addWeights(
  { words: postings, size }: RecordIndex,
  text: string,
): { readonly sums: Float32Array; readonly norm: number } {
  const sums = new Float32Array(size);
  const unknown = Math.log(size + 1) + 1;
  let squares = 0;
  for (const word of wordsOfQuery(text, WORDS_MAX)) {
    // Numbers are values, and everywhere.
    if (/^\p{N}+$/u.test(word)) continue;
    const number = postings.find(word);
    const square = (number === undefined ? unknown : postings.weightOf(number)) ** 2;
    squares += square;
    if (number === undefined) continue;
    for (const document of postings.documentsOf(number)) {
      sums[document] = (sums[document] ?? 0) + square;
    }
  }
  return { sums, norm: Math.sqrt(squares) };
}
