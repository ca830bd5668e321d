import { expect, it } from "vitest";
import { placeOf } from "../../../src/alert/grafana-place.ts";
import type { GrafanaPlace } from "../../../src/alert/grafana-place.ts";
import { buildAlert } from "../../support/build-alert.ts";
import type { AlertWishes } from "../../support/build-alert.ts";

const fields = (unknownFields: Readonly<Record<string, unknown>>) => ({ unknownFields });
const url = (path: string) => `https://grafana.test${path}`;

const CASES: readonly (readonly [string, AlertWishes, GrafanaPlace | undefined])[] = [
  ["none of an alert of Prometheus", {}, undefined],
  [
    "dashboard and panel of the webhook's URLs",
    fields({
      dashboardURL: url("/d/rw?from=1&orgId=2&to=3"),
      panelURL: url("/d/rw?from=1&orgId=2&to=3&viewPanel=12"),
    }),
    { orgId: 2, dashboard: { uid: "rw", panelId: 12 } },
  ],
  [
    "a dashboard without a panel, below a path",
    fields({ dashboardURL: url("/grafana/d/rw/title?x=1"), panelURL: "", orgId: 1 }),
    { orgId: 1, dashboard: { uid: "rw" } },
  ],
  [
    "the panel as newer dashboards write it",
    fields({ panelURL: url("/d/rw?viewPanel=panel-7") }),
    { dashboard: { uid: "rw", panelId: 7 } },
  ],
  ["the organisation alone", fields({ orgId: 3, dashboardURL: "", panelURL: "" }), { orgId: 3 }],
  [
    "the organisation of a version that sends it in URLs only",
    fields({ silenceURL: url("/alerting/silence/new?matcher=a%3Db&orgId=4") }),
    { orgId: 4 },
  ],
  [
    "what Grafana tells an external Alertmanager",
    { annotations: { __dashboardUid__: "rw-streaming", __panelId__: "12", __orgId__: "1" } },
    { orgId: 1, dashboard: { uid: "rw-streaming", panelId: 12 } },
  ],
  [
    "annotations that people add to rules of Prometheus",
    { annotations: { dashboard_uid: "rw", panel_id: "5" } },
    { dashboard: { uid: "rw", panelId: 5 } },
  ],
  ["labels of that name", { labels: { dashboard_uid: "rw" } }, { dashboard: { uid: "rw" } }],
  ["nothing of a UID with a slash", { annotations: { dashboard_uid: "../admin" } }, undefined],
  [
    "nothing of a UID that is too long",
    { annotations: { dashboard_uid: "a".repeat(41) } },
    undefined,
  ],
  ["nothing of another page", fields({ dashboardURL: url("/alerting/list") }), undefined],
  ["nothing of what is no URL", fields({ dashboardURL: "rw", panelURL: 5, orgId: "x" }), undefined],
  ["nothing of an impossible organisation", fields({ orgId: -1 }), undefined],
  [
    "no panel of a panel that is no number",
    { annotations: { dashboard_uid: "rw", panel_id: "12; drop" } },
    { dashboard: { uid: "rw" } },
  ],
];

it.each(CASES)("gives %s", (_name, wishes, place) => {
  expect(placeOf(buildAlert(wishes))).toEqual(place);
});
