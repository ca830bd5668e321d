import type { Match } from "../../src/record/match.ts";

/** An exact match on the first line of an excerpt. */
export function buildMatch(wishes: Partial<Match> = {}): Match {
  return {
    recordId: "0000000000000001",
    repo: "acme/engine",
    errorMessage: "checkpoint {} failed: {}",
    filePath: "src/checkpoint.rs",
    score: 0.9,
    kind: "exact",
    confidence: "high",
    role: "single",
    captures: ["7", "access denied"],
    line: 0,
    spans: [{ line: 0, start: 0, end: 11 }],
    occurrences: 1,
    alternatives: [],
    evidence: [],
    ...wishes,
  };
}
