import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { findMetricFaults, readMetricRegistry } from "../../support/metric-registry.ts";
import type { MetricRegistry } from "../../support/metric-registry.ts";
import { repositoryRoot } from "../../support/shared.ts";

const FOLDER = path.join(repositoryRoot, "rules/prometheus");

const text = z.string().min(1);
const ruleFile = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: text,
      rules: z.array(
        z.union([
          z.strictObject({ record: text, expr: text }),
          z.strictObject({
            alert: text.regex(/^Alertlore[A-Za-z]+$/u),
            expr: text,
            for: text.regex(/^\d+[mh]$/u),
            labels: z.strictObject({ severity: z.enum(["critical", "warning", "info"]) }),
            annotations: z.strictObject({ summary: text, description: text, runbook: text }),
          }),
        ]),
      ),
    }),
  ),
});

const testFile = z.object({
  tests: z.array(
    z.object({
      alert_rule_test: z
        .array(z.object({ alertname: text, exp_alerts: z.array(z.unknown()) }))
        .default([]),
      promql_expr_test: z.array(z.object({ expr: text })).default([]),
    }),
  ),
});

function readAll<T>(folder: string, schema: z.ZodType<T>): readonly T[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".yml"))
    .map((name) => schema.parse(parse(readFileSync(path.join(folder, name), "utf8"))));
}

const rules = readAll(FOLDER, ruleFile).flatMap(({ groups }) =>
  groups.flatMap((group) => group.rules),
);
const alerts = rules.filter((rule) => "alert" in rule);
const records = rules.filter((rule) => "record" in rule);
const recorded = new Set(records.map(({ record }) => record));
const tests = readAll(path.join(FOLDER, "tests"), testFile).flatMap((file) => file.tests);

describe("rules/prometheus", () => {
  let registry: MetricRegistry;
  beforeAll(async () => {
    registry = await readMetricRegistry();
  });

  it("names only metrics, labels and values that exist", () => {
    const faults = rules.flatMap((rule) => findMetricFaults(rule.expr, registry, recorded));
    expect(faults).toEqual([]);
  });

  it.for([
    ["rate(alertlore_nonsense_total[5m])", "no metric alertlore_nonsense_total"],
    ["job:alertlore_nonsense:rate5m", "no metric job:alertlore_nonsense:rate5m"],
    ['alertlore_deliveries_dead{pod="x"}', "no label pod"],
    ['alertlore_enrichments_total{outcome=~"matched|lost"}', "no outcome lost"],
    ["sum by (team) (alertlore_deliveries_dead)", "no label team"],
  ] as const)("is held to them: %s", ([expression, fault]) => {
    expect(findMetricFaults(expression, registry, recorded).join()).toContain(fault);
  });

  it("has for each alert a test in which it fires and one in which it does not", () => {
    const expectations = tests.flatMap((one) => one.alert_rule_test);
    const untested = alerts.filter(({ alert }) => {
      const own = expectations.filter(({ alertname }) => alertname === alert);
      const fires = own.some((one) => one.exp_alerts.length > 0);
      const stays = own.some((one) => one.exp_alerts.length === 0);
      return !fires || !stays;
    });
    expect(alerts.length).toBeGreaterThan(10);
    expect(untested.map(({ alert }) => alert)).toEqual([]);
  });

  it("has a test for each recorded metric", () => {
    const asked = new Set(tests.flatMap((one) => one.promql_expr_test.map(({ expr }) => expr)));
    expect(recorded.size).toBeGreaterThan(5);
    expect([...recorded].filter((record) => !asked.has(record))).toEqual([]);
  });

  it("leads from each alert to its place in docs/runbook.md, and has no other place there", () => {
    const page = readFileSync(path.join(repositoryRoot, "docs/runbook.md"), "utf8");
    const places = [...page.matchAll(/^## (Alertlore\w+)$/gmu)].map(([, name = ""]) => name);
    expect(places.toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
    expect(alerts.map(({ annotations }) => annotations.runbook)).toEqual(
      alerts.map(({ alert }) => `docs/runbook.md#${alert.toLowerCase()}`),
    );
  });
});
