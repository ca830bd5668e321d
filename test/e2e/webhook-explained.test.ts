import { expect, test } from "vitest";
import type { TestContext } from "vitest";
import { fingerprintOf } from "../../src/alert/fingerprint.ts";
import { KNOWN_LINE } from "../support/create-kit.ts";
import { eventually } from "../support/eventually.ts";
import { requireBinary } from "../support/require-binary.ts";
import { startAlertlore } from "../support/start-alertlore.ts";
import { startAlertmanager } from "../support/start-alertmanager.ts";
import { startPrometheus } from "../support/start-prometheus.ts";
import { startReceiver } from "../support/start-receiver.ts";

interface Body {
  readonly status: string;
  readonly alerts: readonly {
    readonly status: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
    readonly startsAt: string;
    readonly fingerprint: string;
  }[];
}

async function startChain(context: TestContext) {
  const alertmanagerBinary = requireBinary(context, "alertmanager");
  const prometheusBinary = requireBinary(context, "prometheus");
  const receiver = await startReceiver();
  context.onTestFinished(receiver.stop);
  const alertlore = await startAlertlore({
    // Below the repeat interval, so that a repeat is none of a peer's copies.
    delivery: { copy_window: "1s" },
    destinations: [{ name: "pager", type: "alertmanager_webhook", url: receiver.url }],
  });
  context.onTestFinished(alertlore.stop);
  const [alertmanager, prometheus] = await Promise.all([
    startAlertmanager({
      binary: alertmanagerBinary,
      config: `
route: {receiver: explained, group_by: [alertname], group_wait: 100ms, group_interval: 1s, repeat_interval: 2s}
receivers:
  - name: explained
    webhook_configs: [{url: "${alertlore.url}/webhook", http_config: {follow_redirects: false}}]
`,
    }),
    startPrometheus({
      binary: prometheusBinary,
      config: `
global: {scrape_interval: 1s}
scrape_configs:
  - job_name: alertlore
    static_configs: [{targets: ["127.0.0.1:${alertlore.port}"]}]
`,
    }),
  ]);
  context.onTestFinished(alertmanager.stop);
  context.onTestFinished(prometheus.stop);
  return { receiver, alertlore, alertmanager, prometheus };
}

const labels = { alertname: "CheckpointLate", namespace: "engine", pod: "engine-0" };

async function postAlert(url: string, wishes: object): Promise<void> {
  const alert = {
    labels,
    annotations: { summary: "Checkpoints are late", log_excerpt: KNOWN_LINE },
    startsAt: "2026-03-14T09:26:53.589793238Z",
    ...wishes,
  };
  const answer = await fetch(`${url}/api/v2/alerts`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify([alert]),
  });
  expect(answer.status, await answer.text()).toBe(200);
}

async function queryOf(prometheus: string, query: string): Promise<number | undefined> {
  const answer = await fetch(`${prometheus}/api/v1/query?query=${encodeURIComponent(query)}`);
  const { data } = (await answer.json()) as { data: { result: { value: [number, string] }[] } };
  const value = data.result[0]?.value[1];
  return value === undefined ? undefined : Number(value);
}

const MATCHED = 'sum(alertlore_matched_errors_total{error_class="CheckpointError"})';

test("a real alert comes out explained, is counted once, and resolves without advice", async (context) => {
  const { receiver, alertlore, alertmanager, prometheus } = await startChain(context);
  const bodyOf = (request: { body: string }) => JSON.parse(request.body) as Body;
  // The combination stands at 0 before the first alert, so that rate() sees the first increase.
  await eventually(
    async () => ((await queryOf(prometheus.url, MATCHED)) === 0 ? true : undefined),
    {
      what: "Prometheus to have scraped the counter at 0",
    },
  );

  await postAlert(alertmanager.url, {});
  const firing = bodyOf(await receiver.waitFor(() => true, "the firing notification"));
  expect(firing.status).toBe("firing");
  expect(firing.alerts[0]).toMatchObject({
    status: "firing",
    labels,
    fingerprint: fingerprintOf(labels),
    startsAt: "2026-03-14T09:26:53.589793238Z",
    annotations: {
      summary: "Checkpoints are late",
      error_class: "CheckpointError",
      error_record: expect.stringContaining("0000000000000001") as string,
      error_solutions: expect.stringContaining("1. Renew the credentials.") as string,
    },
  });
  expect(firing.alerts[0]?.annotations["error_retry"]).toBeDefined();

  // A repeat has arrived before the resolve, and must not have been counted.
  await eventually(() => (receiver.requests.length >= 2 ? true : undefined), { what: "a repeat" });
  await postAlert(alertmanager.url, { endsAt: new Date().toISOString() });
  const isResolved = (request: { body: string }) => bodyOf(request).status === "resolved";
  const resolved = bodyOf(await receiver.waitFor(isResolved, "the resolved notification"));
  const kept = Object.keys(resolved.alerts[0]?.annotations ?? {});
  expect(kept).toContain("error_record");
  expect(kept.filter((name) => name.startsWith("error_retry"))).toEqual([]);

  // Once the third delivery is scraped, so is everything that was counted before it.
  const delivered = 'alertlore_deliveries_total{destination="pager",result="success"}';
  await eventually(
    async () => (((await queryOf(prometheus.url, delivered)) ?? 0) >= 3 ? true : undefined),
    { what: "Prometheus to have scraped all deliveries" },
  );
  expect(await queryOf(prometheus.url, MATCHED)).toBe(1);
  expect(await queryOf(prometheus.url, 'up{job="alertlore"}')).toBe(1);

  alertlore.signal("SIGTERM");
  await eventually(() => (alertlore.output().includes("msg=stopped") ? true : undefined), {
    what: "the service to have stopped in order",
  });
});
