/** Whether the text holds an ASCII digit at this index. */
export function isDigitAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

/** Whether the text holds an ASCII letter at this index. */
export function isLetterAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at) | 32;
  return code >= 97 && code <= 122;
}

/** Whether the text holds one of these characters at this index; never beyond its end. */
export function isAnyAt(text: string, at: number, characters: string): boolean {
  return at >= 0 && at < text.length && characters.includes(text.charAt(at));
}

/** Whether an identifier may start at this index: a letter, `_`, or anything outside ASCII. */
export function isNameStartAt(text: string, at: number): boolean {
  return isLetterAt(text, at) || text.charAt(at) === "_" || text.charCodeAt(at) > 127;
}

/** Index after the identifier that starts at `at`; `at` itself where none does. */
export function skipName(text: string, at: number): number {
  if (!isNameStartAt(text, at)) return at;
  let end = at + 1;
  while (isNameStartAt(text, end) || isDigitAt(text, end)) end += 1;
  return end;
}

/** Index after the digits that start at `at`; `at` itself where none do. */
export function skipDigits(text: string, at: number): number {
  let end = at;
  while (isDigitAt(text, end)) end += 1;
  return end;
}

/** Index of the first character at or after `at` that is no blank, tab or line break. */
export function skipBlanks(text: string, at: number): number {
  let end = at;
  while (end < text.length && isAnyAt(text, end, " \t\r\n")) end += 1;
  return end;
}
