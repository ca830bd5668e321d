/** How the error shows itself, in ErrLookup's words. */
export type ErrorType = "exception" | "error_code" | "console" | "http" | "validation" | "panic";
/** How bad the record says the error is. */
export type Severity = "critical" | "error" | "warning" | "info";
/** ErrLookup's advice about code, not about operation: `retry` by itself recommends no retry. */
export type HandlingStrategy = "try-catch" | "type-guard" | "validation" | "retry" | "fallback";

/**
 * Where a record was loaded from. `starter` and `operator` records are curated; `dataset` ones were
 * written by a language model upstream.
 */
export type RecordOrigin = "dataset" | "starter" | "operator";

/**
 * One known error, in ErrLookup's entry format, schema version 2.
 *
 * Texts come from a model and from foreign source code: escape them wherever they are shown.
 */
export interface KnownError {
  /** 16 lower-case hex digits. */
  readonly id: string;
  /** `owner/name`. */
  readonly repo: string;
  readonly slug: string;
  readonly errorCode: string | null;
  /** Source text with its placeholders; templates are compiled from this. */
  readonly errorMessage: string;
  /** JavaScript RegExp source as upstream derives it; never compiled to an expression here. */
  readonly messagePattern: string;
  readonly errorType: ErrorType;
  readonly errorClass: string | null;
  readonly httpStatus: number | null;
  readonly severity: Severity;
  /** Path in the repository, or `unknown`. */
  readonly filePath: string;
  readonly lineNumber: number | null;
  readonly sourceCode: string | null;
  readonly sourceCodeStart: number | null;
  readonly sourceCodeEnd: number | null;
  readonly githubUrl: string;
  readonly documentation: string;
  readonly triggerScenarios: string;
  readonly commonSituations: string;
  /** Best first; may be empty. */
  readonly solutions: readonly string[];
  readonly exampleFix: string | null;
  readonly handlingStrategy: HandlingStrategy | null;
  readonly validationCode: string | null;
  readonly typeGuard: string | null;
  readonly tryCatchPattern: string | null;
  readonly preventionTips: readonly string[];
  readonly tags: readonly string[];
  /** The family of the error; may be missing in old records. */
  readonly backgroundTag: string | null;
  /** 40 lower-case hex digits. */
  readonly analyzedSha: string;
  readonly analyzedAt: string;
  readonly schemaVersion: 2;
}

/** A record with what loading learned about it. */
export interface CatalogueRecord {
  readonly record: KnownError;
  readonly origin: RecordOrigin;
  /** File (and index in it) the record came from, for messages to the operator. */
  readonly loadedFrom: string;
  /** The overlays that changed it, in order, each as `name (fields)`; empty when none did. */
  readonly overlays: readonly string[];
  /** The records of its id that it was taken before, as `source (place) over source (place)`; mostly empty. */
  readonly overrides: readonly string[];
  /** `https` link set by an overlay or a curated record, else null. */
  readonly runbookUrl: string | null;
}

/** Whether a person who answers for it wrote or changed the record. */
export function isCurated(entry: CatalogueRecord): boolean {
  return entry.origin !== "dataset" || entry.overlays.length > 0;
}

/** The class of a record: its `errorClass`, else its family, else its type. */
export function classOf(record: KnownError): string {
  return record.errorClass ?? record.backgroundTag ?? record.errorType;
}
