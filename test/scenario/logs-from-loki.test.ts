import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startFakeLoki } from "../support/fake-loki.ts";
import type { FakeLoki, Misbehaviour } from "../support/fake-loki.ts";
import { pushLines } from "../support/push-lines.ts";
import { KNOWN_LINE, startWithLoki } from "../support/start-with-loki.ts";
import type { PostedAlert, ServiceWithLoki } from "../support/start-with-loki.ts";

let loki: FakeLoki;
let service: ServiceWithLoki | undefined;

beforeEach(async () => {
  loki = await startFakeLoki();
});

afterEach(async () => {
  await service?.stop();
  service = undefined;
  await loki.stop();
});

const LINE = KNOWN_LINE;
const LABELS = { namespace: "rw", pod: "meta-0" };
const at = (time: string) => `${Date.parse(time)}000001`;
const push = (labels: Record<string, string>, line = LINE, tenant?: string) =>
  pushLines(loki.url, labels, [[at("2026-03-14T09:29:58Z"), line]], tenant);
const RULE = 'sum by (namespace, pod) (count_over_time({namespace="rw"} |= "aborted" [5m])) > 0';
const left = JSON.stringify({ queries: [{ expr: RULE, queryType: "range" }] });
const fromRuler: PostedAlert = {
  labels: { alertname: "CheckpointFailed", ...LABELS, severity: "critical" },
  generatorURL: `https://grafana.test/explore?${new URLSearchParams({ left }).toString()}`,
};

describe("an alert of Loki's ruler", () => {
  it("is explained by the lines its rule counted, and links to them in Explore", async () => {
    await push(LABELS);
    service = await startWithLoki(loki.url);
    const [annotations] = await service.post([fromRuler]);
    expect(annotations).toMatchObject({ error_outcome: "matched", error_log: LINE });
    expect(annotations?.["error_record"]).toContain("acme/engine");
    expect(loki.queries()).toEqual(['{namespace="rw", pod="meta-0"} |= "aborted"']);
    const link = new URL(annotations?.["error_logs_url"] ?? "");
    expect(link.origin + link.pathname).toBe("https://grafana.test/explore");
    expect(link.searchParams.get("schemaVersion")).toBe("1");
    expect(JSON.parse(link.searchParams.get("panes") ?? "")).toEqual({
      logs: {
        datasource: "loki-prod",
        queries: [
          {
            refId: "A",
            datasource: { type: "loki", uid: "loki-prod" },
            expr: '{namespace="rw", pod="meta-0"} |= "aborted"',
            queryType: "range",
          },
        ],
        // 09:30:00 less for, range of the rule and lookback (5 min each); now 09:31:00 plus lag.
        range: {
          from: String(Date.parse("2026-03-14T09:15:00Z")),
          to: String(Date.parse("2026-03-14T09:31:10Z")),
        },
      },
    });
  });

  it("asks once for alerts that share selector and window", async () => {
    await push(LABELS);
    service = await startWithLoki(loki.url);
    const alerts = Array.from({ length: 30 }, (_, index) => ({
      ...fromRuler,
      labels: { ...fromRuler.labels, check: String(index) },
    }));
    const posted = await service.post(alerts);
    expect(posted.map((annotations) => annotations["error_outcome"])).toEqual(
      alerts.map(() => "matched"),
    );
    expect(loki.queries()).toHaveLength(1);
  });
});

describe("provenance", () => {
  it.each<[provenance: string, alert: PostedAlert, retry: RegExp]>([
    [
      "query",
      { labels: { alertname: "A" }, annotations: { logql: '{pod="meta-0"}' } },
      /^retry_after_fix|^retry|^investigate/u,
    ],
    ["pinned", { labels: { alertname: "A", pod: "meta-0" } }, /./u],
    ["widened", { labels: { alertname: "A", namespace: "rw" } }, /^investigate/u],
  ])("%s leads to a match", async (_provenance, alert, retry) => {
    await push(LABELS);
    service = await startWithLoki(loki.url);
    const [annotations] = await service.post([alert]);
    expect(annotations?.["error_outcome"]).toBe("matched");
    expect(annotations?.["error_retry"]).toMatch(retry);
  });

  it("drops an error filter that finds nothing", async () => {
    await push(LABELS);
    service = await startWithLoki(
      loki.url,
      `loki: { url: "LOKI" }\nselect: { queries: { error_filter: "zzz" } }`,
    );
    const [annotations] = await service.post([{ labels: { alertname: "A", pod: "meta-0" } }]);
    expect(annotations).toMatchObject({ error_outcome: "matched" });
    expect(loki.queries()).toEqual(['{pod="meta-0"} |~ "zzz"', '{pod="meta-0"}']);
  });

  it("takes configured queries before labels", async () => {
    await push({ app: "engine", pod: "meta-0" });
    const yaml = `loki: { url: "LOKI" }
select: { queries: { error_filter: "", configured: [{ match: 'alertname="A"', query: '{app="engine", pod="{{ .Labels.pod }}"}' }] } }`;
    service = await startWithLoki(loki.url, yaml);
    const [annotations] = await service.post([{ labels: { alertname: "A", pod: "meta-0" } }]);
    expect(annotations).toMatchObject({ error_outcome: "matched" });
    expect(loki.queries()).toEqual(['{app="engine", pod="meta-0"}']);
  });

  it("does not ask when the alert carries log lines", async () => {
    service = await startWithLoki(loki.url);
    const annotations = { log_excerpt: LINE };
    const [got] = await service.post([{ labels: { alertname: "A", pod: "meta-0" }, annotations }]);
    expect(got).toMatchObject({ error_outcome: "matched" });
    expect(loki.requests).toEqual([]);
  });
});

