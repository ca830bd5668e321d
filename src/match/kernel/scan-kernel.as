// The loops that touch every byte of a log, in AssemblyScript: `npm run build:kernel` compiles them
// into `kernel-bytes.ts`. All state lies in one linear memory that `scan-kernel.ts` lays out; the block at
// CONFIG tells where. Texts are one byte a character; fragments are ASCII, so a character above U+00FF,
// cut to its low byte, may claim something where there is nothing, never hide it.

// Words of the block at CONFIG, in the order of `ConfigWord` in `scan-kernel.ts`.
const CONFIG: usize = 64;
const FILTER_EIGHT = 0;
const SHIFT_EIGHT = 1;
const BUCKETS_EIGHT = 2;
const MASK_EIGHT = 3;
const ENTRIES_EIGHT = 4;
const FILTER_FIVE = 5;
const SHIFT_FIVE = 6;
const BUCKETS_FIVE = 7;
const MASK_FIVE = 8;
const ENTRIES_FIVE = 9;
const LITERALS = 10;
const LITERAL_BYTES = 11;
const MEMOS = 12;
const WORDS = 13;
const WORDS_SHIFT = 14;
const FILTER_PAIRS = 15;
const SHIFT_PAIRS = 16;
const BUCKETS_PAIRS = 17;
const MASK_PAIRS = 18;
const ENTRIES_PAIRS = 19;
const COUNTS = 20;
const TOUCHED = 21;
const TOUCHED_MAX = 22;
const HASHES = 23;
const OUT = 24;
const OUT_MAX = 25;
const TEXT = 26;
const LINES = 27;
const MARKS = 28;
const EPOCH = 29;

@inline
function config(word: i32): u32 {
  return load<u32>(CONFIG + (<usize>word << 2));
}

// An entry of a key: hash u32, literal u32, offset u16, start u16, end u16.
const ENTRY_SHIFT: usize = 4;
const ENTRY_LITERAL: usize = 4;
const ENTRY_OFFSET: usize = 8;
const ENTRY_START: usize = 10;
const ENTRY_END: usize = 12;

// What is kept of a literal: where its bytes begin u32, length u16, flags u16, of the literal after it in the
// same template the run to look for: begin u32, length u16, reach u16.
const LITERAL_SHIFT: usize = 4;
const LITERAL_FLAGS: usize = 6;
const LITERAL_NEXT: usize = 8;
const LITERAL_NEXT_LENGTH: usize = 12;
const LITERAL_REACH: usize = 14;
/** Nothing of a word may stand right before it. */
const FLAG_UNGLUED: u32 = 1;

const FOLD: u32 = 0x20202020;
/** A fragment may be cut off by the end of the text once this many of its characters stand there. */
const CUT_MIN: i32 = 11;
const WORD_TEXT_MAX: u32 = 4096;
const HEAD_LENGTH: u32 = 160;
const PAIRS_MIN: u32 = 2;

@inline
function hashFour(a: u32): u32 {
  return (a ^ (a >>> 15)) * 0x2c1b3c6d;
}

@inline
function hashFive(four: u32, b: u32): u32 {
  return (four ^ (b & 255)) * 0x9e3779b1;
}

@inline
function hashEight(four: u32, b: u32): u32 {
  const mixed: u32 = (four ^ b) * 0x85ebca6b;
  return (mixed ^ (mixed >>> 15)) * 0x2c1b3c6d;
}

/** Two bits of one word of the filter: most texts that are no key fall here, with one load. */
@inline
function passes(filter: usize, shift: u32, hash: u32): bool {
  const place: u32 = hash >>> shift;
  const word: u32 = load<u32>(filter + ((<usize>(place >>> 5)) << 2));
  return (((word >>> (place & 31)) & (word >>> (hash & 31))) & 1) != 0;
}

@inline
function isLetter(code: u32): bool {
  return ((code | 0x20) - 97) < 26;
}

@inline
function isWordCode(code: u32): bool {
  return isLetter(code) || (code - 48) < 10 || code == 95;
}

/** Whether the fragment of an entry stands in the text, letter case aside, or is cut off by its end. */
@inline
function standsAt(entry: usize, start: i32, text: usize, length: i32): bool {
  const literal: usize = <usize>config(LITERALS) + (<usize>load<u32>(entry + ENTRY_LITERAL) << LITERAL_SHIFT);
  const bytes: usize = load<u32>(literal);
  const from: i32 = load<u16>(entry + ENTRY_START);
  const end: i32 = load<u16>(entry + ENTRY_END);
  if (start + from < 0) return false;
  for (let i: i32 = from; i < end; i += 1) {
    if (start + i >= length) return i - from >= CUT_MIN;
    if ((<u32>load<u8>(text + <usize>(start + i)) | 0x20) != <u32>load<u8>(bytes + <usize>i)) return false;
  }
  return true;
}

