import { isDigit, isKeyCharacter, isQuote, isWord } from "./characters.ts";
import type { Masker } from "./span.ts";

/** Lengths of the groups in which people write card numbers. */
const GROUPINGS = new Set(["4-4-4-4", "4-6-5", "4-6-4", "4-4-4-4-3", "4-4-5"]);

/**
 * Issuer ranges and their lengths. Seconds, milliseconds and nanoseconds since 1970 begin with 1 until
 * 2033, which none of them does.
 *
 * @see https://en.wikipedia.org/wiki/Payment_card_number#Issuer_identification_number_(IIN)
 */
const ISSUERS =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]|2[3-6])\d{14}|(?:222[1-9]|22[3-9]\d|27[01]\d|2720)\d{12}|220[0-4]\d{12,15}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11,16}|35(?:2[89]|[3-8]\d)\d{12,15}|6(?:011|4[4-9]\d|5\d\d)\d{12,15}|62\d{14,17}|(?:50|5[6-9]|6[0-9])\d{11,17})$/;

/** Words of a name whose number is an identifier, a time or a size. */
const NUMBER_NAMES = new Set([
  ...["id", "ids", "uid", "pid", "epoch", "offset", "seq", "sequence", "ts", "time", "timestamp"],
  ...["version", "bytes", "size", "hash", "trace", "span", "txn", "lsn", "revision", "generation"],
  ...[
    "nonce",
    "duration",
    "ns",
    "us",
    "ms",
    "nanos",
    "micros",
    "millis",
    "count",
    "total",
    "index",
  ],
  ...["object", "table", "sst", "key", "node", "worker", "vnode", "term", "rev", "xid", "checksum"],
]);

const NAME_LENGTH_MAX = 40;

/**
 * Masks the card number that begins at `at`: an issuer's range and length, the usual groups or none,
 * and a right check digit. A part of a longer number, word, UUID or name is none, and neither is a
 * number whose name says that it is something else.
 */
export const maskCard: Masker = (text, at, _end, spans) => {
  const run = readRun(text, at);
  if (!standsAlone(text, at, run.end)) return run.end;
  const digits = text.slice(at, run.end).replaceAll(/[ -]/g, "");
  if (run.groups.length > 1 ? !GROUPINGS.has(run.groups.join("-")) : hasNumberName(text, at)) {
    return run.end;
  }
  if (ISSUERS.test(digits) && hasCheckDigit(digits)) spans.push({ start: at, end: run.end });
  return run.end;
};

interface DigitRun {
  readonly end: number;
  /** Lengths of the groups between separators. */
  readonly groups: readonly number[];
}

/** Digits from a place on, in groups parted by the same single blank or hyphen. */
function readRun(text: string, from: number): DigitRun {
  const groups: number[] = [];
  let at = from;
  let separator: string | undefined;
  for (;;) {
    const start = at;
    while (isDigit(text, at)) at += 1;
    groups.push(at - start);
    const next = text[at];
    if (!isDigit(text, at + 1) || (next !== " " && next !== "-")) break;
    if (separator !== undefined && next !== separator) break;
    separator = next;
    at += 1;
  }
  return { end: at, groups };
}

function standsAlone(text: string, start: number, end: number): boolean {
  if (isWord(text, start - 1) || /[.@#/+%-]/.test(text[start - 1] ?? "")) return false;
  if (isWord(text, end)) return false;
  return !(/[.:@/+-]/.test(text[end] ?? "") && isWord(text, end + 1));
}

/** Whether the name or word before a number says that it is no card: `epoch=…`, `"id": …`, `offset …`. */
function hasNumberName(text: string, from: number): boolean {
  let at = from - 1;
  const limit = from - 6;
  while (at > limit && (isQuote(text, at) || /[ =:\\]/.test(text[at] ?? "x"))) at -= 1;
  let start = at + 1;
  while (start > at - NAME_LENGTH_MAX && isKeyCharacter(text, start - 1)) start -= 1;
  const words = text
    .slice(Math.max(start, 0), at + 1)
    .replaceAll(/([a-z0-9])(?=[A-Z])/g, "$1 ")
    .toLowerCase()
    .split(/[^a-z]+/);
  return words.some((word) => NUMBER_NAMES.has(word));
}

/** The check of ISO/IEC 7812-1, annex B: every second digit from the right counts double. */
function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits[digits.length - 1 - at]);
    const doubled = digit * 2 > 9 ? digit * 2 - 9 : digit * 2;
    sum += at % 2 === 0 ? digit : doubled;
  }
  return sum % 10 === 0;
}
