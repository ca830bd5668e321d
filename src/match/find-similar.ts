import type { View } from "../log/view.ts";
import type { Catalogue } from "./compile-catalogue.ts";
import { GAP_KINDS } from "./compile-template.ts";
import { stringAt } from "./string-table.ts";
import type { Range } from "./place-literals.ts";
import type { FoundTemplate } from "./verify-template.ts";
import { similarCandidates } from "./similar-candidates.ts";
import { RARE_BITS, RARE_WORDS_MIN } from "./word-postings.ts";
import { type Word, splitWords, wordBits } from "./words.ts";

/** Share of a template's word bits that must stand in the text, in order. */
const SHARE_MIN = 0.8;
const TEXT_MAX = 4_096;
const WORDS_MAX = 256;
/** Words that may stand between two words of one literal: a reworded message, not another one. */
const EXTRA_WORDS_MAX = 2;
/** Words without which a message says something else: each of the template's must stand in the text. */
const MEANING =
  /^(?:not|no|none|never|cannot|can|unable|without|too|un\w+|in(?:valid|complete|correct|consistent|sufficient)|mis\w+|fail\w*|error|exce(?:ed\w*|ption)|den(?:y|ied)|refus\w*|reject\w*|timed|timeout|lost|abort\w*|cancel\w*|corrupt\w*|closed|expired|full|already|must|should)$/;

/**
 * Finds templates whose wording changed between versions: at least four rare words in order and at
 * least 80 % of the words' bits. Captures are not known then.
 */
export function findSimilar(catalogue: Catalogue, view: View): readonly FoundTemplate[] {
  const shapes = similarCandidates(catalogue, view.text);
  if (shapes.length === 0) return [];
  const words = splitWords(view.text.slice(0, TEXT_MAX)).slice(0, WORDS_MAX);
  if (words.length < RARE_WORDS_MIN) return [];
  const found: FoundTemplate[] = [];
  for (const shape of shapes) {
    const match = alignShape(catalogue, view, shape, words);
    if (match !== undefined) found.push(match);
  }
  return found;
}

interface TemplateWord {
  readonly text: string;
  readonly bits: number;
  /** Whether a placeholder stands right before it, so that any words may. */
  readonly afterGap: boolean;
}

function wordsOfShape(catalogue: Catalogue, shape: number): readonly TemplateWord[] {
  const words: TemplateWord[] = [];
  const end = catalogue.shapeLiterals[shape + 1] ?? 0;
  for (let literal = catalogue.shapeLiterals[shape] ?? 0; literal < end; literal += 1) {
    splitWords(stringAt(catalogue.literals, literal)).forEach((word, i) => {
      words.push({ text: word.text, bits: wordBits(word.text), afterGap: i === 0 });
    });
  }
  return words;
}

function alignShape(
  catalogue: Catalogue,
  view: View,
  shape: number,
  words: readonly Word[],
): FoundTemplate | undefined {
  const wanted = wordsOfShape(catalogue, shape);
  const all = wanted.reduce((sum, each) => sum + each.bits, 0);
  const present = new Set(words.map((each) => each.text));
  const possible = wanted.reduce((sum, each) => sum + (present.has(each.text) ? each.bits : 0), 0);
  if (possible < all * SHARE_MIN) return undefined;
  const pairs = alignWords(wanted, words);
  const bits = pairs.reduce((sum, [i]) => sum + (wanted[i]?.bits ?? 0), 0);
  const rare = pairs.filter(([i]) => (wanted[i]?.bits ?? 0) >= RARE_BITS).length;
  if (bits < all * SHARE_MIN || rare < RARE_WORDS_MIN) return undefined;
  if (!keepsMeaning(pairs, wanted) || !isCompact(pairs, wanted)) return undefined;
  const isEnded = hasEnd(catalogue, shape);
  if (!isOneMessage(view.text, pairs, { wanted, words, isEnded })) return undefined;
  return {
    shape,
    view,
    literals: rangesOf(pairs, words),
    captures: [],
    kind: "similar",
    isFolded: false,
    isContext: false,
    isCutClear: false,
    bits,
  };
}