/** First place at or after `from` where a folded run stands, letter case aside; -1 when there is none. */
function findRun(run: usize, runLength: i32, text: usize, from: i32, length: i32): i32 {
  const last: i32 = length - runLength;
  const first = i8x16.splat(<i8>load<u8>(run));
  const final = i8x16.splat(<i8>load<u8>(run + <usize>(runLength - 1)));
  const fold = i8x16.splat(0x20);
  for (let at: i32 = from; at <= last; at += 16) {
    // Behind the text lie 32 zero bytes, so that a block may reach over its end.
    const head = v128.or(v128.load(text + <usize>at), fold);
    const tail = v128.or(v128.load(text + <usize>(at + runLength - 1)), fold);
    let hits: i32 = i8x16.bitmask(v128.and(i8x16.eq(head, first), i8x16.eq(tail, final)));
    while (hits != 0) {
      const place: i32 = at + ctz(hits);
      hits &= hits - 1;
      if (place > last) return -1;
      let i: i32 = 1;
      while (i < runLength - 1 && (<u32>load<u8>(text + <usize>(place + i)) | 0x20) == <u32>load<u8>(run + <usize>i)) i += 1;
      if (i >= runLength - 1) return place;
    }
  }
  return -1;
}

/** Whether a literal can belong to its template: nothing is glued to its front, and the one after it comes. */
function isPlausible(literal: u32, start: i32, text: usize, length: i32): bool {
  const entry: usize = <usize>config(LITERALS) + (<usize>literal << LITERAL_SHIFT);
  if (!hasWide && (load<u16>(entry + LITERAL_FLAGS) & FLAG_UNGLUED) != 0 && start > 0) {
    const before: u32 = load<u8>(text + <usize>(start - 1));
    // `\n` before a word is an escape, not a letter.
    const isEscape = start > 1 && load<u8>(text + <usize>(start - 2)) == 92;
    if (isWordCode(before) && isWordCode(load<u8>(text + <usize>start)) && !isEscape) return false;
  }
  const runLength: i32 = load<u16>(entry + LITERAL_NEXT_LENGTH);
  if (runLength < 2) return true;
  const memo: usize = <usize>config(MEMOS) + (<usize>literal << 3);
  const epoch: u32 = config(EPOCH);
  let at: i32 = load<i32>(memo + 4);
  // An answer serves until a later start passes it; no answer stays none.
  if (load<u32>(memo) != epoch || (at >= 0 && at < start)) {
    at = findRun(load<u32>(entry + LITERAL_NEXT), runLength, text, max(start, 0), length);
    store<u32>(memo, epoch);
    store<i32>(memo + 4, at);
  }
  return at >= 0 && at - start <= <i32>load<u16>(entry + LITERAL_REACH);
}

/** Whether the text has characters above U+00FF: a byte before a literal may then look like a letter and be none. */
let hasWide: bool = false;

// A scan under way: it stops where the answers are full, and goes on from there.
let scanPlace: u32 = 0;
let scanPhase: u32 = 0;
let scanLength: i32 = 0;

/** Begins to look for the catalogue's keys in the text at TEXT. */
export function beginScan(length: i32): void {
  scanPlace = 0;
  scanPhase = 0;
  scanLength = length;
}

/**
 * Writes candidates as pairs (literal, start) to OUT, at most OUT_MAX of them; OUT_MAX is not less than the
 * largest bucket. Returns how many; 0 at the end.
 */
