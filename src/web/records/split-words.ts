/**
 * The words of a text in lower case: runs of letters and digits, `CamelCase` names also by their parts.
 * Both what is looked for and what is looked through is split by it.
 */
export function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  for (const [run] of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    const whole = run.toLowerCase();
    words.push(whole);
    if (whole === run) continue;
    const parts = run.split(/(?<=[a-z0-9])(?=[A-Z])/u);
    if (parts.length > 1) words.push(...parts.map((part) => part.toLowerCase()));
  }
  return words;
}

/** The words that are looked for, each once; names stay whole. */
export function wordsOfQuery(text: string, wordsMax: number): readonly string[] {
  const runs = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(runs.map((run) => run.toLowerCase()))].slice(0, wordsMax);
}
