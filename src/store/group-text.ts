import type { Alert, AlertGroup } from "../alert/alert.ts";
import { textMapOf } from "../alert/text-map.ts";
import { ZERO_TIME_NS, parseTimestamp } from "../alert/timestamp.ts";
import type { Enrichment } from "../enrich/enrichment.ts";

/** An alert as kept: its times once, as the sender spelled them. */
type KeptAlert = Omit<Alert, "startsAtNs" | "endsAtNs">;
type KeptGroup = Omit<AlertGroup, "alerts"> & { readonly alerts: readonly KeptAlert[] };

/** Writes an alert as JSON text that `decodeAlert` reads back whole. */
export function encodeAlert(alert: Alert): string {
  return JSON.stringify(keptAlert(alert));
}

/** Reads what `encodeAlert` wrote. */
export function decodeAlert(text: string): Alert {
  return fullAlert(JSON.parse(text) as KeptAlert);
}

/** Writes a group as JSON text that `decodeGroup` reads back whole. */
export function encodeGroup(group: AlertGroup): string {
  return JSON.stringify({ ...group, alerts: group.alerts.map(keptAlert) });
}

/** Reads what `encodeGroup` wrote. */
export function decodeGroup(text: string): AlertGroup {
  const kept = JSON.parse(text) as KeptGroup;
  return {
    ...kept,
    groupLabels: withoutPrototype(kept.groupLabels),
    commonLabels: withoutPrototype(kept.commonLabels),
    commonAnnotations: withoutPrototype(kept.commonAnnotations),
    alerts: kept.alerts.map(fullAlert),
  };
}

/**
 * Writes an enrichment without its excerpt, which is by far the largest part: what is shown of it has a
 * table of its own, and so have texts without a match.
 */
export function encodeEnrichment(enrichment: Enrichment): string {
  return JSON.stringify({
    ...enrichment,
    excerpt: undefined,
    kept: undefined,
    unmatched: undefined,
  });
}

/** Reads what `encodeEnrichment` wrote. */
export function decodeEnrichment(text: string): Enrichment {
  return { excerpt: undefined, ...(JSON.parse(text) as Omit<Enrichment, "excerpt">) };
}

function keptAlert({ startsAtNs: _startsAtNs, endsAtNs: _endsAtNs, ...kept }: Alert): KeptAlert {
  return kept;
}

function fullAlert(kept: KeptAlert): Alert {
  const endsAtNs = parseTimestamp(kept.endsAt);
  return {
    ...kept,
    labels: withoutPrototype(kept.labels),
    annotations: withoutPrototype(kept.annotations),
    startsAtNs: parseTimestamp(kept.startsAt) ?? ZERO_TIME_NS,
    endsAtNs: kept.status === "firing" || endsAtNs === ZERO_TIME_NS ? undefined : endsAtNs,
  };
}

// As ingest makes them: a label named `constructor` is only there when it was sent.
function withoutPrototype(map: Readonly<Record<string, string>>): Record<string, string> {
  return textMapOf(Object.entries(map));
}
