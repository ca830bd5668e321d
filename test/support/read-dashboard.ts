import { readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { repositoryRoot } from "./shared.ts";

/** The committed dashboard, as Grafana's provisioning reads it. */
export const DASHBOARD_FILE = path.join(repositoryRoot, "config/grafana/dashboards/alertlore.json");

const link = z.object({ title: z.string().min(1), url: z.string() });
const gridPos = z.object({ x: z.int(), y: z.int(), w: z.int().positive(), h: z.int().positive() });
const panel = z.object({
  id: z.int().positive(),
  type: z.string(),
  title: z.string().min(1),
  gridPos,
  description: z.string().optional(),
  datasource: z.object({ uid: z.string() }).optional(),
  targets: z
    .array(z.object({ refId: z.string(), expr: z.string(), legendFormat: z.string() }))
    .default([]),
  fieldConfig: z
    .object({
      defaults: z.object({ unit: z.string().optional(), links: z.array(link).default([]) }),
    })
    .optional(),
});
const dashboard = z.object({
  uid: z.string().regex(/^[a-zA-Z0-9_-]{1,40}$/u),
  title: z.string().min(1),
  schemaVersion: z.int(),
  templating: z.object({ list: z.array(z.object({ name: z.string(), type: z.string() })) }),
  links: z.array(link),
  panels: z.array(panel),
});

/** What tests read of the dashboard. */
export type DashboardJson = z.output<typeof dashboard>;

/** Reads the committed dashboard. */
export function readDashboard(): DashboardJson {
  return dashboard.parse(JSON.parse(readFileSync(DASHBOARD_FILE, "utf8")));
}

/** Every query, with Grafana's variables filled in as Grafana would. */
export function queriesOf({ panels }: DashboardJson): readonly string[] {
  return panels
    .flatMap(({ targets }) => targets)
    .map(({ expr }) =>
      expr
        .replaceAll(/\[\$__(?:rate_)?interval\]/gu, "[5m]")
        .replaceAll("[$__range]", "[24h]")
        .replaceAll("$job", "alertlore|other"),
    );
}

/** Every page of Alertlore that the dashboard leads to, relative to its root. */
export function pagesOf({ links, panels }: DashboardJson): readonly string[] {
  const ofPanels = panels.flatMap((one) => one.fieldConfig?.defaults.links ?? []);
  return [...links, ...ofPanels].map(({ url }) =>
    url
      .replace(/^\$\{alertlore_url\}/u, "")
      .replace("${__field.labels.error_class:percentencode}", "CheckpointError")
      .replace("${__field.labels.decision:percentencode}", "retry")
      .replace("${__field.labels.outcome:percentencode}", "no_match"),
  );
}
