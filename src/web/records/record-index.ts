import type { Clock, RecordStore } from "../../enrich/ports.ts";
import { classOf, isCurated } from "../../record/known-error.ts";
import type { CatalogueRecord, KnownError } from "../../record/known-error.ts";
import { splitWords } from "./split-words.ts";
import { PostingsBuilder } from "./word-postings.ts";
import type { Pause, WordPostings } from "./word-postings.ts";

/** What a list of records can be narrowed by. */
export const FACETS = ["repo", "class", "severity", "type", "origin"] as const;
/** One of them. */
export type Facet = (typeof FACETS)[number];

/** The values of one facet: `names[values[document]]` is the one of a document. */
export interface FacetColumn {
  readonly names: readonly string[];
  readonly numbers: ReadonlyMap<string, number>;
  readonly values: Uint32Array;
}

/** What is known of a repository from its records. */
export interface RepoSummary {
  readonly repo: string;
  readonly records: number;
  /** Of the record that was analyzed last. */
  readonly analyzedSha: string;
  readonly analyzedAt: string;
  /** Commonest extension of the files; empty when none has one. */
  readonly extension: string;
}

/**
 * What lists, searches and ErrLookup's documents need to know of all records without reading them: a
 * document is a record's place in the order of the store.
 */
export interface RecordIndex {
  readonly size: number;
  readonly ids: readonly string[];
  readonly words: WordPostings;
  readonly facets: Readonly<Record<Facet, FacetColumn>>;
  /** Documents in the order of lists: by repository, then by id. */
  readonly order: Uint32Array;
  /** Place of each document in `order`. */
  readonly rank: Uint32Array;
  /** By name. */
  readonly repos: readonly RepoSummary[];
  /** Documents with a message of this hash; ask the records whether it is the same. */
  withMessage(message: string): readonly number[];
  /** The same for a repository and a slug. */
  withSlug(repo: string, slug: string): readonly number[];
  /** Documents with an `errorCode`, by code. */
  readonly codes: ReadonlyMap<string, readonly number[]>;
  /** The latest time of analysis; empty without records. */
  readonly analyzedAt: string;
  /** Whether all came from a published dataset and were left as they are. */
  readonly isDataset: boolean;
}

/** Reading records may keep others waiting for so long. */
const SLICE_MS = 8;

/** Returns a promise whenever others have waited for a slice. */
export function createPause(clock: Pick<Clock, "elapsedMs">): Pause {
  let since = clock.elapsedMs();
  return () => {
    if (clock.elapsedMs() - since < SLICE_MS) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        since = clock.elapsedMs();
        resolve();
      });
    });
  };
}

/** Reads all records once, in slices. */
export async function buildRecordIndex(store: RecordStore, pause: Pause): Promise<RecordIndex> {
  const { size } = store;
  const words = new PostingsBuilder();
  const ids: string[] = [];
  const columns = new Columns(size);
  const messages = new Uint32Array(size);
  const slugs = new Uint32Array(size);
  const codes = new Map<string, number[]>();
  const repos = new Repos();
  let isDataset = true;
  for (const entry of store.records()) {
    const { record } = entry;
    const document = ids.length;
    ids.push(record.id);
    words.add(wordsOf(record));
    columns.add(document, entry);
    messages[document] = hashOf(record.errorMessage);
    slugs[document] = hashOf(`${record.repo}/${record.slug}`);
    if (record.errorCode !== null) append(codes, record.errorCode, document);
    repos.add(record);
    isDataset &&= !isCurated(entry);
    await pause();
  }
  const facets = columns.finish();
  const { order, rank } = orderOf(facets.repo);
  const summaries = repos.finish();
  return {
    ...{ size: ids.length, ids, facets, order, rank, codes, isDataset },
    words: await words.finish(pause),
    repos: summaries,
    withMessage: (message) => placesOf(messages, hashOf(message)),
    withSlug: (repo, slug) => placesOf(slugs, hashOf(`${repo}/${slug}`)),
    analyzedAt: summaries.reduce(
      (last, { analyzedAt }) => (analyzedAt > last ? analyzedAt : last),
      "",
    ),
  };
}

