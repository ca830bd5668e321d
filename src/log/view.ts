import type { MappedText } from "./mapped-text.ts";

/** Levels of all loggers, mapped to these six. */
export type Level = "trace" | "debug" | "info" | "warn" | "error" | "fatal";

/** What a log event says about itself besides its message. All fields are as printed, never trusted. */
export interface EventFacts {
  readonly level: Level | undefined;
  /** Rust target, Python or Java logger name, as printed; `undefined` when there is none. */
  readonly target: string | undefined;
  /** `file.go:123` as printed by klog, zap or slog; `undefined` when there is none. */
  readonly caller: string | undefined;
  /** Exception class names without package, outermost first, each once. */
  readonly exceptions: readonly string[];
  /** Names of programs found in prefixes: container, unit, compose service. */
  readonly programs: readonly string[];
}

/**
 * Text that was not printed as an error: a quoted query, a source line of a traceback, a stack frame.
 */
export type StretchKind = "query" | "source" | "frame";

/** A half-open range of UTF-16 offsets in a view's text. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly kind: StretchKind;
}

/** One printed message with its header, decoded as far as it goes: one line or joined ones. */
export interface LogEvent {
  readonly facts: EventFacts;
  /** Text of the whole event after container prefixes and colours, for evidence. */
  readonly text: string;
  /** Physical lines of the excerpt: first, and one past the last. */
  readonly firstLine: number;
  readonly endLine: number;
}

/** Text that templates are matched against: joined lines, a JSON field, a logfmt value. */
export interface View extends MappedText {
  readonly kind: "plain" | "json" | "quoted";
  /** JSON key or logfmt key the text was decoded from, lower case; empty for plain text. */
  readonly field: string;
  readonly stretches: readonly Stretch[];
  readonly event: LogEvent;
  /** How many decodings lie above the view: of two views of one place the deeper shows its true text. */
  readonly depth: number;
}

/** An excerpt with its views, as `parse` hands it to `match`. */
export interface ParsedExcerpt {
  readonly views: readonly View[];
  readonly events: readonly LogEvent[];
}
