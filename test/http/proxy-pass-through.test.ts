import request from "supertest";
import { describe, expect, it } from "vitest";
import { createTestService } from "../support/create-test-service.ts";
import { startProxy } from "../support/start-proxy.ts";
import { startUpstream } from "../support/start-upstream.ts";

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
