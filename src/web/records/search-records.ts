import { FACETS } from "./record-index.ts";
import type { Facet, FacetColumn, RecordIndex } from "./record-index.ts";
import { wordsOfQuery } from "./split-words.ts";
import type { WordPostings } from "./word-postings.ts";

/** What records are asked for. */
export interface RecordWishes {
  /** Words that a record must all hold, or words that begin so; empty: all records. */
  readonly text: string;
  /** Values that a record must have. */
  readonly facets: Readonly<Partial<Record<Facet, string>>>;
}

/** How many records have a value. */
export interface FacetCount {
  readonly value: string;
  readonly count: number;
}

/** Records that fit, and how they divide. */
export interface FoundRecords {
  readonly total: number;
  /** Ids of the page that was asked for: those that say most about the words first, else by repository. */
  readonly ids: readonly string[];
  /** Of each facet the commonest values among the records that fit all other wishes. */
  readonly facets: Readonly<Record<Facet, readonly FacetCount[]>>;
}

/** More words say no more. */
const QUERY_WORDS_MAX = 16;
const FACET_VALUES_SHOWN = 20;
/** What a word says that only begins as asked. */
const PREFIX_SHARE = 0.5;
// Documents fit in so many bits, scores above them; together they stay a safe integer.
const RANKS = 2 ** 24;
const SCORE_STEPS = 2 ** 12;

/** Finds records by words and facets; a few milliseconds for 150,000. */
export function searchRecords(
  index: RecordIndex,
  { text, facets }: RecordWishes,
  page: { readonly offset: number; readonly max: number },
): FoundRecords {
  const words = wordsOfQuery(text, QUERY_WORDS_MAX);
  const scores = words.length === 0 ? undefined : scoreAll(index, words);
  const { places, counts } = narrow(index, { facets, scores });
  const sorted = scores === undefined ? places : places.sort();
  const ids = [...sorted.subarray(page.offset, page.offset + page.max)].map(
    (place) => index.ids[index.order[place % RANKS] ?? 0] ?? "",
  );
  return { total: places.length, ids, facets: namesOf(index, counts) };
}

/** The score of each document that holds all words; 0 for every other. */
function scoreAll({ words: postings }: RecordIndex, words: readonly string[]): Float32Array {
  const scores = new Float32Array(postings.documents);
  const seen = new Uint8Array(postings.documents);
  for (const [turn, word] of words.entries()) scoreWord(postings, { word, turn }, { scores, seen });
  for (const [document, turns] of seen.entries()) {
    const sum = turns === words.length ? (scores[document] ?? 0) : 0;
    scores[document] = sum / (postings.norms[document] ?? 1);
  }
  return scores;
}

/** Adds a word to the documents that hold it and all words before; the word itself counts first. */
function scoreWord(
  postings: WordPostings,
  { word, turn }: { readonly word: string; readonly turn: number },
  { scores, seen }: { readonly scores: Float32Array; readonly seen: Uint8Array },
): void {
  const own = postings.find(word);
  for (const number of postings.findPrefix(word)) {
    const weight = postings.weightOf(number) * (number === own ? 1 : PREFIX_SHARE);
    for (const document of postings.documentsOf(number)) {
      if (seen[document] !== turn) continue;
      seen[document] = turn + 1;
      scores[document] = (scores[document] ?? 0) + weight;
    }
  }
}

type Counts = Readonly<Record<Facet, Uint32Array>>;

interface Narrowed {
  /** Ascending in the order of lists; with scores the best are the lowest. */
  readonly places: Float64Array;
  readonly counts: Counts;
}

function narrow(
  index: RecordIndex,
  wishes: { facets: RecordWishes["facets"]; scores: Float32Array | undefined },
): Narrowed {
  const columns = FACETS.map((facet) => index.facets[facet]);
  const wanted = FACETS.map((facet) => numberOf(index.facets[facet], wishes.facets[facet]));
  const counts = columns.map(({ names }) => new Uint32Array(names.length));
  const places = new Float64Array(index.size);
  let used = 0;
  for (const [rank, document] of index.order.entries()) {
    const score = wishes.scores?.[document];
    const missed = score === 0 ? undefined : missesOf(columns, wanted, document);
    if (missed === undefined) continue;
    if (missed === NONE) {
      places[used] = rank + placeOf(score);
      used += 1;
    }
    addOne(counts, columns, { document, missed });
  }
  const byFacet = Object.fromEntries(FACETS.map((facet, at) => [facet, counts[at]]));
  return { places: places.subarray(0, used), counts: byFacet as unknown as Counts };
}

/** The number of a value; one that no record has fits none. */
function numberOf({ numbers }: FacetColumn, value: string | undefined): number | undefined {
  return value === undefined ? undefined : (numbers.get(value) ?? -1);
}

/** Counts a document for each facet, or for the only one whose wish it does not meet. */
function addOne(
  counts: readonly Uint32Array[],
  columns: readonly FacetColumn[],
  { document, missed }: { readonly document: number; readonly missed: number },
): void {
  for (const [at, column] of columns.entries()) {
    if (missed !== NONE && missed !== at) continue;
    const count = counts[at];
    const value = column.values[document] ?? 0;
    if (count !== undefined) count[value] = (count[value] ?? 0) + 1;
  }
}

const NONE = -1;

/** The only facet whose wish a document does not meet; `NONE`, or `undefined` for several. */
function missesOf(
  columns: readonly FacetColumn[],
  wanted: readonly (number | undefined)[],
  document: number,
): number | undefined {
  let missed = NONE;
  for (let at = 0; at < columns.length; at += 1) {
    const wish = wanted[at];
    if (wish === undefined || wish === columns[at]?.values[document]) continue;
    if (missed !== NONE) return undefined;
    missed = at;
  }
  return missed;
}

/** Puts better scores before worse ones, and leaves the rank in the lower bits. */
function placeOf(score: number | undefined): number {
  return score === undefined ? 0 : (SCORE_STEPS * 8 - Math.round(score * SCORE_STEPS)) * RANKS;
}

function namesOf(index: RecordIndex, counts: Counts): FoundRecords["facets"] {
  const shown = (facet: Facet): readonly FacetCount[] => {
    const { names } = index.facets[facet];
    return [...counts[facet].entries()]
      .filter(([, count]) => count > 0)
      .sort(([one, ones], [other, others]) => others - ones || one - other)
      .slice(0, FACET_VALUES_SHOWN)
      .map(([value, count]) => ({ value: names[value] ?? "", count }));
  };
  return Object.fromEntries(FACETS.map((facet) => [facet, shown(facet)])) as FoundRecords["facets"];
}