/** Index pairs (template word, text word) of the heaviest common subsequence. */
function alignWords(
  wanted: readonly TemplateWord[],
  words: readonly Word[],
): readonly (readonly [number, number])[] {
  const width = words.length + 1;
  const best = new Float64Array((wanted.length + 1) * width);
  const at = (i: number, j: number): number => best[i * width + j] ?? 0;
  for (let i = wanted.length - 1; i >= 0; i -= 1) {
    for (let j = words.length - 1; j >= 0; j -= 1) {
      const isSame = wanted[i]?.text === words[j]?.text;
      const taken = isSame ? at(i + 1, j + 1) + (wanted[i]?.bits ?? 0) : 0;
      best[i * width + j] = Math.max(taken, at(i + 1, j), at(i, j + 1));
    }
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < wanted.length && j < words.length;) {
    const isSame = wanted[i]?.text === words[j]?.text;
    if (isSame && at(i, j) === at(i + 1, j + 1) + (wanted[i]?.bits ?? 0)) pairs.push([i++, j++]);
    else if (at(i, j) === at(i + 1, j)) i += 1;
    else j += 1;
  }
  return pairs;
}

/** Whether few foreign words stand where the template has none of its placeholders. */
function isCompact(
  pairs: readonly (readonly [number, number])[],
  wanted: readonly TemplateWord[],
): boolean {
  for (let k = 1; k < pairs.length; k += 1) {
    const [i = 0, j = 0] = pairs[k] ?? [];
    const [before = 0, textBefore = 0] = pairs[k - 1] ?? [];
    const hasGap = wanted.slice(before + 1, i + 1).some((each) => each.afterGap);
    if (!hasGap && j - textBefore - 1 > EXTRA_WORDS_MAX + (i - before - 1)) return false;
  }
  return true;
}

function keepsMeaning(
  pairs: readonly (readonly [number, number])[],
  wanted: readonly TemplateWord[],
): boolean {
  const aligned = new Set(pairs.map(([i]) => i));
  return wanted.every((word, i) => aligned.has(i) || !MEANING.test(word.text));
}

function hasEnd(catalogue: Catalogue, shape: number): boolean {
  return GAP_KINDS[catalogue.shapeTrailingGaps[shape] ?? 0] === "none";
}

interface Alignment {
  readonly wanted: readonly TemplateWord[];
  readonly words: readonly Word[];
  /** Whether the template ends with its last word. */
  readonly isEnded: boolean;
}

/** Sentence marks part messages: none may stand between two words of one literal, words after the last one neither. */
function isOneMessage(
  text: string,
  pairs: readonly (readonly [number, number])[],
  { wanted, words, isEnded }: Alignment,
): boolean {
  for (let k = 1; k < pairs.length; k += 1) {
    const [i = 0, j = 0] = pairs[k] ?? [];
    const [before = 0, textBefore = 0] = pairs[k - 1] ?? [];
    const hasGap = wanted.slice(before + 1, i + 1).some((each) => each.afterGap);
    const between = text.slice(words[textBefore]?.end ?? 0, words[j]?.start ?? 0);
    if (!hasGap && j - textBefore > 1 && /[,;:]|\. /.test(between)) return false;
  }
  const end = words[pairs.at(-1)?.[1] ?? 0]?.end ?? 0;
  return !isEnded || !/^ [a-z]/i.test(text.slice(end, end + 2));
}

function rangesOf(
  pairs: readonly (readonly [number, number])[],
  words: readonly Word[],
): readonly Range[] {
  const ranges: { start: number; end: number }[] = [];
  let previous = -2;
  for (const [, j] of pairs) {
    const word = words[j];
    if (word === undefined) continue;
    const last = ranges.at(-1);
    if (last !== undefined && j === previous + 1) last.end = word.end;
    else ranges.push({ start: word.start, end: word.end });
    previous = j;
  }
  return ranges;
}
