/**
 * The longest start of a text that takes at most `bytesMax` bytes in UTF-8 and ends on a code point.
 *
 * Costs no more than the part that is kept, however long the text is. A lone surrogate counts three
 * bytes, as the U+FFFD that encoders put in its place does.
 */
export function cutUtf8(text: string, bytesMax: number): { text: string; bytes: number } {
  if (text.length <= bytesMax) {
    // Counted by the runtime, which is far faster than the loop below.
    const whole = Buffer.byteLength(text);
    if (whole <= bytesMax) return { text, bytes: whole };
  }
  let bytes = 0;
  let index = 0;
  while (index < text.length) {
    const codePoint = text.codePointAt(index) ?? 0;
    const width = utf8Width(codePoint);
    if (bytes + width > bytesMax) break;
    bytes += width;
    index += codePoint > 0xffff ? 2 : 1;
  }
  return { text: text.slice(0, index), bytes };
}

function utf8Width(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x1_0000 ? 3 : 4;
}
