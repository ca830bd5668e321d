// Controls but tab and line feed, and the characters that turn the direction of the text.
const MISLEADING = /(?![\t\n])\p{Cc}|[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;
const LONE_SURROGATE = /\p{Surrogate}/gu;

/**
 * Text from outside as people may see it: controls become their pictures or their code, so that nothing
 * hides, moves or turns round what stands beside it. Tabs and line feeds stay.
 */
export function shown(text: string): string {
  return text
    .replace(/\r\n/gu, "\n")
    .replace(MISLEADING, pictureOf)
    .replace(LONE_SURROGATE, "\ufffd");
}

function pictureOf(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
}

/** The first characters of a text, with an ellipsis when there were more; never half a character. */
export function cut(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const end = /[\ud800-\udbff]$/u.test(text.slice(0, charactersMax - 1)) ? 2 : 1;
  return `${text.slice(0, charactersMax - end)}…`;
}

/** A number with a thin space between thousands, as SI has it. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/gu, "\u202f");
}

/** A count with its noun, e.g. `1 episode`, `2 episodes`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : plural}`;
}
