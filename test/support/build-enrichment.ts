import type { Enrichment } from "../../src/enrich/enrichment.ts";
import { buildMatch } from "./build-match.ts";

/** An enrichment with a match and one annotation more in the full profile. */
export function buildEnrichment(wishes: Partial<Enrichment> = {}): Enrichment {
  return {
    episodeId: "e1",
    outcome: "matched",
    excerpt: undefined,
    matches: [buildMatch()],
    errorClass: "CheckpointError",
    recommendation: undefined,
    annotations: {
      compact: { error_summary: "Checkpoint failed." },
      full: { error_summary: "Checkpoint failed.", error_class: "CheckpointError" },
    },
    ...wishes,
  };
}