export function nextCandidates(): u32 {
  const text: usize = config(TEXT);
  const places: u32 = <u32>(scanLength + 3) >>> 2;
  const filterEight: usize = config(FILTER_EIGHT);
  const shiftEight: u32 = config(SHIFT_EIGHT);
  const filterFive: usize = config(FILTER_FIVE);
  const shiftFive: u32 = config(SHIFT_FIVE);
  const out: usize = config(OUT);
  let room: u32 = config(OUT_MAX);
  let count: u32 = 0;
  let phase: u32 = scanPhase;
  scanPhase = 0;
  let place: u32 = scanPlace;
  let a: u32 = load<u32>(text + (<usize>place << 2)) | FOLD;
  for (; place < places; place += 1) {
    const b: u32 = load<u32>(text + (<usize>place << 2) + 4) | FOLD;
    const four: u32 = hashFour(a);
    if (phase == 0) {
      const five: u32 = hashFive(four, b);
      if (passes(filterFive, shiftFive, five)) {
        const found: i32 = reportBucket(config(BUCKETS_FIVE), config(MASK_FIVE), config(ENTRIES_FIVE), five, place << 2, out + (<usize>count << 3), room);
        if (found < 0) {
          scanPlace = place;
          return count;
        }
        count += <u32>found;
        room -= <u32>found;
      }
    }
    phase = 0;
    const eight: u32 = hashEight(four, b);
    if (passes(filterEight, shiftEight, eight)) {
      const found: i32 = reportBucket(config(BUCKETS_EIGHT), config(MASK_EIGHT), config(ENTRIES_EIGHT), eight, place << 2, out + (<usize>count << 3), room);
      if (found < 0) {
        scanPlace = place;
        scanPhase = 1;
        return count;
      }
      count += <u32>found;
      room -= <u32>found;
    }
    a = b;
  }
  scanPlace = places;
  return count;
}

/** Begins to look for the catalogue's keys in the text at TEXT for `nextPlausible`. */
export function beginText(length: i32, isWide: u32): void {
  beginScan(length);
  hasWide = isWide != 0;
  store<u32>(CONFIG + (<usize>EPOCH << 2), config(EPOCH) + 1);
}

/** The same as `nextCandidates`, less those that cannot belong to their template. */
export function nextPlausible(): u32 {
  const text: usize = config(TEXT);
  const out: usize = config(OUT);
  for (let found: u32 = nextCandidates(); found != 0; found = nextCandidates()) {
    let kept: u32 = 0;
    for (let i: u32 = 0; i < found; i += 1) {
      const pair: u64 = load<u64>(out + (<usize>i << 3));
      if (!isPlausible(<u32>pair, <i32>(pair >> 32), text, scanLength)) continue;
      store<u64>(out + (<usize>kept << 3), pair);
      kept += 1;
    }
    if (kept != 0) return kept;
  }
  return 0;
}

/** Writes the candidates of one key; -1 when there may be more than there is room for. */
function reportBucket(buckets: usize, mask: u32, entries: usize, hash: u32, at: u32, out: usize, room: u32): i32 {
  const bucket: usize = buckets + (<usize>(hash & mask) << 2);
  const from: u32 = load<u32>(bucket);
  const end: u32 = load<u32>(bucket + 4);
  if (end - from > room) return -1;
  const text: usize = config(TEXT);
  let found: i32 = 0;
  for (let e: u32 = from; e < end; e += 1) {
    const entry: usize = entries + (<usize>e << ENTRY_SHIFT);
    if (load<u32>(entry) != hash) continue;
    const start: i32 = <i32>at - <i32>load<u16>(entry + ENTRY_OFFSET);
    if (!standsAt(entry, start, text, scanLength)) continue;
    store<u32>(out + (<usize>found << 3), load<u32>(entry + ENTRY_LITERAL));
    store<i32>(out + (<usize>found << 3) + 4, start);
    found += 1;
  }
  return found;
}

/** Writes where each line begins to LINES, one more at the end, and clears MARKS; returns the number of lines. */
function splitLines(text: usize, length: i32): u32 {
  const lines: usize = config(LINES);
  const feed = i8x16.splat(10);
  store<u32>(lines, 0);
  let count: u32 = 1;
  for (let at: i32 = 0; at < length; at += 16) {
    let hits: i32 = i8x16.bitmask(i8x16.eq(v128.load(text + <usize>at), feed));
    while (hits != 0) {
      const place: i32 = at + ctz(hits);
      hits &= hits - 1;
      if (place >= length) break;
      store<u32>(lines + (<usize>count << 2), place + 1);
      count += 1;
    }
  }
  store<u32>(lines + (<usize>count << 2), length + 1);
  memory.fill(config(MARKS), 0, count);
  return count;
}

/**
 * Marks the lines of the text at TEXT in which a record may stand; may mark too much, never too little.
 * Returns the number of lines; MARKS holds a byte for each.
 */
