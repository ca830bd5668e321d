import { describe, expect, it } from "vitest";
import { parseLabelMatchers } from "../../../src/alert/label-matcher.ts";
import { parseQueryTemplate } from "../../../src/log/query-template.ts";
import { planQueries } from "../../../src/select/plan-queries.ts";
import type { PlanOptions } from "../../../src/select/plan-queries.ts";
import { buildAlert } from "../../support/build-alert.ts";
import { HOSTILE_VALUES } from "../../support/hostile-values.ts";
import { readQuery } from "../../support/read-selector.ts";

const options: PlanOptions = {
  annotation: "logql",
  rule: true,
  configured: [],
  byLabels: true,
  errorFilter: "",
};
const KNOWN = new Set(["namespace", "pod", "container", "app", "cluster"]);
const RULE = 'sum by (pod) (count_over_time({namespace="rw"} |= "x" [5m])) > 0';
const ruleUrl = (expression: string) =>
  `http://p.test/graph?${new URLSearchParams({ "g0.expr": expression }).toString()}`;

type Wishes = Partial<PlanOptions> & {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly generatorURL?: string;
  readonly known?: ReadonlySet<string> | null;
};

function plan({
  labels = {},
  annotations = {},
  generatorURL = "",
  known = KNOWN,
  ...rest
}: Wishes): string[] {
  const alert = { ...buildAlert({ labels, annotations }), generatorURL };
  return planQueries(alert, known ?? undefined, { ...options, ...rest }).map(
    ({ provenance, queries }) => `${provenance}: ${queries.join(" & ")}`,
  );
}

const pod = { pod: "a-0", namespace: "rw", alertname: "X", severity: "page" };
const configured = [
  {
    match: parseLabelMatchers('severity="none"'),
    query: parseQueryTemplate('{never="{{ .Labels.pod }}"}'),
  },
  {
    match: parseLabelMatchers('severity="page"'),
    query: parseQueryTemplate('{app="x", pod="{{ .Labels.pod }}"}'),
  },
];

