import type { KnownError } from "../record/known-error.ts";
import {
  anyText,
  filledText,
  formedText,
  LINE_CHARS_MAX,
  listOf,
  nullable,
  oneOf,
  optional,
  wholeNumber,
} from "./field-rule.ts";
import type { FieldRule } from "./field-rule.ts";

const TAG = formedText(
  /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/u,
  "a tag (lower-case words joined by hyphens)",
);
const LINE_NUMBER = nullable(wholeNumber(1));
const PROSE = filledText();
const NULLABLE_TEXT = nullable(anyText());
const NULLABLE_NAME = nullable(filledText(LINE_CHARS_MAX));
const SOURCE_LINES_MAX = 40;

/**
 * ErrLookup's ErrorEntry, schema version 2, field by field.
 *
 * One table both checks and explains. A schema library took longer over the 25,836 records of a
 * dataset than `JSON.parse` did, and start-up waits for it.
 */
export const RECORD_FIELD_RULES: Readonly<Record<keyof KnownError, FieldRule>> = {
  id: formedText(/^[0-9a-f]{16}$/u, "16 lower-case hex digits"),
  repo: formedText(/^[^/\s]+\/[^/\s]+$/u, "owner/name"),
  slug: formedText(
    /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/u,
    "a slug (lower-case letters, digits, inner hyphens)",
  ),
  errorCode: NULLABLE_NAME,
  errorMessage: filledText(LINE_CHARS_MAX),
  messagePattern: filledText(2 * LINE_CHARS_MAX),
  errorType: oneOf(["exception", "error_code", "console", "http", "validation", "panic"]),
  errorClass: NULLABLE_NAME,
  httpStatus: nullable(wholeNumber(100, 599)),
  severity: oneOf(["critical", "error", "warning", "info"]),
  filePath: filledText(LINE_CHARS_MAX),
  lineNumber: LINE_NUMBER,
  sourceCode: NULLABLE_TEXT,
  sourceCodeStart: LINE_NUMBER,
  sourceCodeEnd: LINE_NUMBER,
  githubUrl: formedText(/^https?:\/\/[^\s/?#"'<>\\]+(?:[/?#][^\s"<>\\]*)?$/iu, "an http(s) URL"),
  documentation: PROSE,
  triggerScenarios: PROSE,
  commonSituations: PROSE,
  solutions: listOf(PROSE, 100),
  exampleFix: NULLABLE_TEXT,
  handlingStrategy: nullable(oneOf(["try-catch", "type-guard", "validation", "retry", "fallback"])),
  validationCode: NULLABLE_TEXT,
  typeGuard: NULLABLE_TEXT,
  tryCatchPattern: NULLABLE_TEXT,
  preventionTips: listOf(PROSE, 100),
  tags: listOf(TAG, 100),
  // Missing in records from before the field existed.
  backgroundTag: optional(nullable(TAG)),
  analyzedSha: formedText(/^[0-9a-f]{40}$/u, "40 lower-case hex digits"),
  analyzedAt: formedText(
    /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/u,
    "an ISO 8601 time that ends in Z",
  ),
  schemaVersion: oneOf([2]),
};

const FIELDS = Object.entries(RECORD_FIELD_RULES) as readonly [keyof KnownError, FieldRule][];

/** What is wrong with one field. */
export interface FieldFault {
  readonly field: string;
  /** A sentence without subject; never repeats what the field holds. */
  readonly message: string;
}

/** A record that keeps the schema, without the keys it does not know; or every fault. */
export type RecordCheck =
  | { readonly record: KnownError; readonly faults: readonly [] }
  | { readonly record: undefined; readonly faults: readonly FieldFault[] };

/** Checks what `JSON.parse` gave for one record. */
export function checkRecord(value: unknown): RecordCheck {
  if (!isObject(value)) {
    return { record: undefined, faults: [{ field: "", message: "must be an object" }] };
  }
  const faults: FieldFault[] = [];
  for (const [field, rule] of FIELDS) {
    const held = value[field];
    if (rule.accepts(held)) continue;
    faults.push({ field, message: held === undefined ? "is required" : `must be ${rule.must}` });
  }
  if (faults.length > 0) return { record: undefined, faults };
  const record = withKnownKeys(value);
  const disagreements = disagreementsOf(record);
  return disagreements.length > 0
    ? { record: undefined, faults: disagreements }
    : { record, faults: [] };
}

/** The fields of an accepted object and nothing else; the object itself where it has nothing else. */
function withKnownKeys(fields: Readonly<Record<string, unknown>>): KnownError {
  const isWhole = fields["backgroundTag"] !== undefined;
  if (isWhole && Object.keys(fields).length === FIELDS.length) {
    return fields as unknown as KnownError;
  }
  // Every rule but the one for `backgroundTag` refuses `undefined`.
  const known: Record<string, unknown> = {};
  for (const [field] of FIELDS) known[field] = fields[field] ?? null;
  return known as unknown as KnownError;
}

/** Whether `JSON.parse` gave an object, and no array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Faults that no field shows alone. */
function disagreementsOf(record: KnownError): readonly FieldFault[] {
  const { lineNumber, sourceCode, sourceCodeStart: start, sourceCodeEnd: end } = record;
  const faults: FieldFault[] = [];
  if (start !== null && end !== null && end < start) {
    faults.push({ field: "sourceCodeEnd", message: "must not be less than sourceCodeStart" });
  }
  if (start !== null && lineNumber !== null && lineNumber < start) {
    faults.push({ field: "lineNumber", message: "must not be less than sourceCodeStart" });
  }
  if (sourceCode !== null && linesOf(sourceCode) > SOURCE_LINES_MAX) {
    faults.push({ field: "sourceCode", message: `must have at most ${SOURCE_LINES_MAX} lines` });
  }
  return faults;
}

function linesOf(text: string): number {
  return text.replace(/\n$/u, "").split("\n").length;
}
