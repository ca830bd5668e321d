import { createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createAlertmanagerWebhook } from "../../../src/deliver/destinations/alertmanager-webhook.ts";
import type { AlertmanagerWebhookOptions } from "../../../src/deliver/destinations/alertmanager-webhook.ts";
import { buildAlert, buildGroup } from "../../support/build-alert.ts";
import { freePort } from "../../support/free-port.ts";
import { startReceiver } from "../../support/start-receiver.ts";
import type { Answer, Receiver } from "../../support/start-receiver.ts";

function createDestination(url: string, wishes: Partial<AlertmanagerWebhookOptions> = {}) {
  const waitsMs: number[] = [];
  const destination = createAlertmanagerWebhook({
    name: "pager",
    url,
    profile: "full",
    timeoutMs: 10_000,
    userAgent: "Alertlore/1",
    accepts: () => true,
    pause: (durationMs) => {
      waitsMs.push(durationMs);
      return Promise.resolve();
    },
    ...wishes,
  });
  return { destination, waitsMs };
}

async function receiverAnswering(answer: Answer): Promise<Receiver> {
  const receiver = await startReceiver(answer);
  onTestFinished(() => receiver.stop());
  return receiver;
}

describe("send", () => {
  it("posts the body as it is, with what Alertmanager would send", async () => {
    const receiver = await receiverAnswering(() => ({ status: 204 }));
    const { destination } = createDestination(`${receiver.url}/hook?a=1`, {
      authorization: "Bearer t",
    });
    await destination.send('{"größe": 1}\n');
    expect(receiver.requests).toMatchObject([
      {
        method: "POST",
        url: "/hook?a=1",
        body: '{"größe": 1}\n',
        headers: {
          "content-type": "application/json",
          "content-length": "15",
          "user-agent": "Alertlore/1",
          authorization: "Bearer t",
        },
      },
    ]);
  });

  it("tries again while the destination fails, and stops when it takes the body", async () => {
    const receiver = await receiverAnswering((index) => ({ status: index < 2 ? 503 : 200 }));
    const { destination, waitsMs } = createDestination(receiver.url);
    await destination.send("{}");
    expect(receiver.requests).toHaveLength(3);
    expect(waitsMs).toEqual([250, 500]);
  });

  it("gives up after four tries", async () => {
    const receiver = await receiverAnswering(() => ({ status: 500 }));
    const { destination } = createDestination(receiver.url);
    await expect(destination.send("{}")).rejects.toMatchObject({
      reason: "server",
      message: "destination pager answered 500",
    });
    expect(receiver.requests).toHaveLength(4);
  });

  it.each([
    [302, "refused"],
    [400, "refused"],
    [401, "unauthorized"],
    [413, "too_large"],
    [429, "throttled"],
  ])("does not repeat what was answered %d", async (status, reason) => {
    const receiver = await receiverAnswering(() => ({ status }));
    const { destination } = createDestination(receiver.url);
    await expect(destination.send("{}")).rejects.toMatchObject({ reason });
    expect(receiver.requests).toHaveLength(1);
  });

  it("reads no more than it needs of an endless answer", async () => {
    const receiver = await receiverAnswering(() => ({ status: 200, body: "x".repeat(1_000_000) }));
    const { destination } = createDestination(receiver.url);
    await destination.send("{}");
    await destination.send("{}");
    expect(receiver.requests).toHaveLength(2);
  });

  it("names a destination that is not there, but not its URL", async () => {
    const { destination } = createDestination(`http://u:hunter2@127.0.0.1:${await freePort()}/`);
    const failure: unknown = await destination.send("{}").catch((error: unknown) => error);
    expect(failure).toMatchObject({
      reason: "unreachable",
      message: "destination pager is unreachable (ECONNREFUSED)",
    });
    expect(JSON.stringify(failure)).not.toContain("hunter2");
  });

  it("gives up on a destination that takes the connection and says nothing", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => {
      silent.close();
    });
    await new Promise((resolve) => silent.once("listening", resolve));
    const address = silent.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const { destination, waitsMs } = createDestination(`http://127.0.0.1:${port}/`, {
      timeoutMs: 50,
    });
    await expect(destination.send("{}")).rejects.toMatchObject({ reason: "timeout" });
    expect(waitsMs).toEqual([]);
  });
});

describe("render", () => {
  const accepts: AlertmanagerWebhookOptions["accepts"] = (labels) => labels["team"] === "a";
  const of = (team: string, endsAt?: string) =>
    buildAlert({ labels: { team }, ...(endsAt !== undefined && { endsAt }) });
  const ENDED = "2026-03-14T09:40:00Z";

  it("leaves out the alerts that do not go there", () => {
    const { destination } = createDestination("http://pager.test", { accepts });
    const group = buildGroup([of("b"), of("a", ENDED)]);
    const body = JSON.parse(destination.render({ group, enrichments: [] }) ?? "") as object;
    expect(body).toMatchObject({ status: "resolved", alerts: [{ labels: { team: "a" } }] });
  });

  it("does not call the rest resolved when firing alerts may have been cut off", () => {
    const { destination } = createDestination("http://pager.test", { accepts });
    const group = buildGroup([of("b"), of("a", ENDED)], { truncatedAlerts: 1 });
    const body = JSON.parse(destination.render({ group, enrichments: [] }) ?? "") as object;
    expect(body).toMatchObject({ status: "firing" });
  });

  it("gives nothing when no alert goes there", () => {
    const { destination } = createDestination("http://pager.test", { accepts });
    expect(destination.render({ group: buildGroup([of("b")]), enrichments: [] })).toBeUndefined();
  });
});
