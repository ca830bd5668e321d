import type { PlaceholderKind, TemplatePart } from "../record/template.ts";
import { isAnyAt } from "./templates/characters.ts";

/** One atom of a pattern: what it matches when it stands once, and where it ends. */
interface Atom {
  readonly end: number;
  readonly literal: string | undefined;
  readonly kind: PlaceholderKind;
}

const CONTROL: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/** Longest `{2,5}` looked at. */
const BOUNDS_CHARS_MAX = 12;

/** Longest name looked at in `%(name)s`. */
const NAME_CHARS_MAX = 200;

/** Index after the group or class that opens at `at`, or undefined where it stays open. */
function skipBracketed(pattern: string, at: number): number | undefined {
  let depth = 0;
  let inClass = false;
  for (let i = at; i < pattern.length; i += 1) {
    const char = pattern.charAt(i);
    if (char === "\\") i += 1;
    else if (inClass) inClass = char !== "]";
    else if (char === "[") inClass = true;
    else if (char === "(") depth += 1;
    else if (char === ")") depth -= 1;
    if (depth === 0 && !inClass && i > at) return i + 1;
  }
  return undefined;
}

function readEscape(pattern: string, at: number): Atom | undefined {
  const char = pattern.charAt(at + 1);
  const end = at + 2;
  if (char === "d") return { end, literal: undefined, kind: "integer" };
  if (char === "s") return { end, literal: " ", kind: "any" };
  if ("SwWDpP".includes(char || "S")) return { end, literal: undefined, kind: "any" };
  if (char === "b" || char === "B") return { end, literal: "", kind: "any" };
  if (char in CONTROL) return { end, literal: CONTROL[char], kind: "any" };
  // A back reference, a code point or a letter without meaning: not worth guessing.
  if (/[0-9a-zA-Z]/.test(char)) return undefined;
  return { end, literal: char, kind: "any" };
}

function readBracketed(pattern: string, at: number): Atom | undefined {
  const end = skipBracketed(pattern, at);
  return end === undefined ? undefined : { end, literal: undefined, kind: "any" };
}

function readAtom(pattern: string, at: number): Atom | undefined {
  const char = pattern.charAt(at);
  if (char === "\\") return readEscape(pattern, at);
  if ("([".includes(char)) return readBracketed(pattern, at);
  if ("^$".includes(char)) return { end: at + 1, literal: "", kind: "any" };
  if (")|]".includes(char)) return undefined;
  // A dot that does not repeat is in most patterns a full stop that nobody escaped.
  const repeatsAny = char === "." && isAnyAt(pattern, at + 1, "*+");
  return { end: at + 1, literal: repeatsAny ? undefined : char, kind: "any" };
}

/** Index after `?`, `*`, `+` or `{2,5}` and the `?` that makes it lazy. */
function skipQuantifier(pattern: string, at: number): number {
  const char = pattern.charAt(at);
  let end = at;
  if (char !== "" && "?*+".includes(char)) end = at + 1;
  else if (char === "{") {
    const close = pattern.slice(at, at + BOUNDS_CHARS_MAX).indexOf("}");
    if (close < 0) return at;
    end = at + close + 1;
  } else return at;
  return pattern.charAt(end) === "?" ? end + 1 : end;
}

function readParts(pattern: string): readonly TemplatePart[] | undefined {
  const parts: TemplatePart[] = [];
  let literal = "";
  for (let at = 0; at < pattern.length;) {
    const atom = readAtom(pattern, at);
    if (atom === undefined) return undefined;
    const end = skipQuantifier(pattern, atom.end);
    const repeatsBlank = end > atom.end && atom.literal === " ";
    if (atom.literal !== undefined && (end === atom.end || repeatsBlank)) {
      literal += atom.literal;
    } else {
      if (literal !== "") parts.push({ type: "literal", text: literal });
      literal = "";
      parts.push({
        type: "placeholder",
        kind: atom.kind,
        source: pattern.slice(at, end),
        name: "",
      });
    }
    at = end;
  }
  if (literal !== "") parts.push({ type: "literal", text: literal });
  return parts;
}

/** A group or `.+`; a class, `\d` or `x?` alone stands in many a pattern that nobody escaped. */
function isGap(part: TemplatePart): boolean {
  return part.type === "placeholder" && "(.".includes(part.source.charAt(0));
}

/** A quick no for the many patterns that are nothing but an escaped message. */
function mayRepeat(pattern: string): boolean {
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern.charAt(at);
    if (char === "\\") at += 1;
    else if ("([*+".includes(char)) return true;
  }
  return false;
}

/** Stands for a group; no message holds it. */
const MARK = "\u0000";

/** Puts a mark for each stretch from `open` to the next `}`, as upstream does. */
function markBraces(text: string, open: "${" | "{"): string {
  let marked = "";
  let from = 0;
  for (let at = text.indexOf(open); at >= 0; at = text.indexOf(open, from)) {
    const close = text.indexOf("}", at + open.length);
    if (close < 0) break;
    marked += text.slice(from, at) + MARK;
    from = close + 1;
  }
  return marked + text.slice(from);
}

function findParenthesis(text: string, at: number): number {
  const close = text.slice(at, at + NAME_CHARS_MAX).indexOf(")");
  return close < 0 ? -1 : at + close;
}

/** Puts a mark for each `%(name)s` and `%s`, with the few letters that upstream knows. */
function markConversions(text: string): string {
  let marked = "";
  let from = 0;
  for (let at = text.indexOf("%"); at >= 0; at = text.indexOf("%", at + 1)) {
    if (at < from) continue;
    const close = text.charAt(at + 1) === "(" ? findParenthesis(text, at) : -1;
    const named = close > 0 && isAnyAt(text, close + 1, "sdifge");
    if (!named && !isAnyAt(text, at + 1, "sdifjv")) continue;
    marked += text.slice(from, at) + MARK;
    from = named ? close + 2 : at + 2;
  }
  return marked + text.slice(from);
}

/**
 * Whether the pattern is only the message with upstream's own replacements in it. Then it knows nothing
 * that the message does not say better.
 */
function isDerivedFrom(parts: readonly TemplatePart[], message: string): boolean {
  const derived = markBraces(markConversions(markBraces(message, "${")), "{");
  return parts.map((part) => (part.type === "literal" ? part.text : MARK)).join("") === derived;
}

/**
 * The literals and groups of a `messagePattern`, where it says more than `errorMessage`: someone wrote
 * it for a message without placeholders. Read as text, never compiled; undefined for a pattern with
 * alternatives or back references, without groups, or merely derived from the message.
 */
export function parsePattern(
  pattern: string,
  message: string,
): readonly TemplatePart[] | undefined {
  if (!mayRepeat(pattern)) return undefined;
  const parts = readParts(pattern);
  if (parts?.some(isGap) !== true) return undefined;
  return isDerivedFrom(parts, message) ? undefined : parts;
}
