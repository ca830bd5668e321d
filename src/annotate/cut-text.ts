const MARK = "…";
const MARK_BYTES = 3;

/** Size of a text in UTF-8. A lone half of a surrogate pair counts 3, as its replacement does. */
export function utf8Bytes(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (isPair(text, at)) {
      bytes += 4;
      at += 1;
    } else bytes += 3;
  }
  return bytes;
}

/**
 * Cuts a text to at most `bytesMax` bytes of UTF-8. A text that is cut ends in `…`, falls on a code
 * point and is given without the blanks before the mark; below 3 bytes nothing is left of it.
 */
export function cutToBytes(text: string, bytesMax: number): string {
  // No code unit is more than 3 bytes, so most texts need no counting.
  if (text.length * 3 <= bytesMax || utf8Bytes(text) <= bytesMax) return text;
  if (bytesMax < MARK_BYTES) return "";
  let bytes = 0;
  let end = 0;
  for (const point of text) {
    bytes += utf8Bytes(point);
    if (bytes > bytesMax - MARK_BYTES) break;
    end += point.length;
  }
  return text.slice(0, end).trimEnd() + MARK;
}

function isPair(text: string, at: number): boolean {
  const low = text.charCodeAt(at + 1);
  const high = text.charCodeAt(at);
  return high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low < 0xe000;
}
