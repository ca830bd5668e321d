import type { Excerpt, LogEntry } from "../log/excerpt.ts";
import { findSecrets } from "./find-secrets.ts";
import type { RedactOptions } from "./redact-options.ts";
import { maskSpans, type Span } from "./span.ts";

/**
 * Masks secrets and personal data in every entry of an excerpt. The entries, their order, times and
 * lines stay. The entries of one stream are read as one text, for a private key has many lines and an
 * AWS key two halves; it is also much faster than looking at each by itself.
 *
 * Pure, in time linear in the text; never throws.
 */
export function redactExcerpt(excerpt: Excerpt, options: RedactOptions): Excerpt {
  const texts = excerpt.entries.map((entry) => entry.text);
  for (const places of placesByStream(excerpt.entries)) {
    redactStream(texts, places, options);
  }
  const entries = excerpt.entries.map((entry, place): LogEntry => {
    const text = options.extra.reduce((sofar, mask) => mask(sofar), texts[place] ?? "");
    return text === entry.text ? entry : { ...entry, text };
  });
  return { ...excerpt, entries };
}

/** Indexes of the entries of each stream, in order. */
function placesByStream(entries: readonly LogEntry[]): Iterable<readonly number[]> {
  const places = new Map<string, number[]>();
  entries.forEach(({ stream }, place) => {
    const known = places.get(stream);
    if (known === undefined) places.set(stream, [place]);
    else known.push(place);
  });
  return places.values();
}

/** Masks the texts at the places given, in their list. */
function redactStream(texts: string[], places: readonly number[], options: RedactOptions): void {
  const spans = findSecrets(places.map((place) => texts[place] ?? "").join("\n"), options);
  if (spans.length === 0) return;
  const ordered = [...spans].sort((one, other) => one.start - other.start);
  let start = 0;
  let next = 0;
  for (const place of places) {
    const text = texts[place] ?? "";
    const end = start + text.length;
    const own: Span[] = [];
    // No span holds a line break, so each lies within one entry.
    for (let span = ordered[next]; span !== undefined && span.start < end; span = ordered[next]) {
      own.push({ start: span.start - start, end: span.end - start });
      next += 1;
    }
    texts[place] = maskSpans(text, own);
    start = end + 1;
  }
}
