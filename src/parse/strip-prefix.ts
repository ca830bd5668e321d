import {
  type MappedText,
  MappedTextBuilder,
  locate,
  mapLine,
  sliceMapped,
} from "../log/mapped-text.ts";
import { readJson } from "./read-json.ts";
import { stripAnsi } from "./strip-ansi.ts";

/** One physical line without what container runtimes, collectors and viewers put before it. */
export interface StrippedLine {
  readonly content: MappedText;
  /** Whether a CRI runtime says that the next line goes on in the middle of this one. */
  readonly partial: boolean;
  /** Names found in prefixes: container, unit, compose service. */
  readonly programs: readonly string[];
}

interface PrefixForm {
  /** Anchored and linear; group 1, where there is one, names the program. */
  readonly pattern: RegExp;
  /** Cheap look at the first characters, so that most lines try no expression at all. */
  readonly begins: (text: string) => boolean;
}

const isDigit = (text: string): boolean => (text.charCodeAt(0) - 48) >>> 0 < 10;

const FORMS: readonly PrefixForm[] = [
  // Kubernetes CRI log files: time, stream, tag (https://github.com/kubernetes/design-proposals-archive, "CRI logging").
  {
    pattern: /^\d{4}-\d\d-\d\dT[\d:.]{8,18}(?:Z|[+-]\d\d:\d\d) (?:stdout|stderr) [FP](?: |$)/,
    begins: isDigit,
  },
  // logcli: time, label set, line.
  {
    pattern:
      /^\d{4}-\d\d-\d\dT[\d:.]{8,18}(?:Z|[+-]\d\d:\d\d) \{(?:[a-zA-Z_]\w*="(?:[^"\\]|\\.)*"(?:, ?)?)+\} ?/,
    begins: isDigit,
  },
  // docker-compose: service, bar.
  {
    pattern: /^([A-Za-z0-9][\w.-]*) {1,64}\| ?/,
    begins: (text) => text.includes("|"),
  },
  // kubectl logs --prefix.
  {
    pattern: /^\[pod\/[^\]\s]{1,300}\/([^\]\s/]{1,100})\] /,
    begins: (text) => text.startsWith("[pod/"),
  },
  // Google Cloud export: severity, time, resource labels.
  {
    pattern:
      /^(?:DEFAULT|DEBUG|INFO|NOTICE|WARNING|ERROR|CRITICAL|ALERT|EMERGENCY) \d{4}-\d\d-\d\dT[\d:.]{8,18}Z (?:\[resource\.labels\.\w+: ([\w.-]+)\] ?)/,
    begins: (text) => text.includes("[resource.labels."),
  },
  // syslog (RFC 3164), journald and rsyslog's ISO form: time, host, unit.
  {
    pattern:
      /^(?:<\d{1,3}>)?(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT[\d:.]{8,18}(?:Z|[+-]\d\d:\d\d)) (?!(?:TRACE|DEBUG|INFO|WARN|ERROR|FATAL) )[\w.-]{1,100} ([\w./@-]{1,100})(?:\[\d+\])?: /,
    begins: (text) => text.includes(": "),
  },
  // stern: pod, container; only before something that is a log header itself.
  {
    pattern:
      /^[a-z0-9][a-z0-9.-]{2,120} ([a-z0-9][a-z0-9-]{0,62}) (?=\d{4}-\d\d-\d\d|\{"|level=|ts=|time=|[IWEF]\d{4} |(?:ERROR|WARN|INFO|DEBUG)\b)/,
    begins: (text) => /^[a-z0-9]/.test(text) && text.includes("-"),
  },
];

const PREFIXES_MAX = 4;
const CRI_PARTIAL = /^\S+ std(?:out|err) P /;

/** Takes colours and up to four nested prefixes off a physical line. */
export function stripLine(text: string, line: number): StrippedLine {
  let content = stripAnsi(mapLine(text, line, 0));
  const programs: string[] = [];
  let partial = false;
  for (let round = 0; round < PREFIXES_MAX; round += 1) {
    const docker = readDockerLine(content);
    if (docker !== undefined) {
      content = stripAnsi(docker);
      continue;
    }
    const length = prefixLength(content.text, programs);
    if (length === 0) break;
    partial ||= CRI_PARTIAL.test(content.text);
    content = sliceMapped(content, length, content.text.length);
  }
  if (programs.length > 0 && content.text.includes("#0")) content = unfoldSyslog(content);
  if (content.text.endsWith("\r")) content = sliceMapped(content, 0, content.text.length - 1);
  return { content, partial, programs };
}

const SYSLOG_CONTROL = /#0(?:11|12|15)/g;
const CONTROLS: Readonly<Record<string, string>> = { "#011": "\t", "#012": "\n", "#015": "\r" };

/** rsyslog writes control characters of a message as `#` and three octal digits. */
function unfoldSyslog(content: MappedText): MappedText {
  const builder = new MappedTextBuilder();
  let from = 0;
  for (const found of content.text.matchAll(SYSLOG_CONTROL)) {
    builder.appendMapped(content, from, found.index);
    builder.append(CONTROLS[found[0]] ?? "", locate(content, found.index));
    from = found.index + found[0].length;
  }
  builder.appendMapped(content, from);
  return builder.build();
}

function prefixLength(text: string, programs: string[]): number {
  for (const form of FORMS) {
    if (!form.begins(text)) continue;
    const found = form.pattern.exec(text);
    if (found === null) continue;
    if (found[1] !== undefined) programs.push(found[1]);
    return found[0].length;
  }
  return 0;
}

/** Docker's json-file driver: one object a line with `log`, `stream`, `time`. */
function readDockerLine(content: MappedText): MappedText | undefined {
  if (!content.text.startsWith('{"log":"')) return undefined;
  const json = readJson(content, 0);
  const log = json?.strings[0];
  if (log?.key !== "log" || !json?.strings.some((each) => each.key === "stream")) return undefined;
  const trimmed = log.value.text.endsWith("\n") ? log.value.text.length - 1 : log.value.text.length;
  return sliceMapped(log.value, 0, trimmed);
}
