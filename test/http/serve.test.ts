import { once } from "node:events";
import { connect } from "node:net";
import request from "supertest";
import { describe, expect, it, onTestFinished } from "vitest";
import { createService } from "../../src/app/serve.ts";
import { KNOWN_LINE } from "../support/create-kit.ts";
import { eventually } from "../support/eventually.ts";
import { createTestService } from "../support/create-test-service.ts";
import { startReceiver } from "../support/start-receiver.ts";
import { buildAlertBody, buildGroupBody } from "../support/webhook-body.ts";

const explained = buildGroupBody({
  alerts: [
    buildAlertBody({ annotations: { log_excerpt: KNOWN_LINE, error_retry: "retry (forged)" } }),
  ],
});

describe("places", () => {
  it.each([
    ["/-/healthy", 200, "text/plain; charset=utf-8", "Alertlore is Healthy.\n"],
    ["/-/ready", 200, "text/plain; charset=utf-8", "Alertlore is Ready.\n"],
    ["/", 200, "text/html; charset=utf-8", '<a href="./metrics">'],
    ["/status", 200, "text/html; charset=utf-8", "<h1>Status</h1>"],
    ["/metrics", 200, "text/plain; version=0.0.4; charset=utf-8", "# TYPE alertlore_build_info"],
    ["/nowhere", 404, "application/problem+json", "Not found"],
    ["/%", 404, "application/problem+json", "Not found"],
  ])("%s answers %d", async (path, status, type, text) => {
    const { app } = await createTestService();
    const response = await request(app).get(path);
    expect(response.status).toBe(status);
    expect(response.headers["content-type"]).toBe(type);
    expect(response.text).toContain(text);
  });

  it("asks for credentials where something is done, and nowhere else", async () => {
    const { app } = await createTestService({ web: { auth: { bearer_token: "s3cret" } } });
    for (const path of ["/webhook", "/-/reload", "/api/v1/match"]) {
      expect((await request(app).post(path).send("{}")).status, path).toBe(401);
    }
    for (const path of ["/", "/metrics", "/-/healthy", "/-/ready"]) {
      expect((await request(app).get(path)).status, path).toBe(200);
    }
    const reload = await request(app).post("/-/reload").set("Authorization", "Bearer s3cret");
    expect(reload.status).toBe(200);
  });
});

describe("a notification with a known error", () => {
  it("comes back explained, less what was forged", async () => {
    const { app } = await createTestService();
    const response = await request(app).post("/webhook?respond=enriched").send(explained);
    const { alerts } = response.body as { alerts: { annotations: Record<string, string> }[] };
    expect(response.status).toBe(200);
    expect(alerts[0]?.annotations).toMatchObject({ error_class: "CheckpointError" });
    expect(alerts[0]?.annotations["error_retry"]).not.toContain("forged");
    const short = await request(app)
      .post("/webhook?respond=enriched&profile=compact")
      .send(explained);
    expect(short.text).not.toContain("error_class");
    expect(short.text).toContain("error_summary");
  });

  it("goes to its destination and is counted once", async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.stop());
    const destinations = [{ name: "pager", type: "alertmanager_webhook", url: receiver.url }];
    const { app } = await createTestService({ destinations });
    for (const duplicate of [0, 1]) {
      const response = await request(app).post("/webhook").send(explained);
      expect(response.body).toEqual({ accepted: 1 - duplicate, duplicate, rejected: 0 });
    }
    const sent = await receiver.waitFor(() => true, "the delivery");
    expect(sent.body).toContain("error_explanation");
    await eventually(
      async () => {
        const { text: soFar } = await request(app).get("/metrics");
        return soFar.includes('how="copy"} 1') || soFar.includes('how="replaced"} 1')
          ? true
          : undefined;
      },
      { what: "the copy to be known as one" },
    );
    const { text } = await request(app).get("/metrics");
    expect(
      text.match(/^alertlore_matched_errors_total\{error_class="CheckpointError".* 1$/gmu),
    ).toHaveLength(1);
    expect(text).toContain('alertlore_deliveries_total{destination="pager",result="success"} 1');
    expect(receiver.requests).toHaveLength(1);
  });

  it("goes as it came when it was refused, then waits as a dead letter to be sent again", async () => {
    const receiver = await startReceiver((index) => ({ status: index < 2 ? 400 : 200 }));
    onTestFinished(() => receiver.stop());
    const destinations = [{ name: "pager", type: "alertmanager_webhook", url: receiver.url }];
    const { app } = await createTestService({ destinations });
    expect((await request(app).post("/webhook").send(explained)).status).toBe(200);
    const letter = await eventually(
      async () => {
        const answer = await request(app).get("/api/v1/deliveries");
        const { deliveries } = answer.body as { deliveries: { id: string; reason: string }[] };
        return deliveries[0];
      },
      { what: "the dead letter" },
    );
    expect(letter.reason).toBe("destination pager answered 400");
    expect(receiver.requests.map(({ body }) => body.includes("error_summary"))).toEqual([
      true,
      false,
    ]);
    const path = `/api/v1/deliveries/${letter.id}/resend`;
    expect((await request(app).post(path)).status).toBe(202);
    await eventually(() => receiver.requests[2], { what: "the delivery" });
    expect((await request(app).post(path)).status).toBe(404);
  });
});

