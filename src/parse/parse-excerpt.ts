import type { Excerpt } from "../log/excerpt.ts";
import type { MappedText } from "../log/mapped-text.ts";
import type { LogEvent, ParsedExcerpt, Stretch, View } from "../log/view.ts";
import { closingQuote, decodeEscapes } from "./decode-string.ts";
import { findStretches } from "./find-stretches.ts";
import { type JoinedLines, joinLines } from "./join-lines.ts";
import { type LineMarks, pickLines } from "./pick-lines.ts";
import { readFacts } from "./read-facts.ts";
import { type JsonStrings, readJson } from "./read-json.ts";

/** Decodings that are followed into one another: JSON in a quoted value in a JSON field and so on. */
const DEPTH_MAX = 4;
const VIEWS_MAX = 512;

/**
 * Makes the views of an excerpt: strips colours and container prefixes, joins lines, decodes JSON and
 * quoted values, and collects what each event says about itself. Never throws; a strange line becomes
 * a plain view.
 *
 * @param marks - One number a physical line; lines marked 0 are read only where they belong to the event
 *   of another. Without it all are read.
 */
export function parseExcerpt(excerpt: Excerpt, marks?: LineMarks): ParsedExcerpt {
  const lines = pickLines(excerpt, marks);
  const views: View[] = [];
  const events: LogEvent[] = [];
  for (const joined of joinLines(lines)) {
    const event = parseJoined(joined, views);
    events.push(event);
  }
  return { views, events };
}

interface FoundJson {
  readonly start: number;
  readonly json: JsonStrings;
}

function parseJoined(joined: JoinedLines, views: View[]): LogEvent {
  const { content } = joined;
  const found = findJson(content);
  const whole = found.length === 1 && isWhole(content.text, found[0]) ? found[0]?.json : undefined;
  const event: LogEvent = {
    facts: readFacts(content.text, joined.programs, whole),
    text: content.text,
    firstLine: joined.firstLine,
    endLine: joined.endLine,
  };
  const deriver = new ViewDeriver(event, views);
  if (whole === undefined) deriver.derive(content, "plain", "", 0, found);
  else deriver.deriveJson(whole, 1);
  return event;
}

function isWhole(text: string, found: FoundJson | undefined): boolean {
  return found?.start === 0 && text.slice(found.json.end).trim() === "";
}

const OBJECTS_MAX = 8;

/** JSON objects in a text: at its start, or after a blank or a tab. */
function findJson(content: MappedText): readonly FoundJson[] {
  const found: FoundJson[] = [];
  let from = 0;
  while (found.length < OBJECTS_MAX) {
    const start = content.text.indexOf("{", from);
    if (start < 0) break;
    from = start + 1;
    if (!/^\{\s*"/.test(content.text.slice(start, start + 40))) continue;
    const json = readJson(content, start);
    if (json === undefined || json.strings.length + json.scalars.length === 0) continue;
    found.push({ start, json });
    from = json.end;
  }
  return found;
}

const QUERY_FIELDS = new Set([
  "sql",
  "query",
  "statement",
  "stmt",
  "expr",
  "rule",
  "promql",
  "logql",
  "request content",
]);
const KEY_BEFORE = /([\w.-]{1,60})=$/;

class ViewDeriver {
  private readonly event: LogEvent;
  private readonly views: View[];
  private made = 0;

  constructor(event: LogEvent, views: View[]) {
    this.event = event;
    this.views = views;
  }

  /** Adds a text as a view, then what can be decoded out of it. */
  derive(
    content: MappedText,
    kind: View["kind"],
    field: string,
    depth: number,
    known?: readonly FoundJson[],
  ): void {
    if (content.text.trim() === "" || this.made >= VIEWS_MAX) return;
    this.made += 1;
    this.views.push({
      ...content,
      kind,
      field,
      depth,
      event: this.event,
      stretches: stretchesOf(content.text, field),
    });
    if (depth >= DEPTH_MAX) return;
    const found = known ?? (content.text.includes("{") ? findJson(content) : []);
    for (const each of found) this.deriveJson(each.json, depth + 1);
    this.deriveQuoted(content, depth + 1, found);
  }

  deriveJson(json: JsonStrings, depth: number): void {
    for (const each of json.strings) {
      if (each.value.text.length < 4) continue;
      this.derive(each.value, "json", each.key.toLowerCase(), depth);
    }
  }

  /** Quoted values with escapes; without any the plain text shows the same. */
  private deriveQuoted(content: MappedText, depth: number, json: readonly FoundJson[]): void {
    const { text } = content;
    if (!text.includes("\\")) return;
    let from = 0;
    for (;;) {
      const open = text.indexOf('"', from);
      if (open < 0) return;
      const inside = json.find((each) => open >= each.start && open < each.json.end);
      if (inside !== undefined) {
        from = inside.json.end;
        continue;
      }
      const close = closingQuote(text, open + 1, '"');
      if (close < 0) {
        this.deriveQuotedRange(content, open, text.length, depth);
        return;
      }
      this.deriveQuotedRange(content, open, close, depth);
      from = close + 1;
    }
  }

  private deriveQuotedRange(content: MappedText, open: number, close: number, depth: number): void {
    if (!content.text.slice(open, close).includes("\\")) return;
    const key = KEY_BEFORE.exec(content.text.slice(Math.max(0, open - 61), open))?.[1] ?? "";
    this.derive(decodeEscapes(content, open + 1, close), "quoted", key.toLowerCase(), depth);
  }
}

function stretchesOf(text: string, field: string): readonly Stretch[] {
  if (QUERY_FIELDS.has(field)) return [{ start: 0, end: text.length, kind: "query" }];
  return findStretches(text);
}
