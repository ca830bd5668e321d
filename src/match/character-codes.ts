/** Whether a UTF-16 unit is an ASCII letter; `NaN`, past the end of a text, is none. */
export function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 97 && lower <= 122 && code < 128;
}

/** Whether a UTF-16 unit is an ASCII letter or digit. */
export function isLetterOrDigit(code: number): boolean {
  return isLetter(code) || (code >= 48 && code <= 57);
}
