/** A string literal read to its end, or what is wrong with it. */
export type GoString =
  | { readonly text: string; /** Offset behind the closing quote. */ readonly end: number }
  | { readonly fault: "literal not terminated" | "invalid char escape" };

const SINGLE: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  '"': '"',
};
const CODED = /x([0-9a-fA-F]{2})|([0-7]{3})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})/uy;

/** Reads the Go string literal, interpreted or raw, that begins at `start`. */
export function readGoString(source: string, start: number): GoString {
  if (source.charAt(start) === "`") {
    const end = source.indexOf("`", start + 1);
    if (end < 0) return { fault: "literal not terminated" };
    return { text: source.slice(start + 1, end), end: end + 1 };
  }
  let text = "";
  let at = start + 1;
  while (at < source.length) {
    const character = source.charAt(at);
    if (character === '"') return { text, end: at + 1 };
    if (character === "\n") return { fault: "literal not terminated" };
    if (character !== "\\") {
      text += character;
      at += 1;
      continue;
    }
    const escape = readEscape(source, at + 1);
    if (escape === undefined) return { fault: "invalid char escape" };
    text += escape.text;
    at = escape.end;
  }
  return { fault: "literal not terminated" };
}

function readEscape(source: string, at: number): { text: string; end: number } | undefined {
  const single = SINGLE[source.charAt(at)];
  if (single !== undefined) return { text: single, end: at + 1 };
  CODED.lastIndex = at;
  const coded = CODED.exec(source);
  if (coded === null) return undefined;
  const [all, hex, octal, short, long] = coded;
  const code = octal === undefined ? parseInt(hex ?? short ?? long ?? "", 16) : parseInt(octal, 8);
  if (code > 0x10ffff) return undefined;
  // Go takes half of a surrogate pair for U+FFFD, so that it matches nothing.
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  return { text: isSurrogate ? "\ufffd" : String.fromCodePoint(code), end: at + all.length };
}
