/** For each word the documents that hold it, in a few flat arrays. */
export interface WordPostings {
  /** How many documents there are. */
  readonly documents: number;
  /** The number of a word; `undefined` when no document holds it. */
  find(word: string): number | undefined;
  /** Numbers of the words that begin so, the word itself first. */
  findPrefix(prefix: string): readonly number[];
  /** The documents of a word, ascending. */
  documentsOf(word: number): Uint32Array;
  /** How much a word says: 1 for one that stands everywhere, more the fewer documents hold it. */
  weightOf(word: number): number;
  /** Square root of the sum of the squared weights of a document's words. */
  readonly norms: Float32Array;
}

/** Lets others go first when it took a while. */
export type Pause = () => Promise<void> | undefined;

/** So many steps are done between two looks at the clock. */
const STEPS = 2 ** 14;
/** Words are looked up by prefix among those that begin with the same characters. */
const BUCKET_CHARACTERS = 2;

/** Collects words document by document. */
export class PostingsBuilder {
  readonly #numbers = new Map<string, number>();
  /** Of each pair of word and document the word; documents follow from `#ends`. */
  #words = new Uint32Array(2 ** 16);
  #used = 0;
  readonly #ends: number[] = [];

  /** Adds the next document. */
  add(words: Iterable<string>): void {
    for (const word of new Set(words)) {
      let number = this.#numbers.get(word);
      if (number === undefined) {
        number = this.#numbers.size;
        this.#numbers.set(word, number);
      }
      if (this.#used === this.#words.length) this.#grow();
      this.#words[this.#used] = number;
      this.#used += 1;
    }
    this.#ends.push(this.#used);
  }

  #grow(): void {
    const larger = new Uint32Array(2 * this.#words.length);
    larger.set(this.#words);
    this.#words = larger;
  }

  /** Turns documents by words into words by documents. */
  async finish(pause: Pause): Promise<WordPostings> {
    const numbers = this.#numbers;
    const ends = Uint32Array.from(this.#ends);
    const starts = new Uint32Array(numbers.size + 1);
    for (let i = 0; i < this.#used; i += 1) {
      const next = (this.#words[i] ?? 0) + 1;
      starts[next] = (starts[next] ?? 0) + 1;
      if (i % STEPS === 0) await pause();
    }
    for (let i = 1; i < starts.length; i += 1) starts[i] = (starts[i] ?? 0) + (starts[i - 1] ?? 0);
    const weights = weightsOf(starts, ends.length);
    const { documents, norms } = await this.#invert({ starts, ends, weights }, pause);
    const buckets = await bucketsOf(numbers, pause);
    return {
      documents: ends.length,
      norms,
      find: (word) => numbers.get(word),
      findPrefix: (prefix) => findPrefix(buckets, numbers, prefix),
      documentsOf: (word) => documents.subarray(starts[word] ?? 0, starts[word + 1] ?? 0),
      weightOf: (word) => weights[word] ?? 0,
    };
  }

  async #invert(
    { starts, ends, weights }: { starts: Uint32Array; ends: Uint32Array; weights: Float32Array },
    pause: Pause,
  ): Promise<{ readonly documents: Uint32Array; readonly norms: Float32Array }> {
    const documents = new Uint32Array(this.#used);
    const norms = new Float32Array(ends.length);
    const next = starts.slice();
    let at = 0;
    for (let document = 0; document < ends.length; document += 1) {
      let squares = 0;
      for (; at < (ends[document] ?? 0); at += 1) {
        const word = this.#words[at] ?? 0;
        const place = next[word] ?? 0;
        documents[place] = document;
        next[word] = place + 1;
        squares += (weights[word] ?? 0) ** 2;
      }
      norms[document] = Math.sqrt(squares);
      if (document % 1024 === 0) await pause();
    }
    return { documents, norms };
  }
}

function weightsOf(starts: Uint32Array, documents: number): Float32Array {
  const weights = new Float32Array(starts.length - 1);
  for (let word = 0; word < weights.length; word += 1) {
    const holders = (starts[word + 1] ?? 0) - (starts[word] ?? 0);
    weights[word] = Math.log((documents + 1) / (holders + 1)) + 1;
  }
  return weights;
}

type Buckets = ReadonlyMap<string, readonly string[]>;

async function bucketsOf(numbers: ReadonlyMap<string, number>, pause: Pause): Promise<Buckets> {
  const buckets = new Map<string, string[]>();
  let steps = 0;
  for (const word of numbers.keys()) {
    const key = word.slice(0, BUCKET_CHARACTERS);
    const bucket = buckets.get(key);
    if (bucket === undefined) buckets.set(key, [word]);
    else bucket.push(word);
    steps += 1;
    if (steps % STEPS === 0) await pause();
  }
  return buckets;
}

function findPrefix(
  buckets: Buckets,
  numbers: ReadonlyMap<string, number>,
  prefix: string,
): readonly number[] {
  const own = numbers.get(prefix);
  const found = own === undefined ? [] : [own];
  for (const word of wordsBelow(buckets, prefix)) {
    const number = numbers.get(word);
    if (number !== undefined && number !== own) found.push(number);
  }
  return found;
}

function wordsBelow(buckets: Buckets, prefix: string): readonly string[] {
  if (prefix.length >= BUCKET_CHARACTERS) {
    const bucket = buckets.get(prefix.slice(0, BUCKET_CHARACTERS)) ?? [];
    return bucket.filter((word) => word.startsWith(prefix));
  }
  return [...buckets].flatMap(([key, words]) => (key.startsWith(prefix) ? words : []));
}
