import { gzipSync } from "node:zlib";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { KNOWN_LINE } from "../support/create-kit.ts";
import { createTestService } from "../support/create-test-service.ts";
import type { TestConfig } from "../support/create-test-service.ts";
import { eventually } from "../support/eventually.ts";
import { startUpstream } from "../support/start-upstream.ts";

const time = (offsetMs: number) => new Date(Date.now() + offsetMs).toISOString();

function buildPosted(wishes: object = {}) {
  return {
    annotations: { summary: "late", log_excerpt: KNOWN_LINE },
    endsAt: time(240_000),
    startsAt: time(-60_000),
    generatorURL: "http://prometheus.test/graph?g0.expr=up&g0.tab=1",
    labels: { alertname: "CheckpointLate", pod: "engine-0" },
    ...wishes,
  };
}

async function startProxy(count = 2, wishes: TestConfig = {}) {
  const upstreams = await Promise.all(Array.from({ length: count }, startUpstream));
  const { proxy = {}, ...rest } = wishes as { proxy?: object };
  const service = await createTestService({
    proxy: {
      upstreams: upstreams.map(({ url }, i) => ({ name: `am-${i}`, url, timeout: "2s" })),
      hold: "2s",
      ...proxy,
    },
    ...rest,
  });
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    request(service.app)
      .post("/api/v2/alerts")
      .set({ "Content-Type": "application/json", ...headers })
      .send(typeof body === "string" ? body : JSON.stringify(body));
  const [first, second] = upstreams;
  if (first === undefined) throw new Error("no upstream");
  return { service, upstreams, first, second: second ?? first, post };
}

describe("a posted alert", () => {
  it("reaches every Alertmanager with its annotations, all else as it came", async () => {
    const { post, upstreams } = await startProxy();
    const posted = buildPosted({ extra: { kept: [1, "two"] } });
    expect((await post([posted])).status).toBe(200);
    for (const { got } of upstreams) {
      const [alert] = got[0]?.alerts ?? [];
      expect(alert?.annotations).toMatchObject({
        summary: "late",
        log_excerpt: KNOWN_LINE,
        error_summary: expect.stringContaining("Known error seen once") as string,
        error_record: expect.stringContaining("acme/engine") as string,
      });
      const annotations = expect.anything() as unknown;
      expect(alert).toEqual({ ...posted, annotations });
    }
  });

  it("carries the same annotations on every re-send", async () => {
    const { post, first } = await startProxy(1);
    for (let i = 0; i < 3; i += 1) await post([buildPosted({ endsAt: time(240_000 + i) })]);
    const [once, ...others] = first.got.map(({ alerts }) => alerts[0]?.annotations);
    expect(others).toEqual([once, once]);
  });

  it("resolves with what was known and without advice", async () => {
    const { post, first } = await startProxy(1);
    await post([buildPosted()]);
    for (let i = 0; i < 2; i += 1) await post([buildPosted({ endsAt: time(-1000) })]);
    const [fired, ...resolved] = first.got.map(({ alerts }) => alerts[0]?.annotations ?? {});
    expect(fired).toHaveProperty("error_retry");
    for (const annotations of resolved) {
      expect(annotations).toHaveProperty("error_record");
      expect(annotations).not.toHaveProperty("error_retry");
    }
  });

  it("loses what somebody else wrote under our prefix", async () => {
    const { post, first } = await startProxy(1);
    const forged = { summary: "x", error_retry: "retry (forged)" };
    await post([buildPosted({ annotations: forged })]);
    expect(first.got[0]?.alerts[0]?.annotations).toEqual({ summary: "x" });
  });

  it("does not stop others when it is broken, and stays in its place", async () => {
    const { post, first } = await startProxy(1);
    const broken = [{ labels: {} }, "no alert", { labels: { a: 1 } }, null];
    await post([...broken, buildPosted()]);
    const { alerts = [] } = first.got[0] ?? {};
    expect(alerts.slice(0, 4)).toEqual(broken);
    expect(alerts[4]?.annotations).toHaveProperty("error_summary");
  });

  it("is taken packed, and goes on unpacked", async () => {
    const { service, first } = await startProxy(1);
    const response = await request(service.app)
      .post("/api/v2/alerts")
      .set({ "Content-Type": "application/json", "Content-Encoding": "gzip" })
      .serialize((body: unknown) => body as string)
      .send(gzipSync(JSON.stringify([buildPosted()])));
    expect(response.status).toBe(200);
    expect(first.got[0]?.alerts[0]?.annotations).toHaveProperty("error_summary");
    expect(first.got[0]?.headers["content-encoding"]).toBeUndefined();
  });

  it("is looked up where it was seen before, whichever process has seen it", async () => {
    const { post, service, first } = await startProxy(1, { proxy: { hold: "0s" } });
    await post([buildPosted()]);
    await eventually(() => (first.got.length > 1 ? true : undefined), { what: "the push" });
    await service.reload();
    await post([buildPosted({ endsAt: time(241_000) })]);
    expect(first.got.at(-1)?.alerts[0]?.annotations).toHaveProperty("error_summary");
  });
});

