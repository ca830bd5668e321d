import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startFakeLoki } from "../support/fake-loki.ts";
import type { FakeLoki } from "../support/fake-loki.ts";
import { HOSTILE_VALUES } from "../support/hostile-values.ts";
import { pushLines } from "../support/push-lines.ts";
import { readQuery } from "../support/read-selector.ts";
import { startWithLoki } from "../support/start-with-loki.ts";
import type { ServiceWithLoki } from "../support/start-with-loki.ts";

let loki: FakeLoki;
let service: ServiceWithLoki | undefined;

beforeEach(async () => {
  loki = await startFakeLoki();
  // Loki's label names are asked for first: without a stream there is none to ask by.
  await pushLines(loki.url, { namespace: "rw", pod: "x" }, [["1773480461120331001", "x"]]);
});

afterEach(async () => {
  await service?.stop();
  service = undefined;
  await loki.stop();
});

describe("hostile labels", () => {
  it("never change the structure of a query that is sent", async () => {
    const running = await startWithLoki(
      loki.url,
      `loki: { url: "LOKI", queries_per_minute: 10000, late: { enabled: false } }
select: { queries: { configured: [{ match: 'team="a"', query: '{pod=~"(a|{{ .Labels.pod }})"} |= {{ .Labels.pod }}' }] } }`,
    );
    service = running;
    const queriesFor = async (value: string) => {
      // Longer than an answer serves equal questions.
      running.clock.advance(20_000);
      const before = loki.queries().length;
      await running.post([{ labels: { alertname: "A", namespace: "rw", team: "a", pod: value } }]);
      return loki.queries().slice(before).map(readQuery);
    };
    const plain = await queriesFor("plain");
    expect(plain.map(({ matchers }) => matchers.map(({ name }) => name).join())).toEqual([
      "pod",
      "pod",
      "namespace,pod",
      "namespace,pod",
    ]);
    for (const value of HOSTILE_VALUES) {
      const sent = await queriesFor(value);
      const [wellFormed, expected] =
        value.length > 2048
          ? ["", await queriesFor("")]
          : [value.replaceAll(/\p{Surrogate}/gu, "\ufffd"), plain];
      expect(sent.map(({ structure }) => structure)).toEqual(
        expected.map(({ structure }) => structure),
      );
      const literals = sent.flatMap(({ matchers, filters }) => [...matchers, ...filters]);
      const asPlain = expected.flatMap(({ matchers, filters }) => [...matchers, ...filters]);
      for (const [index, { operator, value: text }] of literals.entries()) {
        const model = asPlain[index]?.value ?? "";
        // Within an expression the value stands for itself.
        const isExpression = operator === "=~" && model !== "plain";
        const shown = isExpression
          ? wellFormed.replaceAll(/[\\.+*?()|[\]{}^$]/gu, "\\$&")
          : wellFormed;
        expect(text).toBe(model.replaceAll("plain", () => shown));
      }
    }
  });
});

describe("the range", () => {
  const at = (time: string) => `${Date.parse(time)}000000`;
  // Now is 09:31; for and lookback are 5 min each, lag is 10 s.
  it.each<[what: string, startsAt: string, settings: string, range: [string, string]]>([
    ["reaches from before the alert to now", "2026-03-14T09:20:00Z", "", ["09:10:00", "09:31:10"]],
    ["that is too long keeps its start", "2026-03-14T05:30:00Z", "", ["05:20:00", "06:20:00"]],
    ["counts a start in the future as now", "2027-01-01T00:00:00Z", "", ["09:21:00", "09:31:10"]],
    ["counts a start at zero as now", "0001-01-01T00:00:00Z", "", ["09:21:00", "09:31:10"]],
    [
      "follows the settings",
      "2026-03-14T09:20:00Z",
      "for: 1m, lookback: 2m, lag: 3s",
      ["09:17:00", "09:31:03"],
    ],
  ])("%s", async (_what, startsAt, settings, range) => {
    service = await startWithLoki(
      loki.url,
      `loki: { url: "LOKI" }\nselect: { queries: { error_filter: "", ${settings} } }`,
    );
    await service.post([{ labels: { alertname: "A", pod: "a" }, startsAt }]);
    const asked = loki.requests.find(({ path }) => path.endsWith("/query_range"))?.parameters;
    expect([asked?.get("start"), asked?.get("end")]).toEqual(
      range.map((time) => at(`2026-03-14T${time}Z`)),
    );
  });

  it("of a repeat that is too long keeps its end", async () => {
    service = await startWithLoki(
      loki.url,
      'loki: { url: "LOKI" }\nselect: { queries: { error_filter: "", lookback: 3h } }',
    );
    const alert = { labels: { alertname: "A", pod: "a" } };
    await service.post([alert]);
    service.clock.advance(3_600_000);
    await service.post([alert]);
    const asked = loki.requests.filter(({ path }) => path.endsWith("/query_range"));
    expect(asked.at(-1)?.parameters.get("end")).toBe(at("2026-03-14T10:31:10Z"));
    expect(asked.at(-1)?.parameters.get("start")).toBe(at("2026-03-14T09:31:10Z"));
  });
});
