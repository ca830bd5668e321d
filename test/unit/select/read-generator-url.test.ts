import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readGeneratorUrl } from "../../../src/select/read-generator-url.ts";
import { requireShared } from "../../support/shared.ts";

const EXPR = 'sum(count_over_time({a="b"} |= "x y+z%" [5m])) > 0';
const left = JSON.stringify({ queries: [{ expr: EXPR, queryType: "range" }] });
const panes = JSON.stringify({
  xyz: { datasource: "loki", queries: [{ refId: "A", expr: EXPR }] },
});
const of = (name: string, value: string) => new URLSearchParams({ [name]: value }).toString();

describe("links to a rule", () => {
  it.each<[what: string, url: string, expressions: string[]]>([
    ["an old Explore link", `https://grafana.test/explore?${of("left", left)}`, [EXPR]],
    [
      "a current Explore link",
      `https://grafana.test/sub/explore?schemaVersion=1&${of("panes", panes)}`,
      [EXPR],
    ],
    [
      "the array form of Grafana 6",
      `/explore?${of("left", JSON.stringify(["now-1h", "now", "Loki", { expr: EXPR }]))}`,
      [EXPR],
    ],
    [
      "a ruler's link without external URL, half encoded",
      `/explore?left={"queries":[%7B%22expr%22%3A%22rate%28%7Ba%3D%5C%22b%5C%22%7D%5B1m%5D%29%22%7D]}`,
      ['rate({a="b"}[1m])'],
    ],
    ["Prometheus's graph", `http://prom.test/graph?${of("g0.expr", EXPR)}&g0.tab=1`, [EXPR]],
    ["a Grafana rule", "https://grafana.test/alerting/grafana/abc/view?orgId=1", []],
    ["broken JSON", "https://grafana.test/explore?left=%7B", []],
    [
      "JSON of another shape",
      `https://grafana.test/explore?${of("left", '{"queries":{"expr":1}}')}`,
      [],
    ],
    ["null", `https://grafana.test/explore?${of("left", "null")}`, []],
    ["no URL", "http://[", []],
    ["nothing", "", []],
  ])("give the expressions of %s", (_what, url, expressions) => {
    expect(readGeneratorUrl(url)).toEqual(expressions);
  });

  it("give that of Loki's ruler", (context) => {
    const file = requireShared(context, "contracts/samples/am-api-post-loki-ruler.json");
    const [alert] = JSON.parse(readFileSync(file, "utf8")) as { generatorURL: string }[];
    expect(readGeneratorUrl(alert?.generatorURL ?? "")).toEqual([
      'sum by (namespace, pod, container) (count_over_time({namespace="risingwave"} |= "Checksum mismatch" [5m])) > 0',
    ]);
  });
});
