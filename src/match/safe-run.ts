// Characters that a log format escapes or breaks: quotes, backslashes, slashes (PHP writes `\/`), `<>&`
// (Go writes `\u003c`), white space but the blank, non-ASCII.
const SAFE = /[ !#-%'-.0-;=?-Z[\]^_a-z{|}~]/;
const SAFE_CODES = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(SAFE.test(String.fromCharCode(code))),
);

/** A half-open range of offsets in a literal. */
export interface Run {
  readonly start: number;
  readonly end: number;
}

/** Whether every log format prints the character at an offset as it is. */
export function isSafe(text: string, at: number): boolean {
  return SAFE_CODES[text.charCodeAt(at)] === 1;
}

/** The run of characters around an offset that every log format leaves alone. */
export function safeRun(text: string, offset: number): Run {
  let start = offset;
  let end = offset;
  while (start > 0 && isSafe(text, start - 1)) start -= 1;
  while (end < text.length && isSafe(text, end)) end += 1;
  return { start, end };
}

/** The longest such run; empty when there is none. */
export function findLongestSafeRun(text: string): Run {
  let best: Run = { start: 0, end: 0 };
  for (let at = 0; at < text.length; at += 1) {
    const run = safeRun(text, at);
    if (run.end - run.start > best.end - best.start) best = run;
    at = Math.max(at, run.end);
  }
  return best;
}

/** Length of the longest such run. */
export function longestSafeRun(text: string): number {
  const { start, end } = findLongestSafeRun(text);
  return end - start;
}