describe("bytes go on as they came", () => {
  const spelled = '[ {"labels":{"alertname":"Watchdog"},  "annotations":{"a":"\\u00e9"}} ]';
  it.each([
    ["when nothing is added", spelled, {}],
    ["when they are no JSON", "[{", {}],
    ["when they are no array", '{"labels":{}}', {}],
    ["in mode off", JSON.stringify([buildPosted()]), { enrich: { mode: "off" } }],
    ["in mode shadow", JSON.stringify([buildPosted()]), { enrich: { mode: "shadow" } }],
    [
      "over the limit",
      JSON.stringify([buildPosted()]).padEnd(3000),
      { web: { max_body_size: "1KiB" } },
    ],
  ])("%s", async (_, body, config) => {
    const { post, upstreams } = await startProxy(2, config);
    expect((await post(body)).status).toBe(200);
    for (const { got } of upstreams) expect(got.map((each) => each.body)).toEqual([body]);
  });
});

describe("what the sender is told", () => {
  const text = JSON.stringify("start time must be before end time");
  const object = JSON.stringify({ code: 400, message: "parsing alerts body failed" });
  it.each([
    ["both take it", [200, ""], [200, ""], 200, ""],
    ["one is down", [0, ""], [200, ""], 200, ""],
    ["one takes it, one refuses a part", [200, ""], [400, text], 200, ""],
    ["both refuse a part", [400, text], [400, text], 400, text],
    ["one refuses a part, one is down", [400, text], [0, ""], 400, text],
    ["both cannot read it", [400, object], [400, object], 400, object],
    ["one refuses, one fails", [400, text], [500, text], 503, "no Alertmanager took the alerts\n"],
    ["both fail", [500, text], [503, ""], 503, "no Alertmanager took the alerts\n"],
    ["both are down", [0, ""], [0, ""], 503, "no Alertmanager took the alerts\n"],
    ["one is slow", [200, "", 5000], [200, ""], 200, ""],
    ["both are slow", [200, "", 5000], [200, "", 5000], 503, "no Alertmanager took the alerts\n"],
  ] as const)("%s", async (...[, one, other, status, body]) => {
    const { post, upstreams } = await startProxy(2);
    for (const [index, [said, saidBody, waitMs = 0]] of [one, other].entries()) {
      const upstream = upstreams[index];
      if (said === 0) await upstream?.stop();
      else if (upstream) upstream.answer = { status: said, body: saidBody, waitMs };
    }
    const response = await post([buildPosted()]);
    expect([response.status, response.text]).toEqual([status, body]);
  });

  it("503 while too many bytes are on their way", async () => {
    const { post, first } = await startProxy(1, { proxy: { max_in_flight: "1MiB" } });
    first.answer = { status: 200, waitMs: 500 };
    const large = buildPosted({ annotations: { text: "x".repeat(2 ** 20) } });
    const slow = post([large]).then((response) => response.status);
    await eventually(() => (first.got.length > 0 ? true : undefined), { what: "the first post" });
    expect((await post([buildPosted()])).status).toBe(503);
    expect(await slow).toBe(200);
    expect((await post([buildPosted()])).status).toBe(200);
  });

  it("401 without the credentials that are asked for", async () => {
    const { post, first } = await startProxy(1, { web: { auth: { bearer_token: "s3cret" } } });
    expect((await post([buildPosted()])).status).toBe(401);
    expect((await post([buildPosted()], { Authorization: "Bearer s3cret" })).status).toBe(200);
    expect(first.got.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });
});

describe("headers", () => {
  it("go on where they are allowed to, and nowhere else", async () => {
    const { post, first } = await startProxy(1, { proxy: { forward_headers: ["X-Scope-OrgID"] } });
    await post([buildPosted()], { "X-Scope-OrgID": "team-a", "X-Other": "b", Cookie: "c=d" });
    const headers = first.got[0]?.headers;
    expect(headers).toMatchObject({ "x-scope-orgid": "team-a" });
    expect(headers).not.toHaveProperty("x-other");
    expect(headers).not.toHaveProperty("cookie");
  });
});

describe("annotations that come late", () => {
  it("are pushed after an alert that was not held", async () => {
    const { post, upstreams } = await startProxy(2, { proxy: { hold: "0s" } });
    const posted = buildPosted();
    await post([posted]);
    for (const { got } of upstreams) {
      const pushed = await eventually(() => got[1], { what: "the push" });
      expect(got[0]?.alerts[0]?.annotations).not.toHaveProperty("error_summary");
      expect(pushed.alerts).toHaveLength(1);
      expect(pushed.alerts[0]).toMatchObject({
        labels: posted.labels,
        startsAt: posted.startsAt,
        endsAt: posted.endsAt,
        generatorURL: posted.generatorURL,
      });
      expect(pushed.alerts[0]?.annotations).toHaveProperty("error_summary");
    }
  });

  it("are not pushed near the end of an alert", async () => {
    const { post, first, service } = await startProxy(1, { proxy: { hold: "0s" } });
    await post([buildPosted({ endsAt: time(3000) })]);
    await eventually(
      async () => {
        const { text } = await request(service.app).get("/metrics");
        return (
          text.includes('alertlore_proxy_pushed_alerts_total{result="dropped"} 1') || undefined
        );
      },
      { what: "the push to be dropped" },
    );
    expect(first.got).toHaveLength(1);
  });
});

describe("what an Alertmanager shows", () => {
  const status = JSON.stringify({ cluster: { status: "ready" } });

  it.each([
    "/api/v2/status",
    "/api/v2/alerts?filter=a%3D%22b%22&active=true",
    "/api/v2/alerts/groups",
    "/api/v2/receivers",
    "/api/v2/silences?filter=a=b",
    "/api/v2/silence/5e1a",
  ])("%s comes from the first that answers, path and query as asked", async (path) => {
    const { service, first, second } = await startProxy();
    first.answer = { status: 500 };
    second.answer = { status: 200, body: status };
    const response = await request(service.app).get(path).set("Authorization", "Bearer mine");
    expect([response.status, response.text]).toEqual([200, status]);
    expect(second.got[0]).toMatchObject({ method: "GET", url: path });
    expect(second.got[0]?.headers.authorization).toBe("Bearer mine");
  });

  it("is a 502 when none answers", async () => {
    const { service, upstreams } = await startProxy();
    await Promise.all(upstreams.map(({ stop }) => stop()));
    expect((await request(service.app).get("/api/v2/status")).status).toBe(502);
  });

  it("is asked for with the Alertmanager's credentials once the caller has shown ours", async () => {
    const upstream = await startUpstream();
    const service = await createTestService({
      web: { auth: { bearer_token: "ours" } },
      proxy: {
        upstreams: [{ name: "am", url: upstream.url, auth: { bearer_token: "theirs" } }],
      },
    });
    const ask = (token: string) =>
      request(service.app).get("/api/v2/alerts").set("Authorization", `Bearer ${token}`);
    expect((await ask("nobody's")).status).toBe(401);
    expect((await ask("ours")).status).toBe(200);
    expect(upstream.got.map(({ headers }) => headers.authorization)).toEqual(["Bearer theirs"]);
  });

  it("is broken off when it is longer than allowed", async () => {
    const { service, first } = await startProxy(1, { proxy: { max_answer_size: "64KiB" } });
    first.answer = { status: 200, body: "x".repeat(100_000) };
    await expect(request(service.app).get("/api/v2/alerts")).rejects.toThrow(/aborted|hang up/);
  });

  it("is changed by silences only where that is allowed", async () => {
    const silence = { matchers: [], comment: "why" };
    for (const silences of [false, true]) {
      const { service, first } = await startProxy(1, { proxy: { silences } });
      first.answer = { status: 200, body: '{"silenceID":"5e1a"}' };
      const posted = await request(service.app).post("/api/v2/silences").send(silence);
      const ended = await request(service.app).delete("/api/v2/silence/5e1a");
      expect([posted.status, ended.status]).toEqual(silences ? [200, 200] : [403, 403]);
      expect(first.got.map(({ method }) => method)).toEqual(silences ? ["POST", "DELETE"] : []);
    }
  });
});
