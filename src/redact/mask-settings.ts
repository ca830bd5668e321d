import { isBreak, isKeyCharacter, isQuote } from "./characters.ts";
import { findValue, type FoundValue } from "./find-value.ts";
import { isPlaceholder, isSecretValue, looksSecret } from "./judge-value.ts";
import { kindOfKey, type SecretKind } from "./secret-key.ts";
import type { Masker, Span } from "./span.ts";

/** Longer names are taken for encoded text. */
const KEY_LENGTH_MAX = 64;

const PROSE_LENGTH_MAX = 128;
const ESCAPES_MAX = 15;

/** A cookie's name and sign. */
const COOKIE = /[\w.-]{1,64}=/y;

/** Schemes of an Authorization header; the credential follows. */
const SCHEME =
  /(?:bearer|basic|token|negotiate|apikey|api-key|digest|aws4-hmac-sha256|hawk|oauth)[ \t]{1,8}/iy;
/** Schemes whose credential is a list of parts that reaches to the end of the header. */
const LIST_SCHEME = /^(?:digest|aws4|hawk|oauth)/i;

/**
 * Masks the value of a setting whose name holds the word found at `[at, end)` and says that it is
 * secret. Of a harmless setting nothing is masked and the search goes on behind its name.
 */
export const maskSetting: Masker = (text, at, end, spans) => {
  const keyStart = startOfKey(text, at);
  const keyEnd = endOfKey(text, end);
  if (keyEnd - keyStart > KEY_LENGTH_MAX) return keyEnd;
  const key = text.slice(keyStart, keyEnd);
  const kind = kindOfKey(key);
  if (kind === "harmless") return keyEnd;
  const value = findValue(text, keyStart, keyEnd);
  if (value === undefined) return keyEnd;
  const span = spanOf(text, kind, key, value);
  if (span === undefined) return keyEnd;
  spans.push(span);
  return span.end;
};

/** Where the name begins; of `Secret Key` both words are the name, of a colour before it nothing. */
function startOfKey(text: string, from: number): number {
  const start = startOfName(text, from);
  if (text[start - 1] === "[" && text[start - 2] === "\u001b") {
    return Math.min(
      start + (/^\d{0,3}m/.exec(text.slice(start, start + 4))?.[0].length ?? 0),
      from,
    );
  }
  if (start < from || text[start - 1] !== " " || !/^key/i.test(text.slice(from, from + 3)))
    return start;
  return startOfName(text, start - 1);
}

function startOfName(text: string, from: number): number {
  let at = from;
  while (at > from - KEY_LENGTH_MAX && isKeyCharacter(text, at - 1)) at -= 1;
  return at;
}

/** Behind the last letter or digit: a full stop or hyphen at the end belongs to the sentence. */
function endOfKey(text: string, from: number): number {
  let at = from;
  while (at < from + KEY_LENGTH_MAX && isKeyCharacter(text, at)) at += 1;
  while (at > from && (text[at - 1] === "." || text[at - 1] === "-")) at -= 1;
  return at;
}

function spanOf(text: string, kind: SecretKind, key: string, found: FoundValue): Span | undefined {
  if (kind === "header") return spanOfHeader(text, found);
  if (kind === "cookie" && found.open) return spanOfCookie(text, found);
  const value = text.slice(found.start, found.end);
  if (found.prose && !isSecretInProse(value)) return undefined;
  if (!isSecretValue(kind, key, value)) return undefined;
  if (kind !== "password" && found.open && continuesSentence(text, found)) return undefined;
  return reachOfPhrase(text, key, found);
}

/** `token: unexpected end of input`: a word, and more words behind it. */
function continuesSentence(text: string, { start, end }: FoundValue): boolean {
  return /^[a-z]+$/i.test(text.slice(start, end)) && /^ [a-z]/i.test(text.slice(end, end + 2));
}

/** A passphrase has several words; without quotes it takes the rest of its line. */
function reachOfPhrase(text: string, key: string, { start, end, open }: FoundValue): Span {
  if (!open || !/phrase$/i.test(key)) return { start, end };
  return { start, end: endOfLine(text, end) };
}

/** Words of a sentence are short; what is longer was looked at once and must not be looked at again. */
function isSecretInProse(value: string): boolean {
  return value.length > PROSE_LENGTH_MAX || looksSecret(value);
}

function spanOfHeader(text: string, found: FoundValue): Span | undefined {
  SCHEME.lastIndex = found.start;
  const scheme = SCHEME.exec(text)?.[0];
  if (scheme === undefined) return spanOfBareHeader(text, found);
  const start = found.start + scheme.length;
  if (found.quoted) return start < found.end ? { start, end: found.end } : undefined;
  const end = LIST_SCHEME.test(scheme) ? endOfLine(text, start) : endOfWord(text, start);
  const value = text.slice(start, end);
  return isPlaceholder(value) || /^[a-z]{1,15}$/.test(value) ? undefined : { start, end };
}

/** A header without scheme, or a message about authorization. */
function spanOfBareHeader(text: string, found: FoundValue): Span | undefined {
  const { start, end, quoted, prose } = found;
  const value = text.slice(start, end);
  const isSecret = quoted && !prose ? !isPlaceholder(value) : isSecretInProse(value);
  return isSecret ? { start, end } : undefined;
}

/** A Cookie header: all of it, for any of its values may be a session. */
function spanOfCookie(text: string, { start }: FoundValue): Span | undefined {
  COOKIE.lastIndex = start;
  return COOKIE.test(text) ? { start, end: endOfLine(text, start) } : undefined;
}

/**
 * The end of the line, or of the quoted text that the line is part of: the first quote that does not
 * belong to a part such as `username="x"`, before its backslashes.
 */
function endOfLine(text: string, from: number): number {
  let inner: string | undefined;
  let at = from;
  for (; at < text.length && !isBreak(text, at); at += 1) {
    if (text[at] === "\\" && text[at + 1] === "n") return at;
    if (!isQuote(text, at)) continue;
    const before = skipEscapesBack(text, at);
    if (inner === text[at]) inner = undefined;
    else if (inner !== undefined) continue;
    else if (before > from && text[before - 1] === "=") inner = text[at];
    else return Math.max(before, from);
  }
  return at;
}

function skipEscapesBack(text: string, from: number): number {
  let at = from;
  while (at > from - ESCAPES_MAX && text[at - 1] === "\\") at -= 1;
  return at;
}

function endOfWord(text: string, from: number): number {
  let at = from;
  while (at < text.length && /[^\s"'`,;<>\\)\]}]/.test(text[at] ?? "")) at += 1;
  return at;
}