describe("plan", () => {
  it.each<[what: string, wishes: Wishes, steps: string[]]>([
    [
      "annotation, rule, configured, labels, in this order",
      {
        labels: pod,
        annotations: { logql: '{q="1"} | json' },
        generatorURL: ruleUrl(RULE),
        configured,
      },
      [
        'query: {q="1"} | json',
        'rule: {namespace="rw", pod="a-0"} |= "x"',
        'widened: {namespace="rw"} |= "x"',
        'pinned: {app="x", pod="a-0"}',
        'pinned: {namespace="rw", pod="a-0"}',
      ],
    ],
    [
      "no annotation when it is switched off",
      { annotations: { logql: '{q="1"}' }, annotation: undefined },
      [],
    ],
    ["no rule when it is switched off", { generatorURL: ruleUrl(RULE), rule: false }, []],
    ["nothing by labels when it is switched off", { labels: pod, byLabels: false }, []],
    [
      "what a metric query in the annotation is about",
      { annotations: { logql: RULE } },
      ['query: {namespace="rw"} |= "x"'],
    ],
    ["nothing for an annotation that is no LogQL", { annotations: { logql: "see the wiki" } }, []],
    ["nothing for a rule in PromQL", { generatorURL: ruleUrl('up{job="x"} == 0') }, []],
    [
      "a rule with several selectors as one step",
      { generatorURL: ruleUrl('rate({a="1"}[1m]) / rate({b="2"}[1m])') },
      ['rule: {a="1"} & {b="2"}'],
    ],
    [
      "pins of the grouping alone when Loki's labels are not known",
      { labels: pod, generatorURL: ruleUrl(RULE), known: null, byLabels: false },
      ['rule: {namespace="rw", pod="a-0"} |= "x"', 'widened: {namespace="rw"} |= "x"'],
    ],
    [
      "no pin that the selector has",
      { labels: { namespace: "other" }, generatorURL: ruleUrl(RULE), byLabels: false },
      ['rule: {namespace="rw"} |= "x"'],
    ],
    [
      "a wide query for a service",
      { labels: { namespace: "rw", app: "web" } },
      ['widened: {namespace="rw", app="web"}'],
    ],
    [
      "a pinned one first, then a wide one",
      { labels: { ...pod, app: "web" } },
      ['pinned: {namespace="rw", pod="a-0"}', 'widened: {namespace="rw", app="web"}'],
    ],
    [
      "the pod meant, not the exporter's",
      { labels: { pod: "exporter", exported_pod: "a-0", container: "kube-state-metrics" } },
      ['pinned: {pod="a-0", container="kube-state-metrics"}'],
    ],
    [
      "Loki's name for a label",
      { labels: { pod: "a-0" }, known: new Set(["k8s_pod_name"]) },
      ['pinned: {k8s_pod_name="a-0"}'],
    ],
    [
      "an instance without its port where streams know hosts",
      { labels: { instance: "web1:9100" }, known: new Set(["host"]) },
      ['pinned: {host="web1"}'],
    ],
    [
      "usual names when Loki's labels are not known, cluster left out",
      { labels: { ...pod, cluster: "c" }, known: null },
      ['pinned: {namespace="rw", pod="a-0"}'],
    ],
    [
      "nothing without a label that streams have",
      { labels: { alertname: "X", severity: "page" } },
      [],
    ],
    ["nothing where Loki has no label", { labels: pod, known: new Set() }, []],
    [
      "the error filter first, and then no filter",
      { labels: { pod: "a-0" }, errorFilter: "(?i)error" },
      ['pinned: {pod="a-0"} |~ "(?i)error"', 'widened: {pod="a-0"}'],
    ],
    [
      "the error filter on a rule that has none",
      { generatorURL: ruleUrl('rate({a="1"}[1m])'), errorFilter: "err" },
      ['rule: {a="1"} |~ "err"', 'rule: {a="1"}'],
    ],
    [
      "no error filter on a rule that filters",
      { generatorURL: ruleUrl(RULE), errorFilter: "err" },
      ['rule: {namespace="rw"} |= "x"'],
    ],
  ])("holds %s", (_what, wishes, steps) => {
    expect(plan(wishes)).toEqual(steps);
  });

  it("tells how far the rule looks back", () => {
    const alert = {
      ...buildAlert(),
      generatorURL: ruleUrl('count_over_time({a="1"}[5m] offset 1m) > 0'),
    };
    expect(planQueries(alert, KNOWN, options)[0]).toMatchObject({
      ruleRangeMs: 300_000,
      offsetMs: 60_000,
    });
  });

  it("never selects by a word that LogQL reserves", () => {
    const known = new Set(["json", "Pattern", "a-b", "ok"]);
    const labels = { json: "1", Pattern: "2", "a-b": "3", ok: "4" };
    expect(plan({ labels, known, generatorURL: ruleUrl('rate({x="y"}[1m])') })[0]).toBe(
      'rule: {x="y", ok="4"}',
    );
  });
});

describe("hostile labels", () => {
  it.each(HOSTILE_VALUES.map((value) => [value]))(
    "never change a query's structure: %j",
    (value) => {
      const of = (text: string) => {
        const labels = { pod: text, namespace: text, app: text, severity: "page" };
        const alert = {
          ...buildAlert({ labels }),
          generatorURL: ruleUrl('rate({a="1"} |= "x" [1m])'),
        };
        return planQueries(alert, KNOWN, { ...options, configured, errorFilter: "err" }).flatMap(
          ({ queries }) => queries,
        );
      };
      const queries = of(value);
      if (value.length > 2048) {
        expect(queries).toEqual(['{a="1"} |= "x"']);
        return;
      }
      const [read, plain] = [queries.map(readQuery), of("plain").map(readQuery)];
      expect(read.map(({ structure }) => structure)).toEqual(
        plain.map(({ structure }) => structure),
      );
      const wellFormed = value.replace(/\p{Surrogate}/gu, "\ufffd");
      const expected = plain.map(({ matchers }) =>
        matchers.map((matcher) =>
          matcher.value === "plain" ? { ...matcher, value: wellFormed } : matcher,
        ),
      );
      expect(read.map(({ matchers }) => matchers)).toEqual(expected);
    },
  );
});
