import request from "supertest";
import { KNOWN_LINE } from "./create-kit.ts";
import { createTestService } from "./create-test-service.ts";
import type { TestConfig } from "./create-test-service.ts";
import { startUpstream } from "./start-upstream.ts";

/** A time relative to now, as it is posted. */
export const time = (offsetMs: number) => new Date(Date.now() + offsetMs).toISOString();

/** An alert as Prometheus posts it, with a line that shows the known error. */
export function buildPosted(wishes: object = {}) {
  return {
    annotations: { summary: "late", log_excerpt: KNOWN_LINE },
    endsAt: time(240_000),
    startsAt: time(-60_000),
    generatorURL: "http://prometheus.test/graph?g0.expr=up&g0.tab=1",
    labels: { alertname: "CheckpointLate", pod: "engine-0" },
    ...wishes,
  };
}

/** A service with fake Alertmanagers behind its proxy; ended with the test. */
export async function startProxy(count = 2, wishes: TestConfig = {}) {
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
