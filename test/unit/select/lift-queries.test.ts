import { describe, expect, it } from "vitest";
import { liftQueries } from "../../../src/select/lift-queries.ts";

const shown = (expression: string) =>
  liftQueries(expression)?.queries.map(({ matchers, filters, rangeMs, offsetMs }) => {
    const selector = `{${matchers.map(({ text }) => text).join(",")}}`;
    return [[selector, ...filters].join(" "), rangeMs, offsetMs];
  });

describe("lifting log queries out of a rule's expression", () => {
  it.each<[what: string, expression: string, queries: unknown]>([
    [
      "a count",
      'sum by (pod) (count_over_time({ns="rw"} |= "x" [5m])) > 0',
      [['{ns="rw"} |= "x"', 300_000, 0]],
    ],
    ["a log query", '{a="b", c=~`x.*`} |= "y"', [['{a="b",c=~`x.*`} |= "y"', 0, 0]]],
    [
      "several selectors",
      'rate({a="1"}[5m]) / rate({a="2"} |~ "x" [1h30m])',
      [
        ['{a="1"}', 300_000, 0],
        ['{a="2"} |~ "x"', 5_400_000, 0],
      ],
    ],
    ["one selector twice", 'rate({a="1"}[5m]) / rate({a="1"}[5m])', [['{a="1"}', 300_000, 0]]],
    ["an offset", 'count_over_time({a="1"}[5m] offset 1m)', [['{a="1"}', 300_000, 60_000]]],
    [
      "unwrap",
      'sum_over_time({a="1"} |= "x" | logfmt | unwrap ms [1m])',
      [['{a="1"} |= "x"', 60_000, 0]],
    ],
    [
      "label filters",
      'rate({a="1"} | json | level="error" | d > 10s [1m])',
      [['{a="1"}', 60_000, 0]],
    ],
    [
      "filters behind a parser",
      'rate({a="1"} |= "x" | logfmt |= "y" [1m])',
      [['{a="1"} |= "x" |= "y"', 60_000, 0]],
    ],
    [
      "filters behind line_format",
      'rate({a="1"} |= "x" | line_format "{{.m}}" |= "y" [1m])',
      [['{a="1"} |= "x"', 60_000, 0]],
    ],
    [
      "filters joined by or",
      '{a="1"} |= "x" or "y" != `z`',
      [['{a="1"} |= "x" or "y" != `z`', 0, 0]],
    ],
    [
      "binary operations with modifiers",
      '(rate({a="1"}[1m]) > bool 0) and on(pod) rate({b="2"}[1m])',
      [
        ['{a="1"}', 60_000, 0],
        ['{b="2"}', 60_000, 0],
      ],
    ],
    [
      "nested aggregations",
      'topk(5, avg without (x) (rate({a="1"}[1m])))',
      [['{a="1"}', 60_000, 0]],
    ],
    [
      "text that looks like a selector",
      'rate({a="1"} |= "{b=\\"2\\"}" [1m])',
      [['{a="1"} |= "{b=\\"2\\"}"', 60_000, 0]],
    ],
    ["PromQL", 'rate(http_requests_total{code="500"}[5m]) > 1', undefined],
    ["a PromQL comparison", 'up{job="x"} == 0', undefined],
    ["no query", "hello world", undefined],
    ["half a query", '{a="1"', undefined],
    ["no logs", "vector(1)", undefined],
    ["nothing", "", undefined],
  ])("reads %s", (_what, expression, queries) => {
    expect(shown(expression)).toEqual(queries);
  });

  it("tells which labels the result keeps", () => {
    const lifted = liftQueries(
      'sum by (pod, ns) (rate({a="1"}[1m])) / sum without (x) (rate({a="1"}[1m]))',
    );
    expect([...(lifted?.grouping ?? [])]).toEqual(["pod", "ns"]);
  });
});
