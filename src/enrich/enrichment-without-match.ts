import type { Alert } from "../alert/alert.ts";
import { renderAnnotations } from "../annotate/render-annotations.ts";
import type { Excerpt } from "../log/excerpt.ts";
import { findUnmatchedText } from "./unmatched-text.ts";
import { keepExcerpt } from "./keep-excerpt.ts";
import type { Enrichment } from "./enrichment.ts";
import type { EpisodeState } from "./ports.ts";
import type { EnrichSettings } from "./settings.ts";

/** The enrichment of an alert in which nothing was recognised. */
export function enrichmentWithoutMatch(
  settings: EnrichSettings,
  alert: Alert,
  found: {
    readonly outcome: "no_match" | "no_logs" | "logs_failed" | "deadline";
    readonly episode: EpisodeState | undefined;
    readonly excerpt: Excerpt | undefined;
  },
): Enrichment {
  const unmatched =
    found.outcome === "no_match" && found.excerpt ? findUnmatchedText(found.excerpt) : undefined;
  return {
    episodeId: found.episode?.id ?? "",
    outcome: found.outcome,
    excerpt: found.excerpt,
    ...(found.excerpt && { kept: keepExcerpt(found.excerpt, []) }),
    ...(unmatched && { unmatched }),
    matches: [],
    errorClass: undefined,
    recommendation: undefined,
    annotations: renderAnnotations({
      outcome: found.outcome,
      matches: [],
      recordOf: () => undefined,
      recommendation: undefined,
      labels: alert.labels,
      annotations: alert.annotations,
      logLines: [],
      lastSeenNs: undefined,
      links: {},
      settings: settings.annotate,
    }),
  };
}
