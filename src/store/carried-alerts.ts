import type { Alert } from "../alert/alert.ts";
import type { Enrichment } from "../enrich/enrichment.ts";
import type { StoredGroup } from "../enrich/delivery-ports.ts";
import { decodeAlert, decodeEnrichment, encodeAlert, encodeEnrichment } from "./group-text.ts";

/** An alert of a body that was replaced before it was sent, kept with its successor. */
export interface CarriedAlert {
  readonly alert: Alert;
  readonly enrichment: Enrichment | undefined;
}

/** More would make an outage of a destination grow without bound. */
const CARRIED_MAX = 2000;

/** Reads the column `carried`. */
export function decodeCarried(text: string): readonly CarriedAlert[] {
  const kept = JSON.parse(text) as readonly (readonly [string, string | null])[];
  return kept.map(([alert, enrichment]) => ({
    alert: decodeAlert(alert),
    enrichment: enrichment === null ? undefined : decodeEnrichment(enrichment),
  }));
}

/** Writes the column `carried`; the latest are kept when there are too many. */
export function encodeCarried(carried: readonly CarriedAlert[]): string {
  const kept = carried
    .slice(-CARRIED_MAX)
    .map(({ alert, enrichment }) => [
      encodeAlert(alert),
      enrichment === undefined ? null : encodeEnrichment(enrichment),
    ]);
  return JSON.stringify(kept);
}

/** A group with the carried alerts behind its own. */
export function withCarried(stored: StoredGroup, carried: readonly CarriedAlert[]): StoredGroup {
  const own = new Set(stored.group.alerts.map((alert) => alert.fingerprint));
  const added = carried.filter(({ alert }) => !own.has(alert.fingerprint));
  if (added.length === 0) return stored;
  return {
    group: {
      ...stored.group,
      alerts: [...stored.group.alerts, ...added.map(({ alert }) => alert)],
    },
    enrichments: [...stored.enrichments, ...added.map(({ enrichment }) => enrichment)],
  };
}

/** The alerts of a group that have one of the fingerprints. */
export function alertsToCarry(
  stored: StoredGroup,
  fingerprints: ReadonlySet<string>,
): readonly CarriedAlert[] {
  return stored.group.alerts.flatMap((alert, index) =>
    fingerprints.has(alert.fingerprint) ? [{ alert, enrichment: stored.enrichments[index] }] : [],
  );
}
