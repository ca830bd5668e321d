import type { Alert, Annotations, Labels } from "../alert/alert.ts";
import { textMapOf } from "../alert/text-map.ts";
import type { AnnotationProfile, Enrichment } from "../enrich/enrichment.ts";
import type { EnrichedGroup } from "../enrich/ports.ts";

/**
 * Renders a group as Alertmanager itself would send it, payload version 4, with the annotations of
 * one profile added: the same keys in the same order, unknown ones re-emitted at the end, labels,
 * fingerprints and times as they came.
 *
 * @returns JSON with a final line feed.
 */
export function renderAlertmanagerBody(
  { group, enrichments }: EnrichedGroup,
  profile: AnnotationProfile,
): string {
  const alerts = group.alerts.map((alert, index) =>
    renderAlert(alert, enrichments[index], profile),
  );
  const isFiring = group.alerts.some((alert) => alert.status === "firing");
  const body = {
    receiver: group.receiver,
    // "resolved" is only believed where the sender says so: an alert that is not in this body,
    // cut off or unreadable, may still fire.
    status: isFiring ? "firing" : group.status,
    alerts,
    groupLabels: group.groupLabels,
    commonLabels: commonOf(alerts.map((alert) => alert.labels)),
    commonAnnotations: commonOf(alerts.map((alert) => alert.annotations)),
    externalURL: group.externalURL,
    version: group.version,
    groupKey: group.groupKey,
    truncatedAlerts: group.truncatedAlerts,
    ...group.unknownFields,
  };
  return `${JSON.stringify(body)}\n`;
}

type RenderedAlert = Readonly<Record<string, unknown>> & {
  readonly labels: Labels;
  readonly annotations: Annotations;
};

function renderAlert(
  alert: Alert,
  enrichment: Enrichment | undefined,
  profile: AnnotationProfile,
): RenderedAlert {
  return {
    status: alert.status,
    labels: alert.labels,
    annotations: mergeAnnotations(alert.annotations, enrichment?.annotations[profile] ?? {}),
    startsAt: alert.startsAt,
    endsAt: alert.endsAt,
    generatorURL: alert.generatorURL,
    fingerprint: alert.fingerprint,
    ...alert.unknownFields,
  };
}

/** Adds annotations, sorted by name as Alertmanager sends them; never overwrites one of the sender. */
function mergeAnnotations(own: Annotations, added: Annotations): Annotations {
  const names = [...new Set([...Object.keys(own), ...Object.keys(added)])].sort();
  return textMapOf(names.map((name) => [name, ownValue(own, name) ?? ownValue(added, name) ?? ""]));
}

/** What all maps hold with the same value. */
function commonOf(maps: readonly Readonly<Record<string, string>>[]): Labels {
  const [first = {}, ...others] = maps;
  const entries = Object.entries(first);
  return textMapOf(
    entries.filter(([name, value]) => others.every((map) => ownValue(map, name) === value)),
  );
}

function ownValue(map: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}
