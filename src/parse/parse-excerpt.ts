import type { Excerpt } from "../log/excerpt.ts";
import type { MappedText } from "../log/mapped-text.ts";
import type { EventFacts, LogEvent, ParsedExcerpt, Stretch, View } from "../log/view.ts";
import { closingQuote, decodeEscapes } from "./decode-string.ts";
import { findStretches } from "./find-stretches.ts";
import { type JoinedLines, joinLines } from "./join-lines.ts";
import { type LineMarks, pickLines } from "./pick-lines.ts";
import { ReadFacts } from "./read-facts.ts";
import { type JsonStrings, readJson } from "./read-json.ts";

/** Decodings that are followed into one another: JSON in a quoted value in a JSON field and so on. */
const DEPTH_MAX = 4;
const VIEWS_MAX = 512;
/** A template has at least this much text in a row. */
const VIEW_LENGTH_MIN = 7;

/**
 * Makes the views of an excerpt: strips colours and container prefixes, joins lines, decodes JSON and
 * quoted values, and collects what each event says about itself. Never throws; a strange line becomes
 * a plain view.
 *
 * @param excerpt - Redacted.
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
  const event = new ParsedEvent(joined, whole);
  const deriver = new ViewDeriver(event, views);
  if (whole === undefined)
    deriver.derive(content, { kind: "plain", field: "", depth: 0, known: found });
  else deriver.deriveJson(whole, 1);
  return event;
}

/** An event whose facts are read when they are asked for: most events match nothing. */
class ParsedEvent implements LogEvent {
  readonly text: string;
  readonly firstLine: number;
  readonly endLine: number;
  private readonly programs: readonly string[];
  private readonly json: JsonStrings | undefined;
  private known: EventFacts | undefined;

  constructor(joined: JoinedLines, json: JsonStrings | undefined) {
    this.text = joined.content.text;
    this.firstLine = joined.firstLine;
    this.endLine = joined.endLine;
    this.programs = joined.programs;
    this.json = json;
  }

  get facts(): EventFacts {
    return (this.known ??= new ReadFacts(this.text, this.programs, this.json));
  }
}

/** A view whose stretches are found when they are asked for. */
class ParsedView implements View {
  readonly text: string;
  readonly offsets: readonly number[];
  readonly lines: readonly number[];
  readonly columns: readonly number[];
  readonly kind: View["kind"];
  readonly field: string;
  readonly event: LogEvent;
  readonly depth: number;
  private known: readonly Stretch[] | undefined;

  constructor(content: MappedText, place: Omit<ViewPlace, "known">, event: LogEvent) {
    this.text = content.text;
    this.offsets = content.offsets;
    this.lines = content.lines;
    this.columns = content.columns;
    this.kind = place.kind;
    this.field = place.field;
    this.depth = place.depth;
    this.event = event;
  }

  get stretches(): readonly Stretch[] {
    return (this.known ??= stretchesOf(this.text, this.field));
  }
}

/** Where a text was decoded from. */
interface ViewPlace {
  readonly kind: View["kind"];
  readonly field: string;
  readonly depth: number;
  /** JSON objects in it, where they were looked for already. */
  readonly known?: readonly FoundJson[];
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
  derive(content: MappedText, place: ViewPlace): void {
    if (content.text.length < VIEW_LENGTH_MIN || this.made >= VIEWS_MAX) return;
    this.made += 1;
    const view = new ParsedView(content, place, this.event);
    this.views.push(view);
    if (place.depth >= DEPTH_MAX) return;
    const found = place.known ?? (content.text.includes("{") ? findJson(content) : []);
    for (const each of found) this.deriveJson(each.json, place.depth + 1);
    this.deriveQuoted(view, place.depth + 1, found);
  }

  deriveJson(json: JsonStrings, depth: number): void {
    for (const each of json.strings) {
      this.derive(each.value, { kind: "json", field: each.key.toLowerCase(), depth });
    }
  }

  /** Quoted values with escapes; without any the plain text shows the same. */
  private deriveQuoted(content: View, depth: number, json: readonly FoundJson[]): void {
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

  private deriveQuotedRange(content: View, open: number, close: number, depth: number): void {
    if (!content.text.slice(open, close).includes("\\")) return;
    // A string in a source line or a query was not printed as a message.
    if (content.stretches.some((each) => open < each.end && close > each.start)) return;
    const key = KEY_BEFORE.exec(content.text.slice(Math.max(0, open - 61), open))?.[1] ?? "";
    this.derive(decodeEscapes(content, open + 1, close), {
      kind: "quoted",
      field: key.toLowerCase(),
      depth,
    });
  }
}

function stretchesOf(text: string, field: string): readonly Stretch[] {
  if (QUERY_FIELDS.has(field)) return [{ start: 0, end: text.length, kind: "query" }];
  return findStretches(text);
}
