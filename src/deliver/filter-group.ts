import type { Labels } from "../alert/alert.ts";
import type { EnrichedGroup } from "../enrich/ports.ts";

/**
 * The part of a group that a destination takes.
 *
 * @returns The group itself when all of it is taken, `undefined` when nothing is.
 */
export function filterGroup(
  enriched: EnrichedGroup,
  accepts: (labels: Labels) => boolean,
): EnrichedGroup | undefined {
  const { group, enrichments } = enriched;
  const indexes = [...group.alerts.keys()].filter((index) =>
    accepts(group.alerts[index]?.labels ?? {}),
  );
  if (indexes.length === group.alerts.length) return enriched;
  if (indexes.length === 0) return undefined;
  const alerts = indexes.flatMap((index) => group.alerts[index] ?? []);
  // Where an alert of the body explains "firing", it speaks for that alert and not for these.
  const isExplained = group.truncatedAlerts === 0 && group.alerts.some(isFiring);
  const status = isExplained && !alerts.some(isFiring) ? "resolved" : group.status;
  return {
    group: { ...group, status, alerts },
    enrichments: indexes.map((index) => enrichments[index]),
  };
}

function isFiring(alert: { readonly status: string }): boolean {
  return alert.status === "firing";
}
