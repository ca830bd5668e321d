import { isAnyAt, isLetterAt } from "./characters.ts";

const SIMPLE: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  '"': '"',
  "'": "'",
  "\\": "\\",
};

/** Whether the colon of a Windows drive stands at `at`. */
function isDrive(text: string, at: number): boolean {
  return text.charAt(at) === ":" && isLetterAt(text, at - 1) && !isLetterAt(text, at - 2);
}

/**
 * Whether the backslash at `at` is surely one of source code: before a double quote, or in a line break
 * that ends the message or stands between words, not in quotes or in a Windows path.
 */
function isSure(text: string, at: number): boolean {
  const escaped = text.charAt(at + 1);
  if (escaped === '"') return true;
  if (escaped === "r") return text.charAt(at + 2) === "\n" || text.startsWith("\\n", at + 2);
  if (escaped !== "n") return false;
  const next = text.charAt(at + 2);
  if (next === "") return true;
  const between = isLetterAt(text, at - 1) || isAnyAt(text, at - 1, ".:;,)!?}");
  return between && !isDrive(text, at - 1) && !(next >= "a" && next <= "z");
}

/**
 * Undoes the escapes of a message that stands as in its source file. Most messages come decoded, and a
 * backslash in them is printed (`found unrecognized \flag`), so that all of them must be known escapes
 * and one of them a sure sign of source code.
 */
export function undoSourceEscapes(text: string): string {
  if (!text.includes("\\")) return text;
  let sure = false;
  let undone = "";
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char !== "\\") {
      undone += char;
      continue;
    }
    const meaning = SIMPLE[text.charAt(at + 1)];
    if (meaning === undefined) return text;
    sure ||= isSure(text, at);
    undone += meaning;
    at += 1;
  }
  return sure ? undone : text;
}
