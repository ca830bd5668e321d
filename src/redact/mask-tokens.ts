import { isBase64, isBreak, isKeyCharacter, isQuote, isSpace, isWord } from "./characters.ts";
import { looksCredential } from "./judge-value.ts";
import type { Masker, Span } from "./span.ts";

const KEY_RUN_MIN = 16;
const SK_LENGTH_MIN = 20;

/** Masks a key of a fixed length whose maker gave it a telling form. */
export const maskWholeKey: Masker = (text, at, end, spans) => {
  if (!isWord(text, at - 1) && !isWord(text, end)) spans.push({ start: at, end });
  return end;
};

/** Masks a key that begins with its maker's prefix, found at `[at, end)`, and is long enough. */
export const maskVendorKey: Masker = (text, at, end, spans) => {
  if (isWord(text, at - 1)) return end;
  const stop = endOfRun(text, end);
  if (stop - end >= KEY_RUN_MIN) spans.push({ start: at, end: stop });
  return stop;
};

/** Masks a Slack token, whose parts may be short. */
export const maskSlackToken: Masker = (text, at, end, spans) => {
  if (isWord(text, at - 1)) return end;
  const stop = endOfRun(text, end);
  if (stop - end >= 8 && /\d/.test(text.slice(end, stop))) spans.push({ start: at, end: stop });
  return stop;
};

/** Masks `sk-…` and `sk_live_…`; workloads are named `sk-web-7d9f8b6c5d`, too, but in short words. */
export const maskSecretKey: Masker = (text, at, end, spans) => {
  if (isWord(text, at - 1) || text[at - 1] === "-") return end;
  const stop = endOfRun(text, end);
  const key = text.slice(at, stop);
  if (key.length < SK_LENGTH_MIN || !/\d/.test(key)) return stop;
  const hasLongPart = key.split(/[-_]/).some((part) => part.length >= SK_LENGTH_MIN);
  if (hasLongPart || /[A-Z]/.test(key)) spans.push({ start: at, end: stop });
  return stop;
};

/** The end of letters, digits, `_`, `.` and `-`; a full stop or hyphen at the end is not part of it. */
function endOfRun(text: string, from: number): number {
  let at = from;
  while (isKeyCharacter(text, at)) at += 1;
  while (at > from && !isWord(text, at - 1)) at -= 1;
  return at;
}

/** Beginnings of `{"alg`, `{"typ` and `{"kid` in Base64: a JWT even when it was cut off. */
const JWT_HEAD = /^eyJ(?:hbGci|0eXAi|raWQi)/;

/** Masks a JSON Web Token: three or five parts of Base64, the first of which is a JSON object. */
export const maskJwt: Masker = (text, at, end, spans) => {
  if (isWord(text, at - 1)) return end;
  const stop = endOfRun(text, end);
  const token = text.slice(at, stop);
  const isWhole = token.includes(".") && token.length >= 20;
  if (isWhole || JWT_HEAD.test(token)) spans.push({ start: at, end: stop });
  return stop;
};

/** Masks what follows `Bearer ` or `Basic ` if it is a credential. */
export const maskCredential: Masker = (text, at, end, spans) => {
  let stop = end;
  while (isBase64(text, stop) || isKeyCharacter(text, stop) || text[stop] === "~") stop += 1;
  while (stop > end && text[stop - 1] === ".") stop -= 1;
  if (!isWord(text, at - 1) && looksCredential(text.slice(end, stop))) {
    spans.push({ start: end, end: stop });
  }
  return Math.max(stop, end);
};

/** Masks the password of SQL's `IDENTIFIED BY 'x'`. */
export const maskIdentified: Masker = (text, _at, end, spans) => {
  let stop = end;
  while (stop < text.length && text[stop] !== "'" && !isBreak(text, stop)) stop += 1;
  if (stop > end) spans.push({ start: end, end: stop });
  return stop;
};

/** Masks what follows the address of a web hook, which is all that is needed to write to it. */
export const maskHook: Masker = (text, _at, end, spans) => {
  let stop = end;
  while (isKeyCharacter(text, stop) || text[stop] === "/") stop += 1;
  if (stop > end) spans.push({ start: end, end: stop });
  return stop;
};

/** Masks the password of `-u user:password`, which is not a user and a group. */
export const maskUserFlag: Masker = (text, _at, end, spans) => {
  let stop = end;
  while (stop < text.length && !isSpace(text, stop) && !isQuote(text, stop)) stop += 1;
  if (!/^\d*$/.test(text.slice(end, stop))) spans.push({ start: end, end: stop });
  return stop;
};

const ACCESS_KEY_ID = /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/;
const AWS_SECRET = /[A-Za-z0-9/+]{40,}={0,2}/g;
const AWS_SECRET_LENGTH = 40;

/** Masks the secret halves of AWS keys in a text that also names an access key id. */
export function maskAwsSecrets(text: string, spans: Span[]): void {
  if (!ACCESS_KEY_ID.test(text)) return;
  for (const found of text.matchAll(AWS_SECRET)) {
    const [key] = found;
    const isMixed = /[A-Z]/.test(key) && /[a-z]/.test(key) && /\d/.test(key);
    if (key.length === AWS_SECRET_LENGTH && isMixed) {
      spans.push({ start: found.index, end: found.index + key.length });
    }
  }
}
