import { pino } from "pino";
import { UpstreamError } from "../enrich/outcome.ts";
import type { Logger } from "../enrich/ports.ts";
import { escapeUnsafe, renderLogfmt } from "./logfmt.ts";

/** Least severe level that is written. */
export type LogLevel = "debug" | "info" | "warn" | "error";
/** `logfmt` for people, `json` for collectors. */
export type LogFormat = "logfmt" | "json";

/** How and where log lines are written. */
export interface LoggerOptions {
  readonly level: LogLevel;
  readonly format: LogFormat;
  /** Gets each line with its line feed. */
  readonly write: (line: string) => void;
}

/** A logger whose level and format a reload may change. */
export interface AdjustableLogger extends Logger {
  adjust(options: Pick<LoggerOptions, "level" | "format">): void;
}

const FRAMES_MAX = 8;

/** Creates the service's logger. Keys: `time`, `level`, `msg`, then the fields. */
export function createLogger({ level, format, write }: LoggerOptions): AdjustableLogger {
  let currentFormat = format;
  const log = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: describeError, cause: describeError },
    },
    {
      write(line: string) {
        write(currentFormat === "json" ? escapeJsonLine(line) : logfmtOfJson(line));
      },
    },
  );
  return {
    // Not bound once: pino puts other functions in their place when the level changes.
    debug: (fields, message) => {
      log.debug(fields, message);
    },
    info: (fields, message) => {
      log.info(fields, message);
    },
    warn: (fields, message) => {
      log.warn(fields, message);
    },
    error: (fields, message) => {
      log.error(fields, message);
    },
    adjust(options) {
      log.level = options.level;
      currentFormat = options.format;
    },
  };
}

function escapeJsonLine(line: string): string {
  return `${escapeUnsafe(line.trimEnd())}\n`;
}

function logfmtOfJson(line: string): string {
  const { time, level, msg, ...fields } = JSON.parse(line) as Record<string, unknown>;
  return `${renderLogfmt({ time, level, msg, ...fields })}\n`;
}

/**
 * What the log may say of an error: its place, and its message only where that is our own or the
 * operating system's. Other messages can quote a log line or a request (`JSON.parse` does).
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const isOwn = error instanceof UpstreamError || "syscall" in error;
  if (isOwn) return `${error.name}: ${error.message}`;
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /u.test(line));
  return `${error.name} ${frames
    .slice(0, FRAMES_MAX)
    .map((frame) => frame.trim())
    .join(" < ")}`;
}
