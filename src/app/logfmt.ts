// Line breaks and terminal controls (C0, DEL, C1), line and paragraph separators, halves of surrogate
// pairs, marks that turn the direction of writing, and the byte order mark.
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}\ufeff]/gu;
const PLAIN = /^[\u0021\u0023-\u003c\u003e-\u005b\u005d-\u007e]+$/u;

/** Writes characters that could break or disguise a log line as `\uXXXX`, valid within JSON strings. */
export function escapeUnsafe(text: string): string {
  return text.replace(UNSAFE, (unit) => {
    if (unit === "\n") return "\\n";
    if (unit === "\r") return "\\r";
    if (unit === "\t") return "\\t";
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/**
 * Renders one line in logfmt, without line feed: `key=value` pairs in the order of the fields. Every
 * value that is more than plain ASCII without blanks is quoted and escaped, so that text from outside
 * can neither end the line nor add a pair.
 */
export function renderLogfmt(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${renderKey(key)}=${renderValue(value)}`)
    .join(" ");
}

function renderKey(key: string): string {
  const safe = key.replace(/[^a-zA-Z0-9_.-]/gu, "_");
  return safe === "" ? "_" : safe;
}

function renderValue(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (PLAIN.test(text)) return text;
  return `"${escapeUnsafe(text.replace(/["\\]/gu, "\\$&"))}"`;
}
