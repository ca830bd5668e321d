import { ANNOTATION_DEFAULTS } from "../../src/annotate/annotation-settings.ts";
import type { AnnotationInput } from "../../src/annotate/render-annotations.ts";
import { buildEntry, buildMatch, buildRecommendation, lookUp } from "./advice-builders.ts";

/** Input that gives every annotation but `runbook_url`; changes go on top. */
export function buildAnnotationInput(changes: Partial<AnnotationInput> = {}): AnnotationInput {
  return {
    outcome: "matched",
    matches: [buildMatch({ occurrences: 4 })],
    recordOf: lookUp(buildEntry({ errorClass: "EngineError" })),
    recommendation: buildRecommendation({
      decision: "retry_after_fix",
      maxAttempts: 2,
      backoff: { initialMs: 30_000, factor: 2, maxMs: 300_000, jitter: 0.2 },
      reason: "Start it first.",
    }),
    labels: { pod: "engine-7", namespace: "prod" },
    annotations: {},
    logLines: ["ERROR engine 7 stopped", "ERROR engine 7 stopped again"],
    lastSeenNs: 1_773_230_580_000_000_000n,
    links: { page: "https://lore.example/episodes/1", logs: "https://grafana.example/explore?x=1" },
    settings: ANNOTATION_DEFAULTS,
    ...changes,
  };
}
