import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parser } from "@grafana/lezer-logql";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { LOKI_RULE_DEFAULTS, makeLokiRules } from "../../../bench/tools/make-loki-rules.ts";
import type { LokiRuleFile } from "../../../bench/tools/make-loki-rules.ts";
import type { KnownError } from "../../../src/record/known-error.ts";
import { planQueries } from "../../../src/select/plan-queries.ts";
import { buildAlert } from "../../support/build-alert.ts";
import { buildRecord } from "../../support/build-record.ts";
import { parseFakeLokiQuery } from "../../support/fake-loki-query.ts";
import { HOSTILE_VALUES } from "../../support/hostile-values.ts";
import { readQuery } from "../../support/read-selector.ts";
import { repositoryRoot } from "../../support/shared.ts";
import {
  listStarterRepos,
  loadStarterRecords,
  readStarterCases,
} from "../../support/starter-corpus.ts";

const FOLDER = path.join(repositoryRoot, "rules/loki");

const ruleFile = z.strictObject({
  groups: z.tuple([
    z.strictObject({
      name: z.string(),
      interval: z.literal("1m"),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^[A-Z][A-Za-z0-9_]*$/u),
          expr: z.string(),
          labels: z.strictObject({ severity: z.enum(["critical", "warning", "info"]) }),
          annotations: z.strictObject({
            summary: z.string(),
            description: z.string(),
            logql: z.string(),
          }),
        }),
      ),
    }),
  ]),
});
type Rule = z.infer<typeof ruleFile>["groups"][0]["rules"][number];

let records: readonly KnownError[] = [];
let made: readonly LokiRuleFile[] = [];

beforeAll(async () => {
  records = (await loadStarterRecords()).records.map(({ record }) => record);
  made = makeLokiRules(records, LOKI_RULE_DEFAULTS);
});

const rulesOf = (files: readonly LokiRuleFile[]): readonly Rule[] =>
  files.flatMap(({ text }) => ruleFile.parse(parse(text)).groups[0].rules);

/** What the ruler's template engine makes of an annotation. */
function expand(text: string, labels: Readonly<Record<string, string>>): string {
  return text.replace(
    /\{\{"\{\{"\}\}|\{\{ \$labels\.(\w+) \| printf "%q" \}\}/gu,
    (_all, name?: string) => (name === undefined ? "{{" : JSON.stringify(labels[name] ?? "")),
  );
}

const explore = (expression: string) => {
  const left = JSON.stringify({ queries: [{ expr: expression, queryType: "range" }] });
  return `https://grafana.test/explore?${new URLSearchParams({ left }).toString()}`;
};

/** The steps that Alertlore plans for an alert of the rule from such a stream. */
function planOf({ alert: alertname, expr, labels, annotations }: Rule, stream: object) {
  const ofStream = stream as Readonly<Record<string, string>>;
  const alert = {
    ...buildAlert({
      labels: { alertname, ...ofStream, ...labels },
      annotations: { logql: expand(annotations.logql, ofStream) },
    }),
    generatorURL: explore(expr),
  };
  const options = { annotation: "logql", rule: true, configured: [], byLabels: false };
  return planQueries(alert, new Set(Object.keys(ofStream)), { ...options, errorFilter: "" });
}

