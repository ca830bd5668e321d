/** A half-open range of UTF-16 offsets that is to be masked; never holds a line break. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What stands in the place of a secret, whatever its length. */
const MASK = "***";

/**
 * Looks at one place where a secret may be, adds the spans to be masked, and says where to go on: behind
 * the place, and behind all that was looked at without bound, so that the whole takes linear time.
 */
export type Masker = (text: string, at: number, end: number, spans: Span[]) => number;

/** Puts the mask in the place of every span; spans may overlap and come in any order. */
export function maskSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const ordered = [...spans].sort((one, other) => one.start - other.start);
  let masked = "";
  let done = 0;
  for (const { start, end } of ordered) {
    if (end <= done) continue;
    // A span that begins inside the one before only makes it longer.
    if (start >= done) masked += text.slice(done, start) + MASK;
    done = end;
  }
  return masked + text.slice(done);
}