export function markLines(length: i32, isWide: u32): u32 {
  const text: usize = config(TEXT);
  const lines: usize = config(LINES);
  const marks: usize = config(MARKS);
  hasWide = isWide != 0;
  store<u32>(CONFIG + (<usize>EPOCH << 2), config(EPOCH) + 1);
  const count: u32 = splitLines(text, length);
  markCandidates(text, length, lines, marks);
  markEscapes(text, length, lines, marks);
  for (let line: u32 = 0; line < count; line += 1) {
    if (load<u8>(marks + line) != 0) continue;
    const start: u32 = load<u32>(lines + (<usize>line << 2));
    const end: u32 = load<u32>(lines + (<usize>line << 2) + 4) - 1;
    if (isQuiet(text, start, min(end, start + HEAD_LENGTH))) continue;
    if (countPairs(text, start, end, PAIRS_MIN) >= PAIRS_MIN) store<u8>(marks + line, 1);
    clearCounts();
  }
  return count;
}

function markCandidates(text: usize, length: i32, lines: usize, marks: usize): void {
  const out: usize = config(OUT);
  let line: u32 = 0;
  beginScan(length);
  for (let found: u32 = nextCandidates(); found != 0; found = nextCandidates()) {
    for (let i: u32 = 0; i < found; i += 1) {
      const start: i32 = load<i32>(out + (<usize>i << 3) + 4);
      // A key may be reported a little behind the one before it, but never far.
      while (line > 0 && start < load<i32>(lines + (<usize>line << 2))) line -= 1;
      while (start >= load<i32>(lines + (<usize>line << 2) + 4)) line += 1;
      if (load<u8>(marks + line) == 0 && isPlausible(load<u32>(out + (<usize>i << 3)), start, text, length)) {
        store<u8>(marks + line, 1);
      }
    }
  }
}

/** Colours and unicode escapes may stand inside a literal, CRI parts break it, `\/` hides a slash: such lines are read. */
function markEscapes(text: usize, length: i32, lines: usize, marks: usize): void {
  const escape = i8x16.splat(27);
  const slash = i8x16.splat(92);
  const hash = i8x16.splat(35);
  const part = i8x16.splat(80);
  let line: u32 = 0;
  for (let at: i32 = 0; at < length; at += 16) {
    const block = v128.load(text + <usize>at);
    const any = v128.or(v128.or(i8x16.eq(block, escape), i8x16.eq(block, slash)), v128.or(i8x16.eq(block, hash), i8x16.eq(block, part)));
    let hits: i32 = i8x16.bitmask(any);
    while (hits != 0) {
      const place: i32 = at + ctz(hits);
      hits &= hits - 1;
      if (place >= length || !isEscapeAt(text, place)) continue;
      while (place >= load<i32>(lines + (<usize>line << 2) + 4)) line += 1;
      store<u8>(marks + line, 1);
    }
  }
}

function isEscapeAt(text: usize, place: i32): bool {
  const at: usize = text + <usize>place;
  const code: u32 = load<u8>(at);
  const next: u32 = load<u8>(at + 1);
  if (code == 27) return true;
  // #012 of syslog
  if (code == 35) return next == 48;
  if (code == 92) return next == 47 || next == 120 || (next == 117 && load<u16>(at + 2) == 0x3030);
  // `stdout P ` and `stderr P ` of CRI
  if (next != 32 || place < 4 || load<u8>(at - 1) != 32) return false;
  const before: u32 = load<u32>(at - 4) & 0xffffff;
  return before == 0x74756f || before == 0x727265;
}

/** Whether the level near the beginning of a line says that it is no error. */
function isQuiet(text: usize, start: u32, end: u32): bool {
  let at: u32 = start;
  while (at < end) {
    if (!isLetter(load<u8>(text + at))) {
      at += 1;
      continue;
    }
    const first: u32 = at;
    while (at < end && isLetter(load<u8>(text + at))) at += 1;
    if (at >= end) return false;
    const size: u32 = at - first;
    if (size < 3 || size > 6) continue;
    const word: u32 = load<u32>(text + first) | FOLD;
    if (size == 3) {
      if ((word & 0xffffff) == 0x676f6c) return true;
    } else if (size == 4) {
      if (word == 0x6f666e69) return true;
    } else if (size == 5) {
      const fifth: u32 = load<u8>(text + first + 4) | 0x20;
      if ((word == 0x75626564 && fifth == 103) || (word == 0x63617274 && fifth == 101)) return true;
    } else if (word == 0x69746f6e && (load<u16>(text + first + 4) | 0x2020) == 0x6563) return true;
  }
  return false;
}

let touchedCount: u32 = 0;

