import type { Level } from "../log/view.ts";

const DIGIT = /^\[?\d/;
const ISO = /^\[?\d{4}[-/]\d\d[-/]\d\d[ T,]\d\d:\d\d/;
const EPOCH = /^\[?\d{10}(?:\d{3}|\.\d{1,9})?[\]\s]/;
const CLOCK = /^\[?\d\d:\d\d:\d\d[.,\]\s]/;
const REDIS = /^\d{1,7}:[A-Z] \d\d [A-Z][a-z]{2} \d{4} /;
const ACCESS = /^\d{1,3}(?:\.\d{1,3}){3} - /;
const KLOG = /^[IWEF]\d{4} \d\d:\d\d:\d\d/;
const WORD =
  /^\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|FATAL|CRITICAL|SEVERE|PANIC|LOG)\b[\]:/ |]/;
const LOGFMT = /^(?:ts|time|timestamp|level|lvl|severity|msg|caller|t|logger|at|source)=\S/;
const SYSLOG = /^(?:<\d{1,3}>)?[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d /;
const JUL = /^[A-Z][a-z]{2} \d{1,2}, \d{4} \d/;
const PROMPT = /^\w{1,63}[=\-*('"!^][>#] /;
const PANIC = /^(?:panic: |thread '[^']{0,100}' (?:\(\d+\) )?panicked at |fatal error: )/;

/** Whether a line, after its container prefix, has a time, a level or another beginning of its own. */
export function startsEvent(text: string): boolean {
  if (text === "") return false;
  if (DIGIT.test(text)) {
    return (
      ISO.test(text) ||
      EPOCH.test(text) ||
      CLOCK.test(text) ||
      REDIS.test(text) ||
      ACCESS.test(text)
    );
  }
  if (text.startsWith('{"')) return text.trimEnd().endsWith("}") || text.length > 256;
  return BEGINNINGS.some((each) => each.test(text));
}

const BEGINNINGS: readonly RegExp[] = [WORD, KLOG, LOGFMT, SYSLOG, JUL, PROMPT, PANIC];

const LEVELS: Readonly<Record<string, Level>> = {
  trace: "trace",
  verbose: "debug",
  debug: "debug",
  info: "info",
  information: "info",
  notice: "info",
  log: "info",
  warn: "warn",
  warning: "warn",
  error: "error",
  err: "error",
  eror: "error",
  severe: "error",
  fatal: "fatal",
  critical: "fatal",
  crit: "fatal",
  panic: "fatal",
  dpanic: "fatal",
  alert: "fatal",
  emergency: "fatal",
};

const KLOG_LEVELS: Readonly<Record<string, Level>> = {
  I: "info",
  W: "warn",
  E: "error",
  F: "fatal",
};
/** Redis marks: `.` debug, `-` verbose, `*` notice, `#` warning (redis.conf, "loglevel"). */
const REDIS_LEVELS: Readonly<Record<string, Level>> = {
  ".": "debug",
  "-": "debug",
  "*": "info",
  "#": "warn",
};

/** The level a word or number stands for; pino and log4j numbers included. */
export function levelOf(word: string): Level | undefined {
  const named = LEVELS[word.toLowerCase()];
  if (named !== undefined || !/^\d{2,5}$/.test(word)) return named;
  const number = Number(word);
  const tens = number >= 1000 ? number / 1000 : number;
  if (tens >= 60) return "fatal";
  if (tens >= 50) return number >= 1000 ? "fatal" : "error";
  if (tens >= 40) return number >= 1000 ? "error" : "warn";
  if (tens >= 30) return number >= 1000 ? "warn" : "info";
  return tens >= 20 && number >= 1000 ? "info" : "debug";
}

const HEAD_LENGTH = 400;
const LOGFMT_LEVEL = /(?:^|[\s{,])(?:level|lvl|severity)=["']?([A-Za-z]{3,11})/;
const UPPER_LEVEL =
  /\b(TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL|SEVERE|PANIC|LOG)\b/;
const BRACKET_LEVEL = /\[(trace|debug|info|notice|warn|warning|error|crit|fatal|alert)\]/i;
const TAB_LEVEL = /\t(trace|debug|info|warn|error|dpanic|panic|fatal)\t/i;

/** Reads the level out of the beginning of a message, after container prefixes. */
export function readLevel(text: string): Level | undefined {
  const head = text.slice(0, HEAD_LENGTH);
  if (KLOG.test(head)) return KLOG_LEVELS[head[0] ?? ""];
  if (REDIS.test(head)) return REDIS_LEVELS[/\d\d:\d\d:\d\d(?:\.\d+)? (\S) /.exec(head)?.[1] ?? ""];
  if (PANIC.test(head)) return "fatal";
  for (const form of [LOGFMT_LEVEL, TAB_LEVEL]) {
    const found = form.exec(head)?.[1];
    if (found !== undefined) return levelOf(found);
  }
  const upper = UPPER_LEVEL.exec(head.slice(0, 120));
  const bracket = BRACKET_LEVEL.exec(head.slice(0, 80));
  const first =
    bracket !== null && (upper === null || bracket.index < upper.index) ? bracket : upper;
  return first?.[1] === undefined ? undefined : levelOf(first[1]);
}
