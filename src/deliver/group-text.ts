import type { Alert } from "../alert/alert.ts";
import type { AnnotationProfile, Enrichment } from "../enrich/enrichment.ts";
import type { EnrichedGroup } from "../enrich/ports.ts";

/** What a person, or a template, is shown of a group. */
export interface GroupView {
  readonly status: "firing" | "resolved";
  readonly receiver: string;
  readonly groupKey: string;
  readonly externalURL: string;
  readonly truncatedAlerts: number;
  /** Whether nothing is new but what was found later. */
  readonly late: boolean;
  readonly groupLabels: Readonly<Record<string, string>>;
  readonly commonLabels: Readonly<Record<string, string>>;
  readonly alerts: readonly AlertView[];
  readonly firing: readonly AlertView[];
  readonly resolved: readonly AlertView[];
}

/** One alert of it, with our annotations among its own. */
export interface AlertView {
  readonly status: "firing" | "resolved";
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly generatorURL: string;
  readonly fingerprint: string;
  /** Lines of our own, in the order of their weight; empty when nothing was recognised. */
  readonly explanation: readonly string[];
}

/** The view of a group under one profile; `plain` leaves our annotations out. */
export function viewGroup(
  { group, enrichments }: EnrichedGroup,
  profile: AnnotationProfile,
  { plain = false, late = false }: { readonly plain?: boolean; readonly late?: boolean } = {},
): GroupView {
  const alerts = group.alerts.map((alert, index) =>
    viewAlert(alert, plain ? undefined : enrichments[index], profile),
  );
  const ofStatus = (status: string) => alerts.filter((alert) => alert.status === status);
  const firing = ofStatus("firing");
  return {
    status: firing.length > 0 ? "firing" : group.status,
    receiver: group.receiver,
    groupKey: group.groupKey,
    externalURL: group.externalURL,
    truncatedAlerts: group.truncatedAlerts,
    late,
    groupLabels: group.groupLabels,
    commonLabels: group.commonLabels,
    alerts,
    firing,
    resolved: ofStatus("resolved"),
  };
}

function viewAlert(
  alert: Alert,
  enrichment: Enrichment | undefined,
  profile: AnnotationProfile,
): AlertView {
  const added = enrichment?.annotations[profile] ?? {};
  const { status, labels, startsAt, endsAt, generatorURL, fingerprint } = alert;
  return {
    status,
    name: own(labels, "alertname") ?? "alert without name",
    labels,
    annotations: { ...added, ...alert.annotations },
    startsAt,
    endsAt,
    generatorURL,
    fingerprint,
    explanation: Object.values(added),
  };
}

/** One line that names the group: `[FIRING:2, RESOLVED:1] DiskFull (namespace=prod)`. */
export function titleOf(view: GroupView): string {
  const counts = [
    ...(view.firing.length > 0 ? [`FIRING:${view.firing.length}`] : []),
    ...(view.resolved.length > 0 ? [`RESOLVED:${view.resolved.length}`] : []),
  ];
  const name = own(view.groupLabels, "alertname") ?? view.alerts[0]?.name ?? "alerts";
  const others = Object.entries(view.groupLabels).filter(([label]) => label !== "alertname");
  const labels = others.map(([label, value]) => `${label}=${value}`).join(", ");
  const late = view.late ? "Now explained: " : "";
  const more = view.truncatedAlerts > 0 ? `, ${view.truncatedAlerts} more cut off` : "";
  return `${late}[${counts.join(", ")}${more}] ${name}${labels === "" ? "" : ` (${labels})`}`;
}

/** The default text of one alert, as plain lines. */
export function linesOf(alert: AlertView): readonly string[] {
  const told = ["summary", "description", "message"].flatMap((name) => {
    const text = own(alert.annotations, name);
    return text === undefined || text === "" ? [] : [text];
  });
  const labels = Object.entries(alert.labels).filter(([label]) => label !== "alertname");
  return [
    `${alert.status === "firing" ? "Firing" : "Resolved"}: ${alert.name}`,
    ...told.slice(0, 2),
    ...alert.explanation,
    labels.map(([label, value]) => `${label}=${value}`).join(", "),
  ].filter((line) => line !== "");
}

function own(map: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}
