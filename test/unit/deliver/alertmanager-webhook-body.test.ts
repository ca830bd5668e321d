import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Alert, AlertGroup } from "../../../src/alert/alert.ts";
import { renderAlertmanagerBody } from "../../../src/deliver/alertmanager-webhook-body.ts";
import type { Enrichment } from "../../../src/enrich/enrichment.ts";
import { parseGroup } from "../../../src/ingest/group-payload.ts";
import { buildAlert, buildGroup } from "../../support/build-alert.ts";
import { buildEnrichment } from "../../support/build-enrichment.ts";
import { requireShared } from "../../support/shared.ts";

interface Body extends Record<string, unknown> {
  readonly alerts: readonly Record<string, unknown>[];
}

function render(
  group: AlertGroup,
  enrichments: readonly (Enrichment | undefined)[] = [],
  profile: "full" | "compact" = "full",
): Body {
  return JSON.parse(renderAlertmanagerBody({ group, enrichments }, profile)) as Body;
}

describe("renderAlertmanagerBody", () => {
  it("gives every sample notification back as it came", (context) => {
    const folder = requireShared(context, "contracts/samples");
    const samples = readdirSync(folder).filter((file) => file.startsWith("am-webhook-"));
    expect(samples.length).toBeGreaterThan(5);
    for (const file of samples) {
      const sent: unknown = JSON.parse(readFileSync(path.join(folder, file), "utf8"));
      const check = parseGroup(sent, "error_");
      if (check.group === undefined) throw new Error(`${file} was refused`);
      expect(render(check.group), file).toEqual(sent);
    }
  });

  it("writes keys in Alertmanager's order and ends in a line feed", () => {
    const text = renderAlertmanagerBody(
      { group: buildGroup([buildAlert()]), enrichments: [] },
      "full",
    );
    const body = JSON.parse(text) as Body;
    expect(text.endsWith("}\n")).toBe(true);
    expect(Object.keys(body).join(" ")).toBe(
      "receiver status alerts groupLabels commonLabels commonAnnotations externalURL version groupKey truncatedAlerts",
    );
    expect(Object.keys(body.alerts[0] ?? {}).join(" ")).toBe(
      "status labels annotations startsAt endsAt generatorURL fingerprint",
    );
  });

  it.each([
    ["full", { error_class: "CheckpointError", error_summary: "Checkpoint failed." }],
    ["compact", { error_summary: "Checkpoint failed." }],
  ] as const)("adds the annotations of profile %s, sorted", (profile, added) => {
    const alert = buildAlert({ annotations: { summary: "s", description: "d" } });
    const body = render(buildGroup([alert]), [buildEnrichment()], profile);
    const annotations = body.alerts[0]?.["annotations"] as Record<string, string>;
    expect(annotations).toEqual({ description: "d", summary: "s", ...added });
    expect(Object.keys(annotations)).toEqual(Object.keys(annotations).toSorted());
  });

  it("never overwrites an annotation of the sender", () => {
    const alert = buildAlert({ annotations: { runbook_url: "https://own.test", empty: "" } });
    const added = { runbook_url: "https://ours.test", empty: "x" };
    const enrichment = buildEnrichment({ annotations: { compact: added, full: added } });
    const body = render(buildGroup([alert]), [enrichment]);
    expect(body.alerts[0]?.["annotations"]).toEqual({ empty: "", runbook_url: "https://own.test" });
  });

  it("leaves labels, times and fingerprint alone", () => {
    const alert = buildAlert({ startsAt: "2026-03-14T09:26:53.589793238+09:00" });
    const body = render(buildGroup([alert]), [buildEnrichment()]);
    const { labels, startsAt, endsAt, fingerprint } = alert;
    expect(body.alerts[0]).toMatchObject({ labels, startsAt, endsAt, fingerprint });
  });

  it("works out what the alerts of the body have in common", () => {
    const common = { alertname: "A", job: "j" };
    const alerts = ["p", "q"].map((pod) =>
      buildAlert({ labels: { ...common, pod }, annotations: { summary: "s", note: pod } }),
    );
    const group = buildGroup(alerts, { commonLabels: { stale: "x" } });
    const body = render(group, [buildEnrichment(), buildEnrichment()]);
    expect(body["commonLabels"]).toEqual(common);
    expect(body["commonAnnotations"]).toEqual({
      error_class: "CheckpointError",
      error_summary: "Checkpoint failed.",
      summary: "s",
    });
  });

  const firing = buildAlert();
  const resolved = buildAlert({ endsAt: "2026-03-14T09:40:00Z" });
  it.each<{ name: string; alerts: Alert[]; status: Alert["status"]; cut: number; sent: string }>([
    {
      name: "firing when an alert fires",
      alerts: [resolved, firing],
      status: "firing",
      cut: 0,
      sent: "firing",
    },
    {
      name: "resolved when the sender says so",
      alerts: [resolved],
      status: "resolved",
      cut: 0,
      sent: "resolved",
    },
    {
      name: "as it came when alerts were cut off",
      alerts: [resolved],
      status: "resolved",
      cut: 1,
      sent: "resolved",
    },
    {
      name: "firing when the firing alert is not in the body",
      alerts: [resolved],
      status: "firing",
      cut: 3,
      sent: "firing",
    },
  ])("says $name", ({ alerts, status, cut, sent }) => {
    const body = render(buildGroup(alerts, { status, truncatedAlerts: cut }));
    expect(body["status"]).toBe(sent);
    expect(body["truncatedAlerts"]).toBe(cut);
  });

  it("keeps labels that are named like parts of an object", () => {
    const labels = JSON.parse('{"__proto__":"x","constructor":"y"}') as Record<string, string>;
    const text = renderAlertmanagerBody(
      { group: buildGroup([buildAlert({ labels })]), enrichments: [] },
      "full",
    );
    expect(text).toContain('"commonLabels":{"__proto__":"x","constructor":"y"}');
  });
});