describe("rules/loki", () => {
  it("holds what the script makes of the starter records, and nothing else", () => {
    expect(made.map(({ name }) => name).sort()).toEqual(readdirSync(FOLDER).sort());
    for (const { name, text } of made) {
      expect(readFileSync(path.join(FOLDER, name), "utf8"), name).toBe(text);
    }
  });

  it("has a rule for each record, each with a name of its own", () => {
    const names = rulesOf(made).map(({ alert }) => alert);
    expect(names).toHaveLength(records.length);
    expect(new Set(names).size).toBe(names.length);
  });

  it("is LogQL without a fault, and asks for a metric", () => {
    const broken = rulesOf(made).filter(({ expr }) => {
      const tree = parser.parse(expr);
      const names: string[] = [];
      tree.iterate({ enter: (node) => void names.push(node.type.isError ? "⚠" : node.name) });
      return names.includes("⚠") || tree.topNode.firstChild?.firstChild?.name !== "MetricExpr";
    });
    expect(broken).toEqual([]);
  });

  it("keeps the lines that show the record, as Loki has them: line by line, or in one entry", () => {
    const missed = listStarterRepos().flatMap((repo) => {
      const ofRepo = records.filter((record) => record.repo === repo);
      return readStarterCases(repo).flatMap(({ id, positive }) => {
        const record = ofRepo.find((each) => each.id === id);
        if (record === undefined) return [id];
        const [rule] = rulesOf(makeLokiRules([record], LOKI_RULE_DEFAULTS));
        const query = parseFakeLokiQuery(expand(rule?.annotations.logql ?? "", { job: "x" }));
        const isKept = (text: string) =>
          query.keeps(text) || text.split("\n").some((line) => query.keeps(line));
        return positive.filter((text) => !isKept(text)).map((text) => `${id}: ${text}`);
      });
    });
    expect(missed).toEqual([]);
  });

  it("is not set off by a log line that quotes the rule or the query of its alert", () => {
    for (const { expr, annotations } of rulesOf(made)) {
      const logql = expand(annotations.logql, { job: "loki" });
      const read = parseFakeLokiQuery(logql);
      for (const text of [expr, logql]) {
        expect(read.keeps(`level=info component=querier query=${JSON.stringify(text)}`)).toBe(
          false,
        );
      }
    }
  });

  it("leads Alertlore to the very query of the annotation, then to the rule's own", () => {
    const stream = { namespace: "rw", pod: "meta-0", job: "rw/meta" };
    for (const rule of rulesOf(made)) {
      const [query, ofRule] = planOf(rule, stream);
      expect(query).toMatchObject({
        provenance: "query",
        queries: [expand(rule.annotations.logql, stream)],
      });
      expect(ofRule?.provenance, rule.alert).toBe("rule");
      const { matchers } = readQuery(ofRule?.queries[0] ?? "");
      expect(matchers.map(({ name, value }) => [name, value])).toEqual([
        ["job", ".+"],
        ...Object.entries(stream),
      ]);
      const filters = (text: string) => text.slice(text.indexOf("} ") + 1).trim();
      expect(rule.expr).toContain(`} ${filters(ofRule?.queries[0] ?? "")} [5m]`);
    }
  });
});

describe("a rule for a record", () => {
  it.each(HOSTILE_VALUES.map((value) => [value.slice(0, 500)]))(
    "looks for parts of its message alone, whatever that holds: %j",
    (value) => {
      const errorMessage = `tape ${value} jammed while rewinding`;
      const { record } = buildRecord(1, {
        errorMessage,
        messagePattern: errorMessage,
        filePath: "unknown",
        documentation: value,
      });
      const [rule] = rulesOf(makeLokiRules([record], LOKI_RULE_DEFAULTS));
      const { filters, matchers } = readQuery(rule?.expr ?? "");
      expect(filters.at(-1)).toEqual({ operator: "!=", value: "count_over_time" });
      const wellFormed = errorMessage.replaceAll(/\p{Surrogate}/gu, "\ufffd");
      for (const filter of filters.slice(0, -1)) {
        expect(filter.operator).toBe("|=");
        expect(wellFormed).toContain(filter.value);
      }
      expect(matchers).toEqual([{ name: "job", operator: "=~", value: ".+" }]);
      const logql = expand(rule?.annotations.logql ?? "", { job: value });
      expect(readQuery(logql).filters).toEqual(filters);
      expect(expand(rule?.annotations.description ?? "", {})).toBe(value);
    },
  );

  it("takes a selector and labels of the installation", () => {
    const { record } = buildRecord(1);
    const [rule] = rulesOf(makeLokiRules([record], { selector: '{app="engine"}', by: ["pod"] }));
    const filters = '|= "cannot write checkpoint" |= "lease expired" != "count_over_time"';
    expect(rule?.expr).toBe(`sum by (pod) (count_over_time({app="engine"} ${filters} [5m])) > 0`);
    expect(expand(rule?.annotations.logql ?? "", { pod: "a-0" })).toBe(
      `{app="engine", pod="a-0"} ${filters}`,
    );
  });
});