describe("tenants", () => {
  it("come from the allow-listed header, and only one that is allowed", async () => {
    await loki.stop();
    loki = await startFakeLoki({ tenants: true });
    await push(LABELS, LINE, "t1");
    const yaml = 'loki: { url: "LOKI", tenant_header: X-Scope-OrgID, allowed_tenants: [t1] }';
    service = await startWithLoki(loki.url, yaml);
    const outcomes: unknown[] = [];
    for (const tenant of ["t1", "t2", "t1|t2"]) {
      const labels = { alertname: "A", pod: "meta-0", for: tenant.replace("|", "-") };
      const [annotations] = await service.post([{ labels }], { "x-scope-orgid": tenant });
      outcomes.push(annotations?.["error_outcome"]);
    }
    expect(outcomes).toEqual(["matched", "logs_failed", "logs_failed"]);
    expect(new Set(loki.requests.map(({ headers }) => headers["x-scope-orgid"]))).toEqual(
      new Set(["t1"]),
    );
  });
});

describe("a Loki in trouble", () => {
  const say =
    (status: number, body: string): Misbehaviour =>
    (_request, response) => {
      response.writeHead(status).end(body);
    };
  it.each<[what: string, misbehaviour: Misbehaviour, outcome: string, result: string]>([
    ["throttles", say(429, "too many outstanding requests"), "logs_failed", "throttled"],
    ["answers garbage", say(200, "{{{"), "logs_failed", "server"],
    ["is not ready", say(503, "Ingester not ready"), "logs_failed", "server"],
    ["wants other credentials", say(401, "<html>"), "logs_failed", "unauthorized"],
    ["reads no query", say(400, "parse error at line 1, col 2"), "logs_failed", "bad_query"],
    ["wants a tenant", say(401, "no org id\n"), "logs_failed", "no_tenant"],
    ["is slower than its gateway", say(504, "request timed out"), "logs_failed", "timeout"],
    ["hangs", () => undefined, "deadline", "timeout"],
    [
      "answers 100 MB",
      (_request, response) => {
        response.end(Buffer.alloc(100 * 2 ** 20, "x"));
      },
      "logs_failed",
      "too_large",
    ],
  ])("that %s lets the alert go with its outcome", async (_what, misbehaviour, outcome, result) => {
    loki.misbehave(misbehaviour);
    const slow =
      outcome === "deadline" ? "webhook: { deadline: 50ms }\n" : "webhook: { deadline: 20s }\n";
    service = await startWithLoki(loki.url, `${slow}loki: { url: "LOKI", timeout: 60s }`);
    const [annotations] = await service.post([{ labels: { alertname: "A", pod: "meta-0" } }]);
    expect(annotations?.["error_outcome"]).toBe(outcome);
    if (outcome === "deadline") return;
    const [sample] = await service.metrics(`alertlore_loki_queries_total{result="${result}"}`);
    expect(Number(sample?.split(" ").at(-1))).toBeGreaterThan(0);
  });

  it("is unreachable when it is dead, and matches prose all the same", async () => {
    service = await startWithLoki("http://127.0.0.1:1");
    const labels = { alertname: "A", pod: "meta-0" };
    const annotations = { description: LINE };
    const [bare] = await service.post([{ labels }]);
    const [prose] = await service.post([{ labels: { ...labels, b: "1" }, annotations }]);
    expect(bare?.["error_outcome"]).toBe("logs_failed");
    expect(prose?.["error_outcome"]).toBe("matched");
    expect(await service.metrics("alertlore_loki_up")).toEqual(["alertlore_loki_up 0"]);
  });

  // 20,000 with ALERTLORE_LONG=1.
  const alerts = process.env["ALERTLORE_LONG"] === "1" ? 20_000 : 2_000;
  it(`is sent no more than the budget for ${alerts} alerts`, { timeout: 120_000 }, async () => {
    loki.misbehave(say(500, "rpc error: code = Unavailable"));
    const yaml = 'loki: { url: "LOKI", queries_per_minute: 50, breaker: { failures: 1000 } }';
    service = await startWithLoki(loki.url, `webhook: { deadline: 60s }\n${yaml}`);
    const outcomes = new Set<string | undefined>();
    for (let done = 0; done < alerts; done += 500) {
      const group = Array.from({ length: 500 }, (_, index) => ({
        labels: { alertname: "A", pod: `pod-${done + index}` },
      }));
      for (const annotations of await service.post(group))
        outcomes.add(annotations["error_outcome"]);
    }
    expect([...outcomes]).toEqual(["logs_failed"]);
    expect(loki.requests).toHaveLength(50);
  });
});

describe("no logs", () => {
  it("is the outcome when Loki has none", async () => {
    service = await startWithLoki(loki.url);
    await push({ pod: "other" });
    const [annotations] = await service.post([
      { labels: { alertname: "A", pod: "meta-0" }, annotations: { summary: "all is lost" } },
    ]);
    expect(annotations?.["error_outcome"]).toBe("no_logs");
  });
});
