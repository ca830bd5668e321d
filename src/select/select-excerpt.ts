import type { Alert } from "../alert/alert.ts";
import { cutUtf8 } from "../log/cut-utf8.ts";
import type { Excerpt, LogEntry } from "../log/excerpt.ts";

/** Where an alert may carry text, and how much of it is read. */
export interface SelectOptions {
  /** Annotations that hold log lines, in the order of preference. */
  readonly logAnnotations: readonly string[];
  /** Annotations in prose, all of which are read. */
  readonly proseAnnotations: readonly string[];
  /** UTF-8 bytes of all lines together, line ends not counted. */
  readonly excerptBytesMax: number;
  readonly excerptLinesMax: number;
}

/**
 * Takes the text that came with an alert: the first annotation of log lines that says something
 * (provenance `excerpt`), else every prose annotation that does (`prose`).
 *
 * Each line is an entry without a time; lines of one annotation are one stream. A text over a limit
 * keeps its start: the first error says more than the last.
 *
 * @returns `undefined` when no annotation says anything.
 */
export function selectExcerpt(alert: Alert, options: SelectOptions): Excerpt | undefined {
  const { logAnnotations, proseAnnotations } = options;
  const log = filledAnnotations(alert, logAnnotations)[0];
  if (log !== undefined) return { ...takeLines([log], options), provenance: "excerpt" };
  const prose = filledAnnotations(alert, proseAnnotations);
  if (prose.length === 0) return undefined;
  return { ...takeLines(withoutRepeats(prose), options), provenance: "prose" };
}

interface NamedText {
  readonly name: string;
  readonly text: string;
}

function filledAnnotations({ annotations }: Alert, names: readonly string[]): NamedText[] {
  return names
    .map((name) => ({
      name,
      text: Object.hasOwn(annotations, name) ? (annotations[name] ?? "") : "",
    }))
    .filter(({ text }) => /\S/u.test(text));
}

/** Rules often write one sentence under two names; it is no second occurrence. */
function withoutRepeats(texts: readonly NamedText[]): readonly NamedText[] {
  return texts.filter(
    ({ text }, index) => texts.findIndex((other) => other.text === text) === index,
  );
}

function takeLines(
  texts: readonly NamedText[],
  { excerptBytesMax, excerptLinesMax }: SelectOptions,
): Pick<Excerpt, "entries" | "cut"> {
  const entries: LogEntry[] = [];
  let bytesLeft = excerptBytesMax;
  for (const { name, text } of texts) {
    for (const line of linesOf(text)) {
      if (entries.length >= excerptLinesMax) return { entries, cut: true };
      const kept = cutUtf8(line, bytesLeft);
      bytesLeft -= kept.bytes;
      const isCut = kept.text.length < line.length;
      if (!isCut || kept.text !== "") {
        entries.push({ timestampNs: undefined, text: kept.text, stream: name });
      }
      if (isCut) return { entries, cut: true };
    }
  }
  return { entries, cut: false };
}

/** Lines without their ends, LF or CRLF, one by one: a text may be far longer than what is kept. */
function* linesOf(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    const feed = text.indexOf("\n", start);
    const end = feed < 0 ? text.length : feed;
    yield text.slice(start, end > start && text[end - 1] === "\r" ? end - 1 : end);
    start = end + 1;
  }
}
