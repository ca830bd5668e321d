import request from "supertest";
import { expect, it } from "vitest";
import { KNOWN_LINE } from "../support/create-kit.ts";
import { createTestService } from "../support/create-test-service.ts";
import { eventually } from "../support/eventually.ts";
import { startFakeGrafana } from "../support/fake-grafana.ts";
import { readHtml } from "../support/sanitize-as-grafana.ts";
import { buildAlertBody, buildGroupBody } from "../support/webhook-body.ts";

const firing = buildAlertBody({
  annotations: { log_excerpt: KNOWN_LINE },
  labels: { alertname: "BarrierLatencyHigh", pod: "meta-0", severity: "critical" },
  panelURL: "https://grafana.test/d/rw-streaming?orgId=1&viewPanel=12",
  orgId: 1,
});
const resolved = { ...firing, status: "resolved", endsAt: "2026-03-14T11:41:53.999+02:00" };
const groupOf = (alert: Record<string, unknown>) =>
  buildGroupBody({ version: "1", alerts: [alert] });

it("an alert of Grafana with a known error is marked on its panel until it ends", async () => {
  const grafana = await startFakeGrafana();
  const { app } = await createTestService({
    web: { external_url: "https://lore.test" },
    grafana: {
      url: "https://grafana.test",
      annotations: { enabled: true, url: grafana.url, auth: { bearer_token: "glsa_editor" } },
    },
  });
  await request(app).post("/webhook").send(groupOf(firing));
  const region = await eventually(() => grafana.annotations[0], { what: "a region" });
  const timeMs = Date.parse("2026-03-14T09:26:53.589Z");
  expect(region).toMatchObject({ dashboardUID: "rw-streaming", panelId: 12, time: timeMs });
  const episode = region.tags.find((tag) => tag.startsWith("alertlore-"))?.slice(10) ?? "";
  expect(region.tags).toEqual(["alertlore", "CheckpointError", "critical", `alertlore-${episode}`]);
  const { elements, text } = readHtml(region.text);
  expect(text).toContain("BarrierLatencyHigh");
  const [page] = elements.flatMap(({ attributes }) => attributes["href"] ?? []);
  expect(page).toBe(`https://lore.test/episodes/${episode}`);
  expect((await request(app).get(`/episodes/${episode}`)).status).toBe(200);

  await request(app).post("/webhook").send(groupOf(resolved));
  const endMs = Date.parse("2026-03-14T09:41:53.999Z");
  await eventually(() => grafana.annotations.find(({ timeEnd }) => timeEnd === endMs), {
    what: "the end of the region",
  });
  expect(grafana.annotations).toHaveLength(1);
  const metrics = await request(app).get("/metrics");
  expect(metrics.text).toContain('alertlore_regions_total{result="opened"} 1');
});

it("nothing is marked in mode shadow", async () => {
  const grafana = await startFakeGrafana();
  const { app, ...service } = await createTestService({
    enrich: { mode: "shadow" },
    grafana: {
      url: grafana.url,
      annotations: { enabled: true, auth: { bearer_token: "glsa_editor" } },
    },
  });
  await request(app).post("/webhook?respond=enriched").send(groupOf(firing));
  await service.close();
  expect(grafana.requests).toEqual([]);
});
