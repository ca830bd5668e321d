import type { Labels } from "./alert.ts";

/**
 * Alertmanager's fingerprint of a label set: 16 lower-case hex digits of FNV-1a, 64 bit, over each
 * name, byte 0xFF, value, byte 0xFF (UTF-8), names in the order of their bytes. Annotations play no part.
 *
 * @see https://github.com/prometheus/common/blob/main/model/signature.go (`labelSetToFingerprint`)
 */
export function fingerprintOf(labels: Labels): string {
  const state = { high: OFFSET_HIGH, low: OFFSET_LOW };
  for (const name of Object.keys(labels).sort(compareUtf8)) {
    addText(state, name);
    addByte(state, SEPARATOR);
    addText(state, labels[name] ?? "");
    addByte(state, SEPARATOR);
  }
  return hex32(state.high) + hex32(state.low);
}

// The 64-bit offset basis 0xcbf29ce484222325 in two halves: a BigInt for each byte costs some
// fifty times as much, and every alert of every post is hashed.
const OFFSET_HIGH = 0xcbf29ce4;
const OFFSET_LOW = 0x84222325;
const SEPARATOR = 0xff;

interface HashState {
  high: number;
  low: number;
}

/** One FNV-1a step: xor, then multiply by the prime 2^40 + 0x1b3 modulo 2^64. */
function addByte(state: HashState, byte: number): void {
  const low = (state.low ^ byte) >>> 0;
  // Below 2^41, so exact; its upper bits are what the low half carries over.
  const lowProduct = low * 0x1b3;
  const carry = Math.floor(lowProduct / 0x1_0000_0000);
  const high = Math.imul(state.high, 0x1b3) + carry + (low << 8);
  state.low = lowProduct >>> 0;
  state.high = high >>> 0;
}

function addText(state: HashState, text: string): void {
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) {
      addByte(state, unit);
      continue;
    }
    const codePoint = wellFormedCodePointAt(text, index);
    if (codePoint > 0xffff) index += 1;
    addCodePoint(state, codePoint);
  }
}

/** A lone surrogate has no UTF-8 form: U+FFFD stands for it, as in every encoder of this runtime. */
function wellFormedCodePointAt(text: string, index: number): number {
  const codePoint = text.codePointAt(index) ?? 0xfffd;
  return codePoint >= 0xd800 && codePoint <= 0xdfff ? 0xfffd : codePoint;
}

function addCodePoint(state: HashState, codePoint: number): void {
  if (codePoint < 0x800) {
    addByte(state, 0xc0 | (codePoint >> 6));
  } else {
    if (codePoint < 0x1_0000) {
      addByte(state, 0xe0 | (codePoint >> 12));
    } else {
      addByte(state, 0xf0 | (codePoint >> 18));
      addByte(state, 0x80 | ((codePoint >> 12) & 0x3f));
    }
    addByte(state, 0x80 | ((codePoint >> 6) & 0x3f));
  }
  addByte(state, 0x80 | (codePoint & 0x3f));
}

/** Order of the UTF-8 bytes, which is the order of the code points, not that of UTF-16 units. */
function compareUtf8(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const difference = sortKey(left.charCodeAt(index)) - sortKey(right.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Moves surrogates (U+10000 and above) behind U+E000 to U+FFFF. */
function sortKey(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}

function hex32(half: number): string {
  return half.toString(16).padStart(8, "0");
}
