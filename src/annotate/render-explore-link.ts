import type { TimestampNs } from "../alert/alert.ts";

/** Where Grafana is, and how its Explore is linked to. */
export interface ExploreSettings {
  /** Base URL without a final slash. */
  readonly grafanaUrl: string;
  /** UID of the data source of Loki. */
  readonly datasourceUid: string;
  /** `panes` since Grafana 10, `left` before. */
  readonly format: "panes" | "left";
  readonly orgId: number;
}

/** What the page opens with. */
export interface ExploredLogs {
  /** LogQL, one or more. */
  readonly queries: readonly string[];
  /** Half-open; a link holds milliseconds, so it may reach one further on both sides. */
  readonly startNs: TimestampNs;
  readonly endNs: TimestampNs;
}

const NS_PER_MS = 1_000_000n;
const REF_IDS = "ABCDEFGHIJ";

/** Renders the link to log lines in Grafana Explore, with absolute times. */
export function renderExploreLink(settings: ExploreSettings, logs: ExploredLogs): string {
  const { grafanaUrl, datasourceUid: uid, format, orgId } = settings;
  const queries = logs.queries.slice(0, REF_IDS.length).map((expr, index) => ({
    refId: REF_IDS.charAt(index),
    datasource: { type: "loki", uid },
    expr,
    queryType: "range",
  }));
  const range = {
    from: String(logs.startNs / NS_PER_MS),
    to: String((logs.endNs + NS_PER_MS - 1n) / NS_PER_MS),
  };
  const pane = { datasource: uid, queries, range };
  const parameters =
    format === "panes"
      ? { schemaVersion: "1", panes: JSON.stringify({ logs: pane }), orgId: String(orgId) }
      : { orgId: String(orgId), left: JSON.stringify(pane) };
  return `${grafanaUrl}/explore?${new URLSearchParams(parameters).toString()}`;
}
