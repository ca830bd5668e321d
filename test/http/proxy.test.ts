import { gzipSync } from "node:zlib";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { KNOWN_LINE } from "../support/create-kit.ts";
import { eventually } from "../support/eventually.ts";
import { buildPosted, startProxy, time } from "../support/start-proxy.ts";
import { buildAlertBody, buildGroupBody } from "../support/webhook-body.ts";

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

  it("keeps what is named like a part of the language", async () => {
    const { post, first } = await startProxy(1);
    const annotations = JSON.parse('{"__proto__": "kept", "constructor": "too"}') as object;
    const described = { log_excerpt: KNOWN_LINE };
    const posted = JSON.stringify([buildPosted()]).replace(
      /"annotations":\{[^}]*\}/,
      () =>
        `"annotations":${JSON.stringify(annotations).slice(0, -1)},${JSON.stringify(described).slice(1)}`,
    );
    expect((await post(posted)).status).toBe(200);
    const got = Object.entries(first.got[0]?.alerts[0]?.annotations ?? {});
    expect(got).toContainEqual(["__proto__", "kept"]);
    expect(got).toContainEqual(["constructor", "too"]);
    expect(got.map(([name]) => name)).toContain("error_summary");
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

describe("secrets in what the sender wrote", () => {
  const annotations = { summary: "login failed: password=hunter2hunter2 for db" };
  const alerts = [buildPosted({ annotations })];

  it.each([
    ["go on unless they are to be masked", {}, annotations.summary],
    ["are masked where that is set", { redact: { incoming: true } }, undefined],
    [
      "are masked in mode off too",
      { redact: { incoming: true }, enrich: { mode: "off" } },
      undefined,
    ],
  ])("%s", async (_, config, summary) => {
    const { post, service, first } = await startProxy(1, config);
    expect((await post(alerts)).status).toBe(200);
    const group = buildGroupBody({ alerts: [buildAlertBody({ annotations })] });
    const webhook = await request(service.app).post("/webhook?respond=enriched").send(group);
    for (const text of [first.got[0]?.body ?? "", webhook.text]) {
      expect(text).toContain("login failed");
      expect(text.includes("hunter2hunter2")).toBe(summary !== undefined);
    }
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
