import { isDigit, isKeyCharacter, isSpace, isWord } from "./characters.ts";
import { isPlaceholder, looksSecret } from "./judge-value.ts";
import type { Span } from "./span.ts";

const LOCAL_LENGTH_MAX = 64;
const PASSWORD_LENGTH_MAX = 128;
const DOMAIN_LENGTH_MAX = 253;

/**
 * Masks credentials in URLs and data source names, and e-mail addresses if asked: all that has an `@`.
 * User, host and path of a URL stay, for they tell what could not be reached.
 */
export function maskAddresses(text: string, spans: Span[], withEmails: boolean): void {
  if (!text.includes("@")) return;
  const inUrls = maskUrls(text, spans);
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    if (inUrls.has(at)) continue;
    const password = passwordBefore(text, at);
    if (password !== undefined) spans.push(password);
    else if (withEmails) spans.push(...emailAround(text, at));
  }
}

/** Masks the user information of every `scheme://user:password@host`; gives the places of their `@`. */
function maskUrls(text: string, spans: Span[]): ReadonlySet<number> {
  const places = new Set<number>();
  let at = text.indexOf("://");
  while (at >= 0) {
    const start = at + 3;
    const { end, signAt } = findUserinfo(text, start);
    if (signAt !== undefined) {
      places.add(signAt);
      const span = secretOfUserinfo(text, start, signAt);
      if (span !== undefined) spans.push(span);
    }
    at = text.indexOf("://", Math.max(end, start));
  }
  return places;
}

interface Userinfo {
  /** How far was looked. */
  readonly end: number;
  /** The `@` that ends the user information; `undefined` without one. */
  readonly signAt: number | undefined;
}

/**
 * Finds the last `@` of an authority. A password may hold `/`, `?` or `#` unescaped: then its colon is
 * followed by something that is no port, and the next `@` counts.
 */
function findUserinfo(text: string, start: number): Userinfo {
  const end = endOfAuthority(text, start);
  const last = text.slice(start, end).lastIndexOf("@");
  if (last >= 0) return { end, signAt: start + last };
  if (!hasOpenPassword(text, start, end)) return { end, signAt: undefined };
  let at = end;
  while (!endsUrl(text, at) && text[at] !== "@") at += 1;
  return { end: at, signAt: text[at] === "@" ? at : undefined };
}

function endOfAuthority(text: string, start: number): number {
  let at = start;
  while (!endsUrl(text, at) && !/[/?#]/.test(text[at] ?? "")) at += 1;
  return at;
}

/** Whether what stands before a slash ends in a colon and something that is no port. */
function hasOpenPassword(text: string, start: number, end: number): boolean {
  const colon = text.slice(start, end).indexOf(":");
  return colon >= 0 && start + colon + 1 < end && !isDigit(text, start + colon + 1);
}

/** The end of the text, a blank, a quote, an angle bracket, or the next URL. */
function endsUrl(text: string, at: number): boolean {
  if (at >= text.length || isSpace(text, at) || /["'`<>]/.test(text[at] ?? "")) return true;
  return text.startsWith("://", at);
}

/** The password, or a user without password that looks like a token. */
function secretOfUserinfo(text: string, start: number, end: number): Span | undefined {
  const colon = text.slice(start, end).indexOf(":");
  const from = colon < 0 ? start : start + colon + 1;
  const secret = text.slice(from, end);
  if (isPlaceholder(secret)) return undefined;
  return colon >= 0 || (secret.length >= 16 && looksSecret(secret))
    ? { start: from, end }
    : undefined;
}

/** Names that stand before an address and not before a password: `to:bob@example.com`. */
const NO_USER =
  /^(?:mailto|to|from|cc|bcc|e?mail|user|username|owner|author|sip|xmpp|by|pkg|npm)$/i;
/** Hosts with a port, a path or a protocol in brackets, as data source names have them. */
const DSN_HOST =
  /(?:(?:tcp|udp|unix)?\(|\/|\[[0-9a-f:]{2,39}\]:\d|(?!sha\d)[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?:\d{2,5}(?!\d))/y;

/** The password of a data source name without scheme: `user:password@tcp(host:3306)`. */
function passwordBefore(text: string, at: number): Span | undefined {
  const colon = colonBefore(text, at);
  if (colon === undefined) return undefined;
  let userStart = colon;
  while (userStart > colon - LOCAL_LENGTH_MAX && isKeyCharacter(text, userStart - 1))
    userStart -= 1;
  const user = text.slice(userStart, colon);
  if (user === "" || NO_USER.test(user) || isPlaceholder(text.slice(colon + 1, at)))
    return undefined;
  DSN_HOST.lastIndex = at + 1;
  return DSN_HOST.test(text) ? { start: colon + 1, end: at } : undefined;
}

function colonBefore(text: string, at: number): number | undefined {
  const limit = Math.max(at - PASSWORD_LENGTH_MAX, 0);
  let colon = at - 1;
  while (colon > limit && !/[\s"'`<>:@]/.test(text[colon] ?? "")) colon -= 1;
  return text[colon] === ":" && colon < at - 1 ? colon : undefined;
}

/** Ends of file names and of service units, which no domain has. */
const NO_DOMAIN = new Set([
  ...["png", "jpg", "jpeg", "gif", "svg", "webp", "service", "socket", "timer", "mount", "slice"],
  ...["scope", "target", "device", "swap", "local", "svc", "internal"],
]);

/** The address around an `@`, or nothing when it is none. */
function emailAround(text: string, at: number): readonly Span[] {
  let start = at;
  while (start > at - LOCAL_LENGTH_MAX && isLocal(text, start - 1)) start -= 1;
  const end = endOfDomain(text, at + 1);
  // `git@host.org:path` is a remote.
  const local = text.slice(start, at);
  if (local === "" || local === "git") return [];
  return isMailDomain(text.slice(at + 1, end)) ? [{ start, end }] : [];
}

function endOfDomain(text: string, from: number): number {
  let end = from;
  while (end < from + DOMAIN_LENGTH_MAX && isDomain(text, end)) end += 1;
  while (end > from && !isWord(text, end - 1)) end -= 1;
  return end;
}

function isMailDomain(domain: string): boolean {
  const top = /\.([A-Za-z]{2,24})$/.exec(domain)?.[1]?.toLowerCase();
  // What begins like `1.2` is the version of a package.
  return top !== undefined && !NO_DOMAIN.has(top) && !/^\d+\.\d/.test(domain);
}

function isLocal(text: string, at: number): boolean {
  return isKeyCharacter(text, at) || /[+%]/.test(text[at] ?? "");
}

function isDomain(text: string, at: number): boolean {
  return isKeyCharacter(text, at) && text[at] !== "_";
}