/** Of a long message the first characters are looked through. */
const MESSAGE_CHARACTERS = 2000;

function* wordsOf(record: KnownError): Generator<string> {
  const { errorMessage, errorClass, errorCode, backgroundTag, repo, filePath, tags } = record;
  yield* splitWords(errorMessage.slice(0, MESSAGE_CHARACTERS));
  for (const name of [errorClass, errorCode, backgroundTag, repo, ...tags]) {
    if (name !== null) yield* splitWords(name);
  }
  yield* splitWords(filePath.slice(filePath.lastIndexOf("/") + 1));
}

class Columns {
  readonly #columns: ReadonlyMap<
    Facet,
    { names: string[]; numbers: Map<string, number>; values: Uint32Array }
  >;

  constructor(size: number) {
    this.#columns = new Map(
      FACETS.map((facet) => [
        facet,
        { names: [], numbers: new Map(), values: new Uint32Array(size) },
      ]),
    );
  }

  add(document: number, entry: CatalogueRecord): void {
    const { record, origin } = entry;
    const { repo, severity, errorType: type } = record;
    const values: Record<Facet, string> = { repo, class: classOf(record), severity, type, origin };
    for (const [facet, column] of this.#columns) {
      const name = values[facet];
      let number = column.numbers.get(name);
      if (number === undefined) {
        number = column.names.push(name) - 1;
        column.numbers.set(name, number);
      }
      column.values[document] = number;
    }
  }

  finish(): Readonly<Record<Facet, FacetColumn>> {
    return Object.fromEntries(this.#columns) as unknown as Record<Facet, FacetColumn>;
  }
}

class Repos {
  readonly #repos = new Map<
    string,
    { records: number; last: KnownError; extensions: Map<string, number> }
  >();

  add(record: KnownError): void {
    const { repo, analyzedAt, filePath } = record;
    const extensions = new Map<string, number>();
    const known = this.#repos.get(repo) ?? { records: 0, last: record, extensions };
    known.records += 1;
    if (analyzedAt > known.last.analyzedAt) known.last = record;
    const extension = /\.(\w{1,8})$/u.exec(filePath)?.[1]?.toLowerCase() ?? "";
    known.extensions.set(extension, (known.extensions.get(extension) ?? 0) + 1);
    this.#repos.set(repo, known);
  }

  finish(): readonly RepoSummary[] {
    return [...this.#repos]
      .sort(([one], [other]) => compare(one, other))
      .map(([repo, { records, last, extensions }]) => {
        const [common] = [...extensions].sort((one, other) => other[1] - one[1]);
        const { analyzedSha, analyzedAt } = last;
        return { repo, records, analyzedSha, analyzedAt, extension: common?.[0] ?? "" };
      });
  }
}

function orderOf({ names, values }: FacetColumn): { order: Uint32Array; rank: Uint32Array } {
  const sorted = [...names.keys()].sort((one, other) =>
    compare(names[one] ?? "", names[other] ?? ""),
  );
  const counts = new Uint32Array(names.length);
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  const next = new Uint32Array(names.length);
  let start = 0;
  for (const repo of sorted) {
    next[repo] = start;
    start += counts[repo] ?? 0;
  }
  const order = new Uint32Array(values.length);
  const rank = new Uint32Array(values.length);
  for (const [document, repo] of values.entries()) {
    const place = next[repo] ?? 0;
    order[place] = document;
    rank[document] = place;
    next[repo] = place + 1;
  }
  return { order, rank };
}

/** Orders names by their code units, the same everywhere. */
function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function append(map: Map<string, number[]>, key: string, value: number): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

// FNV-1a over UTF-16 units; texts of one hash are compared before they are taken for equal.
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return hash >>> 0;
}

function placesOf(hashes: Uint32Array, hash: number): readonly number[] {
  const places: number[] = [];
  for (let at = hashes.indexOf(hash); at >= 0; at = hashes.indexOf(hash, at + 1)) places.push(at);
  return places;
}
