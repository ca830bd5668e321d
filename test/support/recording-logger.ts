import type { Logger } from "../../src/enrich/ports.ts";

/** One line as it was given to the logger. */
export interface RecordedLine {
  readonly level: keyof Logger;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** A logger that keeps what it is told. */
export interface RecordingLogger extends Logger {
  readonly lines: readonly RecordedLine[];
}

/** Creates one without lines. */
export function createRecordingLogger(): RecordingLogger {
  const lines: RecordedLine[] = [];
  const at =
    (level: keyof Logger) => (fields: Readonly<Record<string, unknown>>, message: string) => {
      lines.push({ level, fields, message });
    };
  return { lines, debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}
