import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import type { CatalogueRecord, KnownError, RecordOrigin } from "../../src/record/known-error.ts";
import type { Match } from "../../src/record/match.ts";
import type { Recommendation } from "../../src/record/recommendation.ts";
import type { RetryRules } from "../../src/recommend/retry-rules.ts";
import { validateRetryRules } from "../../src/recommend/validate-retry-rules.ts";

/** A plain upstream record without family, class or status; changes go on top. */
export function buildRecord(changes: Partial<KnownError> = {}): KnownError {
  return {
    id: "00000000000000aa",
    repo: "acme/engine",
    slug: "engine-stopped",
    errorCode: null,
    errorMessage: "engine {} stopped",
    messagePattern: "engine (.+?) stopped",
    errorType: "exception",
    errorClass: null,
    httpStatus: null,
    severity: "error",
    filePath: "src/engine.rs",
    lineNumber: 12,
    sourceCode: null,
    sourceCodeStart: null,
    sourceCodeEnd: null,
    githubUrl: `https://github.com/acme/engine/blob/${"a".repeat(40)}/src/engine.rs#L12`,
    documentation: "The engine stopped.",
    triggerScenarios: "A stop.",
    commonSituations: "Often.",
    solutions: ["Start the engine.", "Replace the engine."],
    exampleFix: null,
    handlingStrategy: null,
    validationCode: null,
    typeGuard: null,
    tryCatchPattern: null,
    preventionTips: [],
    tags: [],
    backgroundTag: null,
    analyzedSha: "a".repeat(40),
    analyzedAt: "2026-11-30T00:00:00Z",
    schemaVersion: 2,
    ...changes,
  };
}

export function buildEntry(
  changes: Partial<KnownError> = {},
  origin: RecordOrigin = "dataset",
  overlays: readonly string[] = [],
): CatalogueRecord {
  return {
    record: buildRecord(changes),
    origin,
    loadedFrom: "test",
    overlays,
    overrides: [],
    runbookUrl: null,
  };
}

/** A certain match of the record that `buildRecord` gives; changes go on top. */
export function buildMatch(changes: Partial<Match> = {}): Match {
  return {
    recordId: "00000000000000aa",
    repo: "acme/engine",
    errorMessage: "engine {} stopped",
    filePath: "src/engine.rs",
    score: 0.9,
    kind: "exact",
    confidence: "high",
    role: "single",
    captures: ["7"],
    line: 0,
    spans: [{ line: 0, start: 0, end: 6 }],
    occurrences: 1,
    alternatives: [],
    evidence: [],
    ...changes,
  };
}

/** Looks records up as the catalogue does. */
export function lookUp(
  ...entries: readonly CatalogueRecord[]
): (id: string) => CatalogueRecord | undefined {
  return (id) => entries.find((entry) => entry.record.id === id);
}

/** Checks a table in the form of the rule file and gives it, or throws with its faults. */
export function buildRules(parsed: unknown): RetryRules {
  const { rules, faults } = validateRetryRules(parsed);
  if (rules === undefined) throw new Error(faults.map((f) => `${f.path}: ${f.message}`).join("\n"));
  return rules;
}

export const repositoryRoot = fileURLToPath(new URL("../../", import.meta.url));

/** The rule file that is shipped. */
export function shippedRules(): RetryRules {
  return buildRules(parse(readFileSync(`${repositoryRoot}rules/retry.yaml`, "utf8")));
}

/** Advice to investigate, from a rule of the table; changes go on top. */
export function buildRecommendation(changes: Partial<Recommendation> = {}): Recommendation {
  return {
    decision: "investigate",
    maxAttempts: undefined,
    backoff: undefined,
    steps: [],
    reason: "Because.",
    validUntilMs: 900_000,
    basedOn: { recordId: "00000000000000aa", rule: "some-rule", curated: false },
    ...changes,
  };
}
