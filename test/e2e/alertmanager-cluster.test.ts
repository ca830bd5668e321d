import { expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { requireBinary } from "../support/require-binary.ts";
import { startAlertlore } from "../support/start-alertlore.ts";
import { startAlertmanager } from "../support/start-alertmanager.ts";
import { startReceiver } from "../support/start-receiver.ts";

const GROUPS = 8;

test("two peers of an Alertmanager cluster send the same groups and the receiver gets each once", async (context) => {
  const binary = requireBinary(context, "alertmanager");
  const receiver = await startReceiver();
  context.onTestFinished(receiver.stop);
  const alertlore = await startAlertlore({
    destinations: [{ name: "pager", type: "alertmanager_webhook", url: receiver.url }],
  });
  context.onTestFinished(alertlore.stop);
  const config = `
route: {receiver: r, group_by: [alertname], group_wait: 500ms, group_interval: 1h}
receivers:
  - name: r
    webhook_configs: [{url: "${alertlore.url}/webhook", http_config: {follow_redirects: false}}]
`;
  // Without a wait between the peers each of them sends before it can have heard of the other's success.
  const peerTimeout = "0s";
  const [port, secondPort] = [await freePort(), await freePort()];
  const first = await startAlertmanager({ binary, config, cluster: { port, peerTimeout } });
  context.onTestFinished(first.stop);
  const second = await startAlertmanager({
    binary,
    config,
    cluster: { port: secondPort, peerPort: port, peerTimeout },
  });
  context.onTestFinished(second.stop);

  for (const { url } of [first, second]) {
    const isJoined = async () => {
      const answer = await fetch(`${url}/api/v2/status`);
      const { cluster } = (await answer.json()) as {
        cluster: { status: string; peers: unknown[] };
      };
      return cluster.status === "ready" && cluster.peers.length === 2 ? true : undefined;
    };
    await eventually(isJoined, { what: "the peers to know one another" });
  }
  const startsAt = new Date().toISOString();
  const alerts = Array.from({ length: GROUPS }, (_, index) => ({
    labels: { alertname: `Group${index}` },
    startsAt,
  }));
  // As Prometheus does: every alert goes to every peer.
  await Promise.all(
    [first, second].map(async ({ url }) => {
      const answer = await fetch(`${url}/api/v2/alerts`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(alerts),
      });
      expect(answer.status).toBe(200);
    }),
  );

  const countOf = (text: string, metric: RegExp) =>
    [...text.matchAll(metric)].reduce((sum, [, count]) => sum + Number(count), 0);
  const isSettled = async () => {
    const text = await (await fetch(`${alertlore.url}/metrics`)).text();
    const sent = countOf(text, /alertlore_alerts_received_total\{status="firing"\} (\d+)/gu);
    const copies = countOf(text, /deliveries_ended_total\{.*how="(?:copy|replaced)"\} (\d+)/gu);
    // Gossip may be faster than a peer: then that group comes once and there is no copy of it.
    const isDelivered = receiver.requests.length >= GROUPS;
    return isDelivered && sent >= GROUPS && copies === sent - GROUPS ? true : undefined;
  };
  await eventually(isSettled, { what: "the copies of the second peer to be known as such" });
  const keys = receiver.requests.map(
    ({ body }) => (JSON.parse(body) as { groupKey: string }).groupKey,
  );
  expect(keys.toSorted()).toEqual(
    alerts.map(({ labels }) => `{}:{alertname="${labels.alertname}"}`),
  );
});