function clearCounts(): void {
  const counts: usize = config(COUNTS);
  const touched: usize = config(TOUCHED);
  for (let i: u32 = 0; i < touchedCount; i += 1) store<u8>(counts + load<u32>(touched + (<usize>i << 2)), 0);
  touchedCount = 0;
}

/**
 * Counts each pair of neighbouring rare words of a text once a shape, until one has `enough`; returns the
 * highest count.
 */
function countPairs(text: usize, start: u32, end: u32, enough: u32): u32 {
  const hashes: usize = config(HASHES);
  const size: u32 = rareWords(text, start, min(end, start + WORD_TEXT_MAX));
  if (size <= PAIRS_MIN) return 0;
  let most: u32 = 0;
  for (let i: u32 = 1; i < size && most < enough; i += 1) {
    const hash: u32 = load<u32>(hashes + (<usize>i << 2));
    most = max(most, countPair(hashPair(load<u32>(hashes + (<usize>(i - 1) << 2)), hash)));
    // A value may happen to be a rare word of some other template: it is passed over once.
    if (i > 1) most = max(most, countPair(hashPair(load<u32>(hashes + (<usize>(i - 2) << 2)), hash)));
  }
  return most;
}

@inline
function hashPair(first: u32, second: u32): u32 {
  return ((first * 0x9e3779b1) ^ second) * 0x85ebca6b;
}

function countPair(pair: u32): u32 {
  const counts: usize = config(COUNTS);
  const touched: usize = config(TOUCHED);
  if (!passes(config(FILTER_PAIRS), config(SHIFT_PAIRS), pair)) return 0;
  const bucket: usize = <usize>config(BUCKETS_PAIRS) + (<usize>(pair & config(MASK_PAIRS)) << 2);
  const end: u32 = load<u32>(bucket + 4);
  let most: u32 = 0;
  for (let e: u32 = load<u32>(bucket); e < end; e += 1) {
    const entry: usize = <usize>config(ENTRIES_PAIRS) + (<usize>e << 3);
    if (load<u32>(entry) != pair) continue;
    const shape: usize = load<u32>(entry + 4);
    const count: u32 = <u32>load<u8>(counts + shape) + 1;
    if (count > 255) continue;
    if (count == 1) {
      if (touchedCount >= config(TOUCHED_MAX)) continue;
      store<u32>(touched + (<usize>touchedCount << 2), <u32>shape);
      touchedCount += 1;
    }
    store<u8>(counts + shape, <u8>count);
    if (count > most) most = count;
  }
  return most;
}

/** Writes the hashes of the text's words that are rare words of some template to HASHES, in order. */
function rareWords(text: usize, start: u32, end: u32): u32 {
  const words: usize = config(WORDS);
  const shift: u32 = config(WORDS_SHIFT);
  const hashes: usize = config(HASHES);
  let size: u32 = 0;
  let at: u32 = start;
  while (at < end) {
    let code: u32 = load<u8>(text + at);
    if (!isLetter(code)) {
      at += 1;
      continue;
    }
    const first: u32 = at;
    let hash: u32 = 0x811c9dc5;
    do {
      hash = (hash ^ (code < 58 ? code : code | 0x20)) * 0x01000193;
      at += 1;
      code = load<u8>(text + at);
    } while (at < end && (isLetter(code) || code - 48 < 10));
    if (at - first < 2) continue;
    const bit: u32 = hash >>> shift;
    if (((load<u32>(words + ((<usize>(bit >>> 5)) << 2)) >>> (bit & 31)) & 1) != 0) {
      store<u32>(hashes + (<usize>size << 2), hash);
      size += 1;
    }
  }
  return size;
}

/** Writes the shapes that share enough rare words with the text at TEXT as pairs (shape, count) to OUT; returns how many. */
export function findSimilar(length: u32): u32 {
  const counts: usize = config(COUNTS);
  const touched: usize = config(TOUCHED);
  const out: usize = config(OUT);
  countPairs(config(TEXT), 0, length, 256);
  let found: u32 = 0;
  for (let i: u32 = 0; i < touchedCount && found < config(OUT_MAX); i += 1) {
    const shape: u32 = load<u32>(touched + (<usize>i << 2));
    const count: u32 = load<u8>(counts + shape);
    if (count < PAIRS_MIN) continue;
    store<u32>(out + (<usize>found << 3), shape);
    store<u32>(out + (<usize>found << 3) + 4, count);
    found += 1;
  }
  clearCounts();
  return found;
}
