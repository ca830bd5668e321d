import request from "supertest";
import { expect, test } from "vitest";
import type { TestContext } from "vitest";
import { createTestService } from "../support/create-test-service.ts";
import { eventually } from "../support/eventually.ts";
import { requirePostgres, startPostgres } from "../support/start-postgres.ts";
import { startReceiver } from "../support/start-receiver.ts";
import { startTcpProxy } from "../support/start-tcp-proxy.ts";
import { buildGroupBody } from "../support/webhook-body.ts";

async function startBehindCut(context: TestContext, onFailure: "refuse" | "passthrough") {
  const postgres = await startPostgres(requirePostgres(context));
  context.onTestFinished(postgres.stop);
  const proxy = await startTcpProxy(postgres.port);
  context.onTestFinished(proxy.stop);
  const receiver = await startReceiver();
  context.onTestFinished(receiver.stop);
  const url = postgres.url.replace(`:${postgres.port}/`, `:${proxy.port}/`);
  const { app } = await createTestService({
    store: { url, on_failure: onFailure },
    destinations: [{ name: "d", type: "alertmanager_webhook", url: receiver.url }],
  });
  const post = (groupKey: string) =>
    request(app)
      .post("/webhook")
      .send(buildGroupBody({ groupKey }))
      .then(({ status, type }) => ({ status, type }));
  const failures = async (answer: string) => {
    const { text } = await request(app).get("/metrics");
    const sample = new RegExp(
      `^alertlore_store_failures_total\\{answer="${answer}"\\} (\\d+)$`,
      "mu",
    );
    return Number(sample.exec(text)?.[1]);
  };
  const keys = () =>
    receiver.requests.map(({ body }) => (JSON.parse(body) as { groupKey: string }).groupKey);
  return { proxy, post, failures, keys };
}

test("a store that stays away is refused with 503, counted, and used again when it is back", async (context) => {
  const { proxy, post, failures, keys } = await startBehindCut(context, "refuse");
  proxy.cut();
  const answer = await post("away");
  expect(answer.status).toBe(503);
  expect(answer.type).toBe("application/problem+json");
  expect(await failures("refused")).toBe(1);
  expect(await failures("passed_through")).toBe(0);
  expect(keys()).toEqual([]);
  proxy.mend();
  expect((await post("back")).status).toBe(200);
  await eventually(() => (keys().includes("back") ? true : undefined), { what: "the delivery" });
  expect(keys()).toEqual(["back"]);
});

test("a store that stays away is passed by where that is wanted, and every group counted", async (context) => {
  const { proxy, post, failures, keys } = await startBehindCut(context, "passthrough");
  proxy.cut();
  const answers = await Promise.all([post("one"), post("two")]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(keys().toSorted()).toEqual(["one", "two"]);
  expect(await failures("passed_through")).toBe(2);
  expect(await failures("refused")).toBe(0);
});
