import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test, type TestContext } from "vitest";
import { requireBinary } from "../support/require-binary.ts";
import { startAlertmanager } from "../support/start-alertmanager.ts";
import { startReceiver, type Answer, type Receiver } from "../support/start-receiver.ts";

const run = promisify(execFile);

/** What these tests read of a webhook body of version 4. */
interface WebhookBody {
  readonly version: unknown;
  readonly receiver: unknown;
  readonly status: unknown;
  readonly truncatedAlerts: unknown;
  readonly groupKey: unknown;
  readonly alerts: readonly Readonly<Record<string, unknown>>[];
}

const bodyOf = (request: { body: string }) => JSON.parse(request.body) as WebhookBody;

const configFor = (receiverUrl: string) => `
route:
  receiver: 'rw.prod/webhook (a+b)'
  group_by: [alertname]
  group_wait: 100ms
  group_interval: 1s
receivers:
  - name: 'rw.prod/webhook (a+b)'
    webhook_configs:
      - url: ${receiverUrl}/webhook?respond=enriched
        http_config: {follow_redirects: false}
`;

async function startBoth(context: TestContext, answer?: Answer) {
  const binary = requireBinary(context, "alertmanager");
  const receiver: Receiver = await startReceiver(answer);
  context.onTestFinished(receiver.stop);
  const alertmanager = await startAlertmanager({ binary, config: configFor(receiver.url) });
  context.onTestFinished(alertmanager.stop);
  return { alertmanager, receiver };
}

async function postAlerts(url: string, alerts: readonly object[]): Promise<void> {
  const answer = await fetch(`${url}/api/v2/alerts`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(alerts),
  });
  expect(answer.status, await answer.text()).toBe(200);
}

test("Alertmanager posts a firing alert as webhook version 4", async (context) => {
  const { alertmanager, receiver } = await startBoth(context);
  const startsAt = "2026-03-14T09:26:53.589793238+09:00";
  await postAlerts(alertmanager.url, [
    { labels: { alertname: "alert1", lbl1: "val1" }, annotations: { a: "<b>" }, startsAt },
  ]);
  const request = await receiver.waitFor(() => true, "the first notification");

  expect(request.method).toBe("POST");
  expect(request.url).toBe("/webhook?respond=enriched");
  expect(request.headers["content-type"]).toBe("application/json");
  expect(request.headers["user-agent"]).toMatch(/^Alertmanager\//);
  expect(request.headers["content-length"]).toBe(String(Buffer.byteLength(request.body)));
  expect(request.body).toContain(String.raw`\u003cb\u003e`);

  const body = bodyOf(request);
  expect(body).toMatchObject({
    version: "4",
    status: "firing",
    truncatedAlerts: 0,
    groupKey: '{}:{alertname="alert1"}',
    receiver: String.raw`rw\.prod/webhook \(a\+b\)`,
  });
  expect(body.alerts).toEqual([
    {
      status: "firing",
      labels: { alertname: "alert1", lbl1: "val1" },
      annotations: { a: "<b>" },
      startsAt,
      endsAt: "0001-01-01T00:00:00Z",
      generatorURL: "",
      fingerprint: "fac0861a85de433a",
    },
  ]);
});

test("an alert that amtool resolves is posted again as resolved, with its endsAt", async (context) => {
  const amtool = requireBinary(context, "amtool");
  const { alertmanager, receiver } = await startBoth(context);
  const start = "2026-03-14T09:26:53Z";
  const add = async (...times: string[]) =>
    run(amtool, [`--alertmanager.url=${alertmanager.url}`, "alert", "add", "disk_full", ...times]);
  await add(`--start=${start}`);
  await receiver.waitFor((request) => bodyOf(request).status === "firing", "the firing alert");
  const end = "2026-03-14T09:27:00Z";
  await add(`--start=${start}`, `--end=${end}`);
  const resolved = await receiver.waitFor(
    (request) => bodyOf(request).status === "resolved",
    "the resolved alert",
  );
  expect(bodyOf(resolved).alerts).toMatchObject([
    {
      status: "resolved",
      startsAt: start,
      endsAt: end,
    },
  ]);
});

test("a notification answered with 503 is sent again until it is taken", async (context) => {
  const { alertmanager, receiver } = await startBoth(context, (index) => ({
    status: index < 2 ? 503 : 200,
  }));
  await postAlerts(alertmanager.url, [{ labels: { alertname: "again" } }]);
  await receiver.waitFor((request) => receiver.requests.indexOf(request) === 2, "the third try");
  const bodies = receiver.requests.slice(0, 3).map((request) => request.body);
  expect(new Set(bodies).size).toBe(1);
});

test("a redirect is not followed when follow_redirects is false", async (context) => {
  const { alertmanager, receiver } = await startBoth(context, (index) => ({
    status: index === 0 ? 302 : 200,
  }));
  await postAlerts(alertmanager.url, [{ labels: { alertname: "moved" } }]);
  // The group comes again at the next group_interval, as a POST with its body: nothing was lost.
  await receiver.waitFor((request) => receiver.requests.indexOf(request) === 1, "the next flush");
  expect(receiver.requests.map((request) => request.method)).not.toContain("GET");
  expect(receiver.requests[1]?.body).not.toBe("");
});
