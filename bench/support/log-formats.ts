/** One message on its way into a log line. */
export interface LogMessage {
  readonly level: "DEBUG" | "INFO" | "WARN" | "ERROR";
  readonly text: string;
  /** Counts up, for times and threads. */
  readonly number: number;
}

/** Prints a message as a program with this log format does; several physical lines where the text has them. */
export type LogFormat = (message: LogMessage) => string;

function time(number: number): string {
  return new Date(Date.UTC(2026, 2, 1) + number * 137).toISOString();
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

const LETTERS = { DEBUG: "I", INFO: "I", WARN: "W", ERROR: "E" } as const;

/** The formats of the bench by name. */
export const LOG_FORMATS: Readonly<
  Record<"json" | "logfmt" | "tracing" | "klog" | "log4j", LogFormat>
> = {
  json: ({ level, text, number }) =>
    `{"timestamp":"${time(number)}","level":"${level}","fields":{"message":"task step","error":${quoted(text)}},"target":"bench::worker"}`,
  logfmt: ({ level, text, number }) =>
    `ts=${time(number)} caller=worker.go:${(number % 900) + 20} level=${level.toLowerCase()} component=worker msg=${quoted(text)} shard=${number % 16}`,
  tracing: ({ level, text, number }) =>
    `${time(number).replace("Z", "417Z")} ${level.padStart(5)} bench::worker: step done id=${number} error=${text}`,
  klog: ({ level, text, number }) =>
    `${LETTERS[level]}0301 ${time(number).slice(11, 23)}000       1 worker.go:${(number % 900) + 20}] ${text}`,
  log4j: ({ level, text, number }) =>
    `${time(number).slice(0, 23).replace("T", " ").replace(".", ",")} ${level.padEnd(5)} [worker-${number % 8}] c.e.bench.Worker:${(number % 200) + 20} - ${text}`,
};
