import type { ErrorType, HandlingStrategy, Severity } from "../record/known-error.ts";
import type { Confidence } from "../record/match.ts";
import type { RuleMatchers } from "./retry-rules.ts";
import {
  fault,
  type Field,
  readFreeMapping,
  readList,
  readMapping,
  readOneOf,
  readText,
  shown,
} from "./rule-fields.ts";

/** Every strategy that a matcher can name. */
export const STRATEGIES: readonly (HandlingStrategy | "none")[] = [
  ...(["try-catch", "type-guard", "validation", "retry", "fallback"] as const),
  "none",
];
/** Every error type that a matcher can name. */
export const ERROR_TYPES: readonly ErrorType[] = [
  ...(["exception", "error_code", "console", "http", "validation", "panic"] as const),
];
/** Every severity that a matcher can name. */
export const SEVERITIES: readonly Severity[] = ["critical", "error", "warning", "info"];
/** Every confidence that a matcher can name. */
export const CONFIDENCES: readonly Confidence[] = ["high", "medium", "low"];

type Status = number | `${number}xx`;
const HUNDREDS: readonly Status[] = ["1xx", "2xx", "3xx", "4xx", "5xx"];
const NAME_PATTERN_HINT = "a pattern such as disk-full or *-timeout";

/** Spelling in the file → how its value is read. */
const READERS: Readonly<Record<string, (field: Field) => RuleMatchers>> = {
  strategy: (f) =>
    some(
      "strategy",
      readAll(f, (one) => readOneOf(one, STRATEGIES)),
    ),
  error_type: (f) =>
    some(
      "errorType",
      readAll(f, (one) => readOneOf(one, ERROR_TYPES)),
    ),
  class: (f) => some("errorClass", readPatterns(f, "a class such as IOException or *Timeout")),
  family: (f) => some("family", readPatterns(f, NAME_PATTERN_HINT)),
  severity: (f) =>
    some(
      "severity",
      readAll(f, (one) => readOneOf(one, SEVERITIES)),
    ),
  http_status: (f) => some("httpStatus", readAll(f, readStatus)),
  tags: (f) => some("tags", readPatterns(f, NAME_PATTERN_HINT)),
  repository: (f) => some("repository", readPatterns(f, "owner/name, or owner/*")),
  record: (f) => some("record", readAll(f, readRecordId)),
  labels: (f) => some("labels", readLabels(f)),
  confidence: (f) =>
    some(
      "confidence",
      readAll(f, (one) => readOneOf(one, CONFIDENCES)),
    ),
  curated: (f) => some("curated", readSwitch(f)),
};

/** Reads the `match` mapping of a rule; a mapping that is absent fits everything. */
export function readMatchers(field: Field): RuleMatchers {
  if (field.value === undefined) return {};
  const at = readMapping(field, Object.keys(READERS));
  if (at === undefined) return {};
  return Object.entries(READERS).reduce<RuleMatchers>((matchers, [key, read]) => {
    const value = at(key);
    return value.value === undefined ? matchers : { ...matchers, ...read(value) };
  }, {});
}

/**
 * Whether the matchers pick out what an error is, and not only how a model rated it: a `retry` may
 * rest on a record, a class, a family, a tag or an HTTP status, if they are not all wildcard.
 */
export function namesAnError(matchers: RuleMatchers): boolean {
  if (matchers.record !== undefined || matchers.httpStatus !== undefined) return true;
  const lists = [matchers.errorClass, matchers.family, matchers.tags];
  return lists.some((patterns) => patterns?.every(isSpecific) ?? false);
}

function isSpecific(pattern: string): boolean {
  return pattern.replaceAll("*", "").length >= 3;
}

function some<K extends keyof RuleMatchers>(
  key: K,
  value: RuleMatchers[K] | undefined,
): RuleMatchers {
  return value === undefined ? {} : { [key]: value };
}

function readAll<T>(
  field: Field,
  readOne: (one: Field) => T | undefined,
): readonly T[] | undefined {
  return readList(field)
    ?.map(readOne)
    .filter((one) => one !== undefined);
}

function readPatterns(field: Field, meaning: string): readonly string[] | undefined {
  return readAll(field, (one) => readText(one, meaning));
}

function readStatus(field: Field): Status | undefined {
  const { value } = field;
  if (typeof value === "number" && Number.isInteger(value) && value >= 100 && value <= 599) {
    return value;
  }
  const hundred = HUNDREDS.find((one) => one === value);
  if (hundred !== undefined) return hundred;
  fault(field, `expected a status from 100 to 599, or 5xx, got ${shown(value)}`);
  return undefined;
}

function readRecordId(field: Field): string | undefined {
  const { value } = field;
  if (typeof value === "string" && /^[0-9a-f]{16}$/.test(value)) return value;
  fault(field, `expected a record id, 16 hex digits in quotes, got ${shown(value)}`);
  return undefined;
}

function readLabels(field: Field): Readonly<Record<string, readonly string[]>> | undefined {
  const labels = new Map<string, readonly string[]>();
  for (const [name, value] of readFreeMapping(field) ?? []) {
    const patterns = readPatterns(value, "a label value or a pattern such as prod-*");
    if (patterns !== undefined) labels.set(name, patterns);
  }
  return labels.size > 0 ? Object.fromEntries(labels) : undefined;
}

function readSwitch(field: Field): boolean | undefined {
  if (typeof field.value === "boolean") return field.value;
  fault(field, `expected true or false, got ${shown(field.value)}`);
  return undefined;
}
