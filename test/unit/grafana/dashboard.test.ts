import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { renderDashboard } from "../../../bench/tools/dashboard/make-dashboard.ts";
import { findMetricFaults, readMetricRegistry } from "../../support/metric-registry.ts";
import { DASHBOARD_FILE, queriesOf, readDashboard } from "../../support/read-dashboard.ts";

const dashboard = readDashboard();
const panels = dashboard.panels.filter(({ type }) => type !== "row");

describe("config/grafana/dashboards/alertlore.json", () => {
  it("is what npm run build:dashboard writes", () => {
    expect(readFileSync(DASHBOARD_FILE, "utf8")).toBe(renderDashboard());
  });

  it("asks only for metrics, labels and values that exist", async () => {
    const registry = await readMetricRegistry();
    const queries = queriesOf(dashboard);
    expect(queries.length).toBeGreaterThan(20);
    expect(queries.flatMap((query) => findMetricFaults(query, registry, new Set()))).toEqual([]);
  });

  it("leaves no variable of Grafana that it does not define", () => {
    const names = new Set(dashboard.templating.list.map(({ name }) => name));
    const own = new Set(["__interval", "__rate_interval", "__range", "__field", "__all"]);
    const used = readFileSync(DASHBOARD_FILE, "utf8").matchAll(/\$\{?(\w+)/gu);
    const unknown = [...used].map(([, name = ""]) => name);
    expect(unknown.filter((name) => !names.has(name) && !own.has(name))).toEqual([]);
  });

  it("names series only by labels that their query keeps", () => {
    const lost = panels.flatMap(({ title, targets }) =>
      targets.flatMap(({ expr, legendFormat }) => {
        const kept = /\bby \(([^)]*)\)/u.exec(expr)?.[1]?.split(", ") ?? ["instance"];
        return [...legendFormat.matchAll(/\{\{(\w+)\}\}/gu)]
          .filter(([, label = ""]) => !kept.includes(label))
          .map(([label]) => `${title}: ${label}`);
      }),
    );
    expect(lost).toEqual([]);
  });

  it("says of every panel what it shows, in which unit, and asks the data source chosen", () => {
    for (const panel of panels) {
      expect(panel.description, panel.title).toMatch(/\.$/u);
      expect(panel.fieldConfig?.defaults.unit, panel.title).toBeTruthy();
      expect(panel.datasource?.uid).toBe("${datasource}");
      expect(panel.targets.length, panel.title).toBeGreaterThan(0);
    }
  });

  it("has a number of its own for every panel, and no two of them in one place", () => {
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(dashboard.panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
  });
});
