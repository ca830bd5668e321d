/** Code points, never half of a pair. */
export function cutText(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  let end = charsMax - 1;
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end -= 1;
  return `${text.slice(0, end)}…`;
}

/**
 * Splits text into pieces of at most `charsMax` UTF-16 units, at line ends where there are any. Nothing
 * is left out but the line feed at a cut.
 */
export function splitText(text: string, charsMax: number): readonly string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > charsMax) {
    const lineEnd = rest.lastIndexOf("\n", charsMax);
    let end = lineEnd > 0 ? lineEnd : charsMax;
    const last = rest.charCodeAt(end - 1);
    if (lineEnd <= 0 && last >= 0xd800 && last <= 0xdbff) end -= 1;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(lineEnd > 0 ? end + 1 : end);
  }
  if (rest !== "") pieces.push(rest);
  return pieces;
}
