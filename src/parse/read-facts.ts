import type { EventFacts } from "../log/view.ts";
import { levelOf, readLevel } from "./log-header.ts";
import type { JsonScalar, JsonString } from "./read-json.ts";

/** What a JSON log object says, under the names that loggers use. */
export interface JsonFields {
  readonly strings: readonly JsonString[];
  readonly scalars: readonly JsonScalar[];
}

const LEVEL_KEYS = new Set([
  "level",
  "lvl",
  "severity",
  "levelname",
  "log.level",
  "error_severity",
  "loglevel",
  "level_name",
  "severity_text",
]);
const TARGET_KEYS = new Set([
  "target",
  "logger",
  "logger_name",
  "loggername",
  "name",
  "component",
  "log.logger",
]);
const CALLER_KEYS = new Set(["caller", "source", "file", "filename", "log.origin.file.name"]);

const RUST_TARGET = /(?:^|[\s}:])([a-z_][a-z0-9_]*(?:::[a-z_][a-z0-9_]*)+)(?=: )/;
const LOGFMT_CALLER = /(?:^|\s)(?:caller|source)=["']?([\w.@/-]+:\d+)/;
const KLOG_CALLER = /^[IWEF]\d{4} [\d:.]+ +\d+ ([\w.-]+:\d+)\]/;
const ZAP_CALLER = /\t([\w./@-]+\.go:\d+)\t/;
const JAVA_LOGGER = /(?:^|[\s(])((?:[a-z_][\w$]*\.)+[A-Z][\w$]*)(?=[:)\s])/;
const PANIC_PLACE = /panicked at ([\w./-]+:\d+)(?::\d+)?/;
const EXCEPTION = /(?<![\w$])[A-Z][\w$]*(?:Exception|Error|Failure|Fault|Panic)(?![\w$])/g;
const EXCEPTION_ENDINGS = ["Exception", "Error", "Failure", "Fault", "Panic"] as const;

const EXCEPTIONS_MAX = 12;
const HEAD_LENGTH = 600;

/** Collects what an event says about itself. */
export function readFacts(
  text: string,
  programs: readonly string[],
  json: JsonFields | undefined,
): EventFacts {
  const head = text.slice(0, HEAD_LENGTH);
  return {
    level:
      (json === undefined ? undefined : jsonLevel(json)) ??
      (json === undefined ? readLevel(text) : undefined),
    target:
      jsonString(json, TARGET_KEYS) ?? RUST_TARGET.exec(head)?.[1] ?? JAVA_LOGGER.exec(head)?.[1],
    caller:
      jsonString(json, CALLER_KEYS) ??
      LOGFMT_CALLER.exec(head)?.[1] ??
      KLOG_CALLER.exec(head)?.[1] ??
      PANIC_PLACE.exec(head)?.[1] ??
      ZAP_CALLER.exec(head)?.[1],
    exceptions: readExceptions(text),
    programs: [...programs, ...programsByForm(head)],
  };
}

// Headers that only one program prints.
const REDIS_HEADER = /^\d{1,7}:[CSMX] \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d/;
const POSTGRES_HEADER =
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} [A-Z]{3,4} \[\d+\] .{0,80}?(?:ERROR|FATAL|PANIC|LOG|WARNING|DETAIL|STATEMENT|HINT|CONTEXT): {2}/;

function programsByForm(head: string): readonly string[] {
  if (REDIS_HEADER.test(head)) return ["redis"];
  return POSTGRES_HEADER.test(head) ? ["postgres"] : [];
}

function jsonLevel(json: JsonFields): EventFacts["level"] {
  for (const each of json.strings) {
    if (!LEVEL_KEYS.has(each.key.toLowerCase())) continue;
    const level = levelOf(each.value.text);
    if (level !== undefined) return level;
  }
  const number = json.scalars.find((each) => each.key === "level" || each.key === "level_value");
  return number === undefined ? undefined : levelOf(number.text);
}

function jsonString(json: JsonFields | undefined, keys: ReadonlySet<string>): string | undefined {
  return json?.strings.find((each) => keys.has(each.key.toLowerCase()))?.value.text.slice(0, 200);
}

function readExceptions(text: string): readonly string[] {
  if (!EXCEPTION_ENDINGS.some((ending) => text.includes(ending))) return [];
  const found = new Set<string>();
  for (const each of text.matchAll(EXCEPTION)) {
    found.add(each[0]);
    if (found.size >= EXCEPTIONS_MAX) break;
  }
  return [...found];
}
