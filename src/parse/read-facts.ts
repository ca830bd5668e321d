import type { EventFacts, Level } from "../log/view.ts";
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

/** What an event says about itself; each fact is read when it is first asked for. */
export class ReadFacts implements EventFacts {
  private readonly text: string;
  private readonly head: string;
  private readonly prefixed: readonly string[];
  private readonly json: JsonFields | undefined;
  private knownLevel: { readonly level: Level | undefined } | undefined;
  private knownTarget: { readonly target: string | undefined } | undefined;
  private knownCaller: { readonly caller: string | undefined } | undefined;
  private knownExceptions: readonly string[] | undefined;
  private knownPrograms: readonly string[] | undefined;

  /**
   * Takes the event; nothing is read yet.
   *
   * @param text - The whole event.
   * @param prefixed - Programs that prefixes of its lines name.
   * @param json - Its fields, where the event is one JSON object.
   */
  constructor(text: string, prefixed: readonly string[], json: JsonFields | undefined) {
    this.text = text;
    this.head = text.slice(0, HEAD_LENGTH);
    this.prefixed = prefixed;
    this.json = json;
  }

  get level(): Level | undefined {
    this.knownLevel ??= {
      level: this.json === undefined ? readLevel(this.text) : jsonLevel(this.json),
    };
    return this.knownLevel.level;
  }

  get target(): string | undefined {
    this.knownTarget ??= { target: jsonString(this.json, TARGET_KEYS) ?? readTarget(this.head) };
    return this.knownTarget.target;
  }

  get caller(): string | undefined {
    this.knownCaller ??= { caller: jsonString(this.json, CALLER_KEYS) ?? readCaller(this.head) };
    return this.knownCaller.caller;
  }

  get exceptions(): readonly string[] {
    return (this.knownExceptions ??= readExceptions(this.text));
  }

  get programs(): readonly string[] {
    return (this.knownPrograms ??= [...this.prefixed, ...programsByForm(this.head)]);
  }
}

function readTarget(head: string): string | undefined {
  return (
    (head.includes("::") ? RUST_TARGET.exec(head)?.[1] : undefined) ?? JAVA_LOGGER.exec(head)?.[1]
  );
}

function readCaller(head: string): string | undefined {
  return (
    (/(?:caller|source)=/.test(head) ? LOGFMT_CALLER.exec(head)?.[1] : undefined) ??
    KLOG_CALLER.exec(head)?.[1] ??
    (head.includes("panicked at ") ? PANIC_PLACE.exec(head)?.[1] : undefined) ??
    (head.includes(".go:") ? ZAP_CALLER.exec(head)?.[1] : undefined)
  );
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
