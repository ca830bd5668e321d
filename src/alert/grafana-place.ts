import type { Alert } from "./alert.ts";

/** A dashboard, or one panel of it. */
export interface DashboardPlace {
  /** At most 40 letters, digits, `-` and `_`. */
  readonly uid: string;
  /** Absent: all panels. */
  readonly panelId?: number;
}

/** Where in Grafana an alert belongs. */
export interface GrafanaPlace {
  /** Organisation; absent when the alert names none. */
  readonly orgId?: number;
  /** Where the rule is drawn; absent when the alert names nothing. */
  readonly dashboard?: DashboardPlace;
}

const UID = /^[A-Za-z0-9_-]{1,40}$/u;
/** Dashboards of newer versions write `panel-12`. */
const PANEL = /^(?:panel-)?(\d{1,9})$/u;
const NUMBER = /^\d{1,9}$/u;

/**
 * Reads the place from an alert: from the URLs that Grafana's webhook sends, else from the annotations that
 * Grafana leaves on alerts for an external Alertmanager, else from annotations or labels `dashboard_uid` and
 * `panel_id`. The host of a URL is not looked at: only UID and numbers are taken. `undefined`: it names none.
 *
 * @see https://grafana.com/docs/grafana/latest/alerting/configure-notifications/manage-contact-points/integrations/webhook-notifier/
 */
export function placeOf(alert: Alert): GrafanaPlace | undefined {
  const orgId = orgIdOf(alert);
  const dashboard = dashboardOfUrls(alert) ?? dashboardOfTexts(alert);
  if (orgId === undefined && dashboard === undefined) return undefined;
  return { ...(orgId !== undefined && { orgId }), ...(dashboard !== undefined && { dashboard }) };
}

function dashboardOfUrls({ unknownFields }: Alert): DashboardPlace | undefined {
  const panel = urlOf(unknownFields["panelURL"]);
  const url = panel ?? urlOf(unknownFields["dashboardURL"]);
  // A Grafana below a path has it before `/d/`.
  const uid = /\/d\/([^/]+)/u.exec(url?.pathname ?? "")?.[1];
  return dashboardPlace(uid, panel?.searchParams.get("viewPanel") ?? undefined);
}

function dashboardOfTexts({ annotations, labels }: Alert): DashboardPlace | undefined {
  return (
    dashboardPlace(annotations["__dashboardUid__"], annotations["__panelId__"]) ??
    dashboardPlace(annotations["dashboard_uid"], annotations["panel_id"]) ??
    dashboardPlace(labels["dashboard_uid"], labels["panel_id"])
  );
}

function dashboardPlace(uid = "", panel = ""): DashboardPlace | undefined {
  if (!UID.test(uid)) return undefined;
  const panelId = Number(PANEL.exec(panel)?.[1] ?? 0);
  return { uid, ...(panelId > 0 && { panelId }) };
}

/** Versions that do not send `orgId` with each alert have it in the URLs. */
function orgIdOf({ unknownFields, annotations, generatorURL }: Alert): number | undefined {
  const { orgId, panelURL, dashboardURL, silenceURL } = unknownFields;
  const isRule = generatorURL.includes("/alerting/grafana/");
  const urls = [panelURL, dashboardURL, silenceURL, ...(isRule ? [generatorURL] : [])];
  const texts = [
    typeof orgId === "number" ? String(orgId) : undefined,
    annotations["__orgId__"],
    ...urls.map((url) => urlOf(url)?.searchParams.get("orgId")),
  ];
  const found = texts.find((text) => NUMBER.test(text ?? "") && Number(text) > 0);
  return found === undefined || found === null ? undefined : Number(found);
}

function urlOf(value: unknown): URL | undefined {
  return typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
}
