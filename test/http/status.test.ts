import request from "supertest";
import { describe, expect, it } from "vitest";
import { statusJson } from "../../src/web/status/status-schemas.ts";
import { createTestService } from "../support/create-test-service.ts";

describe("the status", () => {
  it("comes as JSON of its schema beside the page", async () => {
    const { app } = await createTestService({ enrich: { mode: "shadow" } });
    const response = await request(app).get("/api/v1/status");
    const body: unknown = response.body;
    expect(response.status).toBe(200);
    expect(statusJson.strict().safeParse(body).error).toBeUndefined();
    expect(body).toMatchObject({
      mode: "shadow",
      store: "memory",
      node: process.version,
      records: { count: 1, counts: { used: 1, skipped: 0 }, sources: [{ origin: "operator" }] },
      loki: null,
      destinations: [],
    });
  });

  it("shows what was changed before what is as by default", async () => {
    const { app, writeConfig, reload } = await createTestService();
    const changed = /Changed keys of webhook.*?webhook\.deadline.*?7s.*?keys as by default/su;
    expect((await request(app).get("/status")).text).not.toMatch(changed);
    await writeConfig({ webhook: { deadline: "7s" }, destinations: [{ name: "a", type: "log" }] });
    expect(await reload()).toEqual([]);
    const { text } = await request(app).get("/status");
    expect(text).toMatch(changed);
    expect(text).toContain("<code>destinations[0].name</code>");
  });

  it("is not larger than a page may be, whatever the configuration holds", async () => {
    const bodies = Array.from({ length: 100 }, (_each, index) => ({
      name: `hook-${index}`,
      type: "webhook",
      url: "http://127.0.0.1:1",
      body: `{"text": "<b>&${"x".repeat(2000)}"}`,
      match: Array.from({ length: 20 }, (_one, number) => `label${number}="${"v".repeat(300)}"`),
    }));
    const { app } = await createTestService({ destinations: bodies });
    const { text } = await request(app).get("/status");
    expect(text).not.toContain("<b>");
    expect(text.length).toBeLessThan(100_000);
  });
});
