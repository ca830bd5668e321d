import type { View } from "../log/view.ts";
import { GAP_MAX } from "./text-finder.ts";

const BLOCK_LINE =
  /^[ \t]*(?:$|\n|(?:stack )?backtrace:|\d{1,3}: |Caused by|caused by|at \S+\(|Traceback |File "|goroutine \d|\.\.\. \d+ |(?:HINT|DETAIL|CONTEXT|STATEMENT|QUERY|Hint|Detail|Where|Position): |LINE \d+: |note: |\w{1,40}[=\-*('"]?[>#] |\[SQL\])/i;
const NEXT_FIELD = /^ [A-Za-z_][\w.-]{0,60}=(?=\S)/;
const LOGGER_SUFFIX = /^ \([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+\)\s*(?:\n|$)/;

/**
 * Where a capture ends that stands after a template's last literal: at the end of the value, its
 * closing quote or bracket, a blank line, a backtrace, a stack frame, the next item of a numbered
 * list, or a following ` key=`. `first` is where the template begins: a quote right before it ends the capture too.
 * Brackets that open inside are read to their end, over lines too.
 */
export function trailingEnd(view: View, first: number, start: number): number {
  return new TrailingReader(view, first, start).read();
}

class TrailingReader {
  private readonly text: string;
  private readonly start: number;
  private readonly limit: number;
  private readonly isPlain: boolean;
  /** The quote around the whole message, where it began before the capture. */
  private readonly outerQuote: string;
  private depth = 0;

  constructor(view: View, first: number, start: number) {
    this.text = view.text;
    this.start = start;
    this.limit = Math.min(view.text.length, start + GAP_MAX);
    this.isPlain = view.kind === "plain";
    const before = view.text[first - 1] ?? "";
    this.outerQuote =
      before === "'" || before === "`" ? before : this.isPlain ? openQuote(view.text, first) : "";
  }

  read(): number {
    let at = this.start;
    while (at < this.limit) {
      const next = this.step(at);
      if (next === at) break;
      at = next;
    }
    while (at > this.start && /\s/.test(this.text[at - 1] ?? "")) at -= 1;
    return at;
  }

  /** The offset to go on at; the same offset to stop. */
  private step(at: number): number {
    const letter = this.text[at] ?? "";
    if (letter === "\n") return this.stopsAtLine(at) ? at : at + 1;
    if (letter === "\\" && this.isPlain) return this.stepEscape(at);
    if (letter === '"' || letter === "`" || letter === this.outerQuote)
      return this.stepQuote(at, letter);
    if (letter === "(" || letter === "[" || letter === "{") this.depth += 1;
    else if (letter === ")" || letter === "]" || letter === "}") {
      if (this.depth === 0) return at;
      this.depth -= 1;
    } else if (letter === " " && this.depth === 0 && this.endsField(at)) return at;
    return at + 1;
  }

  private stepEscape(at: number): number {
    // In quoted text a backslash and a quote are one character, `\n` a line end.
    if (this.outerQuote !== "" && this.text.startsWith("\\n\\n", at)) return at;
    return at + 2;
  }

  private stepQuote(at: number, quote: string): number {
    if (
      quote === this.outerQuote &&
      this.depth === 0 &&
      !/\w/.test(quote === "'" ? (this.text[at + 1] ?? "") : "")
    )
      return at;
    if (quote === "'") return at + 1;
    const line = this.text.indexOf("\n", at + 1);
    const close = this.text.indexOf(quote, at + 1);
    const isClosed =
      close > 0 && close < this.limit && (line < 0 || close < line || this.depth > 0);
    if (isClosed) return close + 1;
    // A quote without a partner closes something that was opened before the template.
    return at === this.start ? at + 1 : at;
  }

  private endsField(at: number): boolean {
    const rest = this.text.slice(at, at + 80);
    if (!this.isPlain || this.outerQuote !== "") return false;
    return NEXT_FIELD.test(rest) || LOGGER_SUFFIX.test(this.text.slice(at, at + 200));
  }

  private stopsAtLine(at: number): boolean {
    const rest = this.text.slice(at + 1, at + 120);
    if (/^[ \t]*(?:\n|$)/.test(rest)) return true;
    if (this.depth > 0) return false;
    return BLOCK_LINE.test(rest) || (this.isPlain && !/^\s/.test(rest));
  }
}

/** The double quote that is open at `at` within its line; empty when none is. */
function openQuote(text: string, at: number): string {
  let isOpen = false;
  for (let i = text.lastIndexOf("\n", at - 1) + 1; i < at; i += 1) {
    if (text[i] === "\\") i += 1;
    else if (text[i] === '"') isOpen = !isOpen;
  }
  return isOpen ? '"' : "";
}