describe("POST /api/v1/match", () => {
  it("answers a case with its matches and advice", async () => {
    const { app } = await createTestService();
    const response = await request(app)
      .post("/api/v1/match")
      .send({ id: "c1", excerpt: ["starting", KNOWN_LINE], labels: { pod: "p" } });
    expect(response.body).toMatchObject({
      id: "c1",
      matches: [{ id: "0000000000000001", captures: ["71", "s-4"], line: 1, kind: "exact" }],
      recommendation: { based_on: { record: "0000000000000001", curated: true } },
    });
  });

  it.each([
    [{ excerpt: [] }, "id is missing"],
    [{ id: "c", excerpt: "x" }, "excerpt must be an array"],
    [{ id: "c", excerpt: [1] }, "excerpt[0] must be a string"],
    [{ id: "c", excerpt: [], labels: { a: 1 } }, "labels must be an object of strings"],
  ])("refuses %j", async (body, detail) => {
    const { app } = await createTestService();
    const response = await request(app).post("/api/v1/match").send(body);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ detail });
  });
});

describe("reload", () => {
  it("puts new records into force", async () => {
    const { app, writeRecords } = await createTestService();
    await writeRecords([{}, { errorMessage: "no quorum among {} of {} voters in region {}" }]);
    expect((await request(app).post("/-/reload")).status).toBe(200);
    expect((await request(app).get("/metrics")).text).toContain("alertlore_records_loaded 2");
  });

  it("keeps the old state when a file is faulty, and says where", async () => {
    const { app, writeConfig, logLines } = await createTestService();
    await writeConfig({ enrich: { mode: "loud" } });
    const response = await request(app).post("/-/reload");
    expect(response.status).toBe(500);
    expect(response.text).toContain("enrich.mode");
    expect(logLines.join("")).toContain("reload failed");
    const metrics = await request(app).get("/metrics");
    expect(metrics.text).toContain("alertlore_config_last_reload_successful 0");
    const answer = await request(app).post("/webhook?respond=enriched").send(explained);
    expect(answer.text).toContain("error_class");
    await writeConfig({});
    expect((await request(app).put("/-/reload")).status).toBe(200);
    const after = await request(app).get("/metrics");
    expect(after.text).toContain("alertlore_config_last_reload_successful 1");
  });

  it("keeps episodes, so that nothing is counted again", async () => {
    const { app } = await createTestService();
    await request(app).post("/webhook").send(explained);
    await request(app).post("/-/reload");
    const response = await request(app).post("/webhook").send(explained);
    expect(response.body).toMatchObject({ accepted: 0, duplicate: 1 });
  });
});

describe("start and stop", () => {
  it("names every fault of the configuration instead of starting", async () => {
    const flags = { "web.listen_address": "nowhere", "log.level": "loud" };
    const outcome = await createService({
      sources: { file: undefined, flags, env: {} },
      writeLog: () => undefined,
    });
    expect(outcome.service).toBeUndefined();
    expect(outcome.faults.map((fault) => fault.file).toSorted()).toEqual([
      "--log.level",
      "--web.listen-address",
    ]);
  });

  it("finishes a request in flight, takes no new one, and ends", async () => {
    const service = await createTestService({ web: { listen_address: "127.0.0.1:0" } });
    const { port } = await service.listen();
    const body = JSON.stringify(explained);
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    const head = `POST /webhook HTTP/1.1\r\nHost: a\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
    socket.write(`${head}Expect: 100-continue\r\n\r\n`);
    // The service has begun the request when it asks for the body.
    const [goOn] = (await once(socket, "data")) as [Buffer];
    expect(goOn.toString()).toContain("100 Continue");
    const closed = service.close();
    await expect(fetch(`http://127.0.0.1:${port}/-/ready`)).rejects.toThrow();
    expect((await request(service.app).get("/-/ready")).status).toBe(503);
    socket.write(body);
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(answer.toString()).toContain("200 OK");
    expect(answer.toString()).toContain("Connection: close");
    await closed;
  });
});
