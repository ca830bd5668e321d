import type { CatalogueRecord, KnownError } from "../../src/record/known-error.ts";

/** What a test wants to say of a record. */
export type RecordWishes = Partial<KnownError> & Partial<Pick<CatalogueRecord, "origin">>;

/** A curated record of the operator; ids count up from the number given. */
export function buildRecord(number: number, wishes: RecordWishes = {}): CatalogueRecord {
  const { origin = "operator", ...fields } = wishes;
  return {
    record: {
      id: number.toString(16).padStart(16, "0"),
      repo: "acme/engine",
      slug: `error-${number}`,
      errorCode: null,
      errorMessage: "cannot write checkpoint {} of shard {}: lease expired",
      messagePattern: "cannot write checkpoint (.*?) of shard (.*?): lease expired",
      errorType: "exception",
      errorClass: "CheckpointError",
      httpStatus: null,
      severity: "error",
      filePath: "src/checkpoint.rs",
      lineNumber: 7,
      sourceCode: null,
      sourceCodeStart: null,
      sourceCodeEnd: null,
      githubUrl: "https://github.com/acme/engine/blob/0/src/checkpoint.rs#L7",
      documentation: "A checkpoint could not be written.",
      triggerScenarios: "The object store refused a write.",
      commonSituations: "Expired credentials.",
      solutions: ["Renew the credentials.", "Restart the engine."],
      exampleFix: null,
      handlingStrategy: "retry",
      validationCode: null,
      typeGuard: null,
      tryCatchPattern: null,
      preventionTips: [],
      tags: [],
      backgroundTag: null,
      analyzedSha: "0".repeat(40),
      analyzedAt: "2026-01-01T00:00:00Z",
      schemaVersion: 2,
      ...fields,
    },
    origin,
    loadedFrom: "records.json[0]",
    overlays: [],
    overrides: [],
    runbookUrl: null,
  };
}
