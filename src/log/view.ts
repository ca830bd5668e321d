export type Level = "trace" | "debug" | "info" | "warn" | "error" | "fatal";

/** What a log event says about itself besides its message. All fields are as printed, never trusted. */
export interface EventFacts {
  readonly level: Level | undefined;
  /** Rust target, Go package or Java logger name. */
  readonly target: string | undefined;
  /** `file.go:123` as printed by klog, zap or a panic. */
  readonly caller: string | undefined;
  /** Fully or partly qualified exception class names, outermost first. */
  readonly exceptions: readonly string[];
  /** Names of programs and products found in prefixes: container, unit, component. */
  readonly programs: readonly string[];
}

/** A half-open range of UTF-16 offsets in a view's text. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
  /** A quoted query, a source line of a traceback, or a stack frame: text that was not printed as an error. */
  readonly kind: "query" | "source" | "frame";
}

/**
 * Text that templates are matched against: a raw line or joined lines, a JSON field, a logfmt value.
 *
 * `offsets[i]` is where segment `i` begins in `text`; it comes from line `lines[i]` of the excerpt at
 * UTF-16 column `columns[i]`. Within a segment text and source advance together.
 */
export interface View {
  readonly text: string;
  readonly kind: "plain" | "json" | "logfmt" | "quoted";
  /** JSON path or logfmt key the text was decoded from; empty for plain text. */
  readonly field: string;
  readonly offsets: readonly number[];
  readonly lines: readonly number[];
  readonly columns: readonly number[];
  readonly facts: EventFacts;
  readonly stretches: readonly Stretch[];
  /** Index of the log event the view belongs to, in the order of the excerpt. */
  readonly event: number;
  /** How many decodings lie above the view; a deeper view of the same text is the better one. */
  readonly depth: number;
}

/** An excerpt with its views, as `parse` hands it to `match`. */
export interface ParsedExcerpt {
  readonly views: readonly View[];
  /** Physical lines of the excerpt, entries split at line feeds. */
  readonly lineCount: number;
}
