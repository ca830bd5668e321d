import type { Stretch, StretchKind } from "../log/view.ts";

const BACKTRACE = /^\s*(?:stack )?backtrace:\s*$/i;
const BACKTRACE_LINE = /^\s*(?:\d+: \S|at \S|\.{3} )/;
const JAVA_FRAME = /^\s*(?:at [\w.$/<>@ -]+\(|\.\.\. \d+ (?:more|common frames))/;
const GO_FRAME =
  /^(?:goroutine \d+ |\t\S+\.(?:go|s):\d+|created by |[\w./-]+(?:\.\(?\*?[\w[\].]+\)?)+\([^)]*\)?$)/;
const NODE_FRAME = /^\s+at (?:async )?[^\s(].{0,200}:\d+:\d+\)?$/;
const PYTHON_FILE = /^\s*File "[^"]{1,400}", line \d+/;
const PYTHON_MARKS = /^\s*[~^]+\s*$/;
const SQL_WORD =
  "(?:select|insert|update|delete|create|alter|drop|with|copy|explain|set|merge|show|grant|truncate|call|begin|flush|declare|refresh)\\b";
const SQL_LABEL = new RegExp(
  `(?:\\bstatement: |\\bSTATEMENT: +|\\[SQL\\] ?|\\b(?:sql|query|statement|stmt)=["'\`]?)(?=\\s*${SQL_WORD})`,
  "gi",
);
const PROMPT = /^\w{1,63}[=\-*('"!^][>#] /;

/**
 * Finds what stands in a text without having been printed as an error: quoted queries, source lines
 * of tracebacks, stack frames. Ordered by start, not overlapping.
 */
export function findStretches(text: string): readonly Stretch[] {
  const stretches = text.includes("\n") || PROMPT.test(text) ? lineStretches(text) : [];
  for (const found of text.matchAll(SQL_LABEL)) {
    const start = found.index + found[0].length;
    stretches.push({
      start,
      end: queryEnd(text, start, found[0]),
      kind: "query",
    });
  }
  return stretches.sort((a, b) => a.start - b.start);
}

/** A query ends with its quote, with the span's closing brace, or with the line. */
function queryEnd(text: string, start: number, label: string): number {
  const quote = /["'`]$/.exec(label)?.[0];
  if (quote !== undefined) {
    const close = text.indexOf(quote, start);
    return close < 0 ? text.length : close;
  }
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === "{") depth += 1;
    else if (letter === "}") {
      if (depth === 0) return at;
      depth -= 1;
    } else if (letter === "\n" && !/STATEMENT/.test(label)) return at;
  }
  return text.length;
}

function lineStretches(text: string): Stretch[] {
  const found: Stretch[] = [];
  const state: LineState = { backtrace: false, sourceNext: false };
  let start = 0;
  while (start <= text.length) {
    const feed = text.indexOf("\n", start);
    const end = feed < 0 ? text.length : feed;
    const kind = classify(text.slice(start, end), state);
    if (kind !== undefined) found.push({ start, end, kind });
    if (feed < 0) break;
    start = feed + 1;
  }
  return found;
}

interface LineState {
  backtrace: boolean;
  sourceNext: boolean;
}

function classify(line: string, state: LineState): StretchKind | undefined {
  if (state.sourceNext && line.trim() !== "") {
    state.sourceNext = PYTHON_FILE.test(line);
    if (!state.sourceNext && /^\s/.test(line)) return "source";
  }
  if (PYTHON_FILE.test(line)) {
    state.sourceNext = true;
    return "frame";
  }
  if (PYTHON_MARKS.test(line) && line.trim() !== "") return "source";
  if (BACKTRACE.test(line)) {
    state.backtrace = true;
    return "frame";
  }
  if (state.backtrace) {
    state.backtrace = BACKTRACE_LINE.test(line);
    if (state.backtrace) return "frame";
  }
  if (JAVA_FRAME.test(line) || GO_FRAME.test(line) || NODE_FRAME.test(line)) return "frame";
  return PROMPT.test(line) ? "query" : undefined;
}
