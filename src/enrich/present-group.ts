import type { AlertGroup } from "../alert/alert.ts";
import { resolveAnnotations } from "../annotate/resolve-annotations.ts";
import { appendSummary } from "./append-summary.ts";
import type { Enrichment } from "./enrichment.ts";
import type { EnrichedGroup } from "./ports.ts";
import type { EnrichSettings } from "./settings.ts";

/**
 * A group as it may go out: in mode `shadow` and `off` without enrichments, resolved alerts without
 * advice, and with the summary in the description where that is wanted. What is kept on the episodes
 * passes through here whenever it leaves, at once or after a restart.
 * There is one of `kept` for each alert of the group.
 */
export function presentGroup(
  settings: Pick<EnrichSettings, "mode" | "annotate" | "appendToDescription">,
  group: AlertGroup,
  kept: readonly (Enrichment | undefined)[],
): EnrichedGroup {
  if (settings.mode !== "on") return { group, enrichments: group.alerts.map(() => undefined) };
  const { prefix } = settings.annotate;
  const enrichments = group.alerts.map((alert, index) => {
    const enrichment = kept[index];
    if (enrichment === undefined || alert.status === "firing") return enrichment;
    return { ...enrichment, annotations: resolveAnnotations(enrichment.annotations, prefix) };
  });
  if (!settings.appendToDescription) return { group, enrichments };
  const alerts = group.alerts.map((alert, index) =>
    appendSummary(alert, enrichments[index], prefix),
  );
  return { group: { ...group, alerts }, enrichments };
}
