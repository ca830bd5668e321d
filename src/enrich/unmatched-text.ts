import type { Excerpt } from "../log/excerpt.ts";
import type { View } from "../log/view.ts";
import { parseExcerpt } from "../parse/parse-excerpt.ts";
import type { UnmatchedText } from "./enrichment.ts";

const LINES_READ_MAX = 200;
const LINE_READ_MAX = 4000;
const SHAPE_LENGTH_MAX = 300;
const SAMPLE_LENGTH_MAX = 600;
const LETTERS_MIN = 4;

/** What makes a line look like an error, the strongest first. */
const SIGNS: readonly RegExp[] = [
  /\b(?:panic(?:ked)?|fatal|FATAL|CRITICAL|emerg)\b|\b[A-Z]\w*(?:Exception|Error)\b/u,
  /\b(?:ERROR|error|Error|SEVERE|ERR)\b|^E\d{4} /u,
];
// Tried on the line in lower case: the flag for any case makes each line take three times as long.
const WEAK_SIGN = /\b(?:fail(?:ed|ure|s)?|cannot|unable|refused|denied|timed out|warn(?:ing)?)\b/u;

/** Fields of structured logs that hold the message, the most telling first. */
const MESSAGE_FIELDS = ["error", "err", "msg", "message", "exception", "log"];

/**
 * Finds the line of an excerpt that looks most like an error and its shape, so that equal troubles of
 * many episodes are seen as one. Pure; `undefined` when no line has words.
 *
 * @param excerpt - Redacted.
 */
export function findUnmatchedText(excerpt: Excerpt): UnmatchedText | undefined {
  const sample = tellingLine(excerpt);
  if (sample === undefined) return undefined;
  const shape = shapeOf(messageOf(sample));
  const letters = shape.match(/\p{L}/gu)?.length ?? 0;
  return letters < LETTERS_MIN ? undefined : { shape, sample: sample.slice(0, SAMPLE_LENGTH_MAX) };
}

/** Of the newest lines the one with the strongest sign, of equal ones the newest. */
function tellingLine(excerpt: Excerpt): string | undefined {
  let best: string | undefined;
  let bestRank = Number.POSITIVE_INFINITY;
  let left = LINES_READ_MAX;
  for (const line of newestLines(excerpt)) {
    const rank = rankOf(line);
    if (rank < bestRank) {
      best = line;
      bestRank = rank;
    }
    left -= 1;
    if (left === 0 || bestRank === 0) break;
  }
  return best;
}

/** Lines with text, the newest first. */
function* newestLines({ entries }: Excerpt): Generator<string> {
  for (const entry of entries.toReversed()) {
    for (const whole of entry.text.split("\n").reverse()) {
      const line = whole.slice(0, LINE_READ_MAX).trim();
      if (line !== "") yield line;
    }
  }
}

function rankOf(line: string): number {
  const rank = SIGNS.findIndex((sign) => sign.test(line));
  if (rank >= 0) return rank;
  return WEAK_SIGN.test(line.toLowerCase()) ? SIGNS.length : SIGNS.length + 1;
}

/** The message of a line: the telling field of a structured one, else what stands after its header. */
function messageOf(line: string): string {
  const { views } = parseExcerpt({
    entries: [{ timestampNs: undefined, text: line, stream: "" }],
    provenance: "excerpt",
    cut: false,
  });
  for (const field of MESSAGE_FIELDS) {
    const view = views.find((each) => each.field === field && each.text.trim() !== "");
    if (view !== undefined) return view.text;
  }
  return LOGFMT.exec(line)?.[1] ?? withoutHeader(plainOf(views) ?? line);
}

function plainOf(views: readonly View[]): string | undefined {
  return views.find((view) => view.kind === "plain")?.text;
}

/** A logfmt value without escapes, which the views leave as it stands. */
const LOGFMT = /(?:^|\s)(?:err|error|msg|message)="([^"\\]{4,4000})"/u;
const LEVEL =
  /^.{0,80}?\b(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|ERR|FATAL|CRITICAL|SEVERE)\b[\]:|]?\s*/u;
const KLOG = /^[IWEF]\d{4} [\d:.]+\s+\d+ \S+\] /u;
const LOGGER = /^(?:\[[^\]]{1,80}\]\s*)?[\w$/-]+(?:(?:::|\.)[\w$-]+)+(?::\d+)?(?: -)?:?\s+/u;

function withoutHeader(text: string): string {
  const message = text.replace(KLOG, "").replace(LEVEL, "").replace(LOGGER, "");
  return message.trim() === "" ? text : message;
}

/** What differs from one line to the next of its kind. Each runs in time linear in the text. */
const VARYING: readonly (readonly [RegExp, string])[] = [
  [/[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>)\]]+/giu, "{}"],
  [/"[^"\n]{0,400}"/gu, '"{}"'],
  [/`[^`\n]{0,400}`/gu, "`{}`"],
  [/(?<=^|[\s(=:[,])'[^'\n]{0,400}'/gu, "'{}'"],
  [/\b\d{4}-\d\d-\d\d[T ][\d:.,]+(?:Z|[+-]\d\d:?\d\d)?/gu, "{}"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/giu, "{}"],
  [/(?<=^|[\s(=:[,"'])(?:[A-Za-z]:)?(?:[\\/][\w.@%+~-]+){2,}\/?/gu, "{}"],
  [/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b/gu, "{}"],
  [/\b(?:0x)?(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{6,64}\b/giu, "{}"],
  [/\b[\w.-]*\d[\w.-]*\b/gu, "{}"],
  [/\{\}(?:[-_/:.]?\{\})+/gu, "{}"],
];

function shapeOf(message: string): string {
  // Braces that were logged would be read as places of a template.
  let shape = message.slice(0, 2 * SHAPE_LENGTH_MAX).replace(/\s+/gu, " ");
  shape = shape.replace(/[{}]/gu, " ").replace(/ {2,}/gu, " ").trim();
  for (const [varying, place] of VARYING) shape = shape.replace(varying, place);
  return shape.length <= SHAPE_LENGTH_MAX ? shape : wholeWords(shape);
}

function wholeWords(shape: string): string {
  const kept = shape.slice(0, SHAPE_LENGTH_MAX);
  return kept.slice(0, Math.max(kept.lastIndexOf(" "), LETTERS_MIN)).trimEnd();
}
