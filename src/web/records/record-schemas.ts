import { z } from "zod";
import { classOf } from "../../record/known-error.ts";
import type { CatalogueRecord } from "../../record/known-error.ts";
import { FACETS } from "./record-index.ts";
import type { FoundRecords } from "./search-records.ts";

const name = z.string().max(512, "must have at most 512 characters");
const SEVERITIES = ["critical", "error", "warning", "info"] as const;
const TYPES = ["exception", "error_code", "console", "http", "validation", "panic"] as const;
const ORIGINS = ["dataset", "starter", "operator"] as const;
/** An id of a record. */
export const recordId = z
  .string()
  .regex(/^[0-9a-f]{16}$/u, "must be the id of a record: 16 lower-case hex digits");

/** What a list of records may be asked for, as query parameters; each at most once. */
export const recordQuery = z.strictObject({
  q: name
    .optional()
    .describe("Words of template, class, code, repository, tags or file; a record must hold all"),
  repo: name.optional(),
  class: name.optional(),
  severity: z.enum(SEVERITIES).optional(),
  type: z.enum(TYPES).optional(),
  origin: z.enum(ORIGINS).optional(),
  offset: z
    .string()
    .regex(/^\d{1,6}$/u, "must be a whole number from 0 to 999999")
    .optional()
    .describe("Where the page begins: `next` of the page before"),
  limit: z
    .string()
    .regex(/^(?:[1-9]\d?|1\d\d|200)$/u, "must be a whole number from 1 to 200")
    .optional(),
});

/** A record as ErrLookup's schema version 2 has it. */
const recordJson = z.object({
  id: recordId,
  repo: z.string(),
  slug: z.string(),
  errorCode: z.string().nullable(),
  errorMessage: z.string().describe("With its placeholders"),
  messagePattern: z.string(),
  errorType: z.enum(TYPES),
  errorClass: z.string().nullable(),
  httpStatus: z.int().nullable(),
  severity: z.enum(SEVERITIES),
  filePath: z.string(),
  lineNumber: z.int().nullable(),
  sourceCode: z.string().nullable(),
  sourceCodeStart: z.int().nullable(),
  sourceCodeEnd: z.int().nullable(),
  githubUrl: z.string(),
  documentation: z.string(),
  triggerScenarios: z.string(),
  commonSituations: z.string(),
  solutions: z.array(z.string()).describe("Best first"),
  exampleFix: z.string().nullable(),
  handlingStrategy: z
    .enum(["try-catch", "type-guard", "validation", "retry", "fallback"])
    .nullable(),
  validationCode: z.string().nullable(),
  typeGuard: z.string().nullable(),
  tryCatchPattern: z.string().nullable(),
  preventionTips: z.array(z.string()),
  tags: z.array(z.string()),
  backgroundTag: z.string().nullable(),
  analyzedSha: z.string(),
  analyzedAt: z.string(),
  schemaVersion: z.literal(2),
});

/** `GET /api/v1/records/:id`. */
export const recordAnswer = z.object({
  record: recordJson,
  datasetVersion: z.string().describe("Of the loaded dataset; empty without one"),
});

const recordSummaryJson = z.object({
  id: recordId,
  repo: z.string(),
  errorMessage: z.string(),
  errorCode: z.string().nullable(),
  class: z.string().describe("`errorClass`, else `backgroundTag`, else `errorType`"),
  severity: z.enum(SEVERITIES),
  type: z.enum(TYPES),
  origin: z.enum(ORIGINS),
  filePath: z.string(),
  overlays: z.array(z.string()).describe("What the operator changed of it"),
});

const facetJson = z.array(z.object({ value: z.string(), count: z.int() }));

/** `GET /api/v1/records`. */
export const recordPageJson = z.object({
  records: z.array(recordSummaryJson),
  total: z.int().describe("Of all records that fit"),
  facets: z
    .object({
      repo: facetJson,
      class: facetJson,
      severity: facetJson,
      type: facetJson,
      origin: facetJson,
    })
    .describe("The 20 commonest values of each among the records that fit all other parameters"),
  next: z.int().optional().describe("`offset` of the next page; absent on the last one"),
  datasetVersion: z.string(),
});

/** A record in a list. */
export function summaryJson(entry: CatalogueRecord): z.infer<typeof recordSummaryJson> {
  const { record, origin, overlays } = entry;
  const { id, repo, errorMessage, errorCode, severity, errorType, filePath } = record;
  return {
    ...{ id, repo, errorMessage, errorCode, severity, origin, filePath },
    class: classOf(record),
    type: errorType,
    overlays: [...overlays],
  };
}

/** How found records divide. */
export function facetsJson(
  facets: FoundRecords["facets"],
): z.infer<typeof recordPageJson>["facets"] {
  return Object.fromEntries(
    FACETS.map((facet) => [facet, facets[facet].map((each) => ({ ...each }))]),
  ) as z.infer<typeof recordPageJson>["facets"];
}
