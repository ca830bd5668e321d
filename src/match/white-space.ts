/** Whether the character at an offset is white space. */
export function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code <= 32
    ? code === 32 || (code >= 9 && code <= 13)
    : code >= 160 && WIDE_SPACE.test(text.charAt(at));
}

const WIDE_SPACE = /\s/;
