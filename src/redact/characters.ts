const BLANK = 1;
const BREAK = 2;
const QUOTE = 4;
const WORD = 8;
const DIGIT = 16;
const KEY = 32;
const BASE64 = 64;

/** Classes of the ASCII characters; all others belong to none. */
const CLASSES = new Uint8Array(128);

function classify(characters: string, bit: number): void {
  for (const one of characters) {
    const code = one.charCodeAt(0);
    CLASSES[code] = (CLASSES[code] ?? 0) | bit;
  }
}

const DIGITS = "0123456789";
const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
classify(" \t", BLANK);
classify("\n\r", BREAK);
classify("\"'`", QUOTE);
classify(`${DIGITS}${LETTERS}_`, WORD);
classify(DIGITS, DIGIT);
classify(`${DIGITS}${LETTERS}_.-`, KEY);
classify(`${DIGITS}${LETTERS}+/=`, BASE64);

function has(text: string, at: number, bits: number): boolean {
  const code = text.charCodeAt(at);
  // Beyond the end the code is NaN, which is below nothing.
  return code < 128 && ((CLASSES[code] ?? 0) & bits) !== 0;
}

/** Blank or tab; false beyond the ends of the text, as are all of these. */
export function isBlank(text: string, at: number): boolean {
  return has(text, at, BLANK);
}

/** Carriage return or line feed. */
export function isBreak(text: string, at: number): boolean {
  return has(text, at, BREAK);
}

/** Blank, tab or line break. */
export function isSpace(text: string, at: number): boolean {
  return has(text, at, BLANK | BREAK);
}

/** Double or single quote, or backtick. */
export function isQuote(text: string, at: number): boolean {
  return has(text, at, QUOTE);
}

/** ASCII letter, digit or underscore. */
export function isWord(text: string, at: number): boolean {
  return has(text, at, WORD);
}

/** ASCII digit. */
export function isDigit(text: string, at: number): boolean {
  return has(text, at, DIGIT);
}

/** What names of settings are made of: letters, digits, `_`, `.` and `-`. */
export function isKeyCharacter(text: string, at: number): boolean {
  return has(text, at, KEY);
}

/** What standard Base64 is made of, padding too. */
export function isBase64(text: string, at: number): boolean {
  return has(text, at, BASE64);
}
