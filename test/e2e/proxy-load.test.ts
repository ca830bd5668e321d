import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { TestContext } from "vitest";
import { eventually } from "../support/eventually.ts";
import { startFakeLoki } from "../support/fake-loki.ts";
import { requireBinary } from "../support/require-binary.ts";
import { startAlertlore } from "../support/start-alertlore.ts";
import { startAlertmanager } from "../support/start-alertmanager.ts";
import { startPrometheus } from "../support/start-prometheus.ts";
import { startReceiver } from "../support/start-receiver.ts";

/** On demand as many as asked for, a short form in CI. */
const FIRING = Number(process.env["PROXY_FIRING"] ?? "2000");
const STORM = Number(process.env["PROXY_STORM"] ?? "4096");

const QUIET = "route: {receiver: none, group_wait: 1h}\nreceivers: [{name: none}]\n";

async function startBehind(context: TestContext, config: Readonly<Record<string, unknown>> = {}) {
  const binary = requireBinary(context, "alertmanager");
  const alertmanager = await startAlertmanager({ binary, config: QUIET });
  context.onTestFinished(alertmanager.stop);
  const upstreams = [{ name: "am", url: alertmanager.url }];
  const alertlore = await startAlertlore({ proxy: { upstreams }, ...config });
  context.onTestFinished(alertlore.stop);
  return { binary, alertmanager, alertlore };
}

async function countAlerts(url: string): Promise<number> {
  const answer = await fetch(`${url}/api/v2/alerts`);
  return ((await answer.json()) as readonly unknown[]).length;
}

/** When so many alerts were seen there, in milliseconds. */
function whenThere(url: string, count: number): Promise<number> {
  const isThere = async () => ((await countAlerts(url)) >= count ? Date.now() : undefined);
  return eventually(isThere, { what: `${count} alerts`, limitMs: 90_000, everyMs: 250 });
}

async function sumOf(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const found = [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, "gm"))];
  if (found.length === 0) throw new Error(`${url} has no metric ${name}`);
  return found.reduce((sum, [, value]) => sum + Number(value), 0);
}

const RULES = `
groups:
  - name: many
    interval: 5s
    rules: [{alert: Many, expr: many == 1}]
`;

/** A Prometheus in which so many alerts fire, each sent again and again to the given Alertmanagers. */
async function startFiring(context: TestContext, scraped: string, ports: readonly number[]) {
  const targets = ports.map((port) => `"127.0.0.1:${port}"`).join(", ");
  const prometheus = await startPrometheus({
    binary: requireBinary(context, "prometheus"),
    config: `
global: {scrape_interval: 2s, evaluation_interval: 5s}
rule_files: [rules.yml]
scrape_configs: [{job_name: many, static_configs: [{targets: ["${new URL(scraped).host}"]}]}]
alerting: {alertmanagers: [{static_configs: [{targets: [${targets}]}]}]}
`,
    files: { "rules.yml": RULES },
    args: ["--rules.alert.resend-delay=5s"],
  });
  context.onTestFinished(prometheus.stop);
  return prometheus;
}

test(`a real Prometheus with ${FIRING} firing alerts drops none while Loki hangs, and delays no Alertmanager beside`, async (context) => {
  requireBinary(context, "prometheus");
  const loki = await startFakeLoki();
  context.onTestFinished(loki.stop);
  loki.misbehave(() => undefined);
  const { binary, alertmanager, alertlore } = await startBehind(context, {
    loki: { url: loki.url },
  });
  const [beside, alone] = await Promise.all([
    startAlertmanager({ binary, config: QUIET }),
    startAlertmanager({ binary, config: QUIET }),
  ]);
  const samples = Array.from({ length: FIRING }, (_, n) => `many{pod="engine-${n}"} 1\n`).join("");
  const scraped = await startReceiver(() => ({ status: 200, body: samples }));
  for (const each of [beside, alone, scraped]) context.onTestFinished(each.stop);

  /** Milliseconds from the first alert that arrives to the last. */
  const spread = async (url: string) => {
    const first = await whenThere(url, 1);
    return (await whenThere(url, FIRING)) - first;
  };
  // Both at the same time, so that the machine is equally busy for both.
  const prometheus = await startFiring(context, scraped.url, [alertlore.port, beside.port]);
  await startFiring(context, scraped.url, [alone.port]);
  const [behindMs, besideMs, aloneMs] = await Promise.all(
    [alertmanager, beside, alone].map(({ url }) => spread(url)),
  );
  // Some re-sends more, while Loki still hangs.
  await sleep(12_000);
  const sum = (name: string) => sumOf(prometheus.url, `prometheus_notifications_${name}_total`);
  expect(await sum("dropped")).toBe(0);
  expect(await sum("errors")).toBe(0);
  expect(await sumOf(alertlore.url, "alertlore_proxy_holds_total")).toBeGreaterThan(0);
  await context.annotate(`ms: behind ${behindMs}, beside ${besideMs}, alone ${aloneMs}`);
  // Each batch held for its 300 ms would make it 9 s longer for each 2,000 alerts.
  expect(besideMs ?? Infinity).toBeLessThan((aloneMs ?? 0) + (5000 * FIRING) / 2000);
});

async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

test(`a storm of ${STORM} alerts of 4 KiB each arrives whole, in bounded memory`, async (context) => {
  const { alertmanager, alertlore } = await startBehind(context);
  const before = await residentMiB(alertlore.pid);
  const description = "x".repeat(4096);
  const endsAt = new Date(Date.now() + 3_600_000).toISOString();
  const batchOf = (from: number) =>
    Array.from({ length: Math.min(256, STORM - from) }, (_, index) => ({
      labels: { alertname: "Storm", pod: `engine-${from + index}` },
      annotations: { description },
      endsAt,
    }));
  const starts = Array.from({ length: Math.ceil(STORM / 256) }, (_, index) => index * 256);
  const send = async () => {
    for (let from = starts.pop(); from !== undefined; from = starts.pop()) {
      const body = JSON.stringify(batchOf(from));
      const headers = { "content-type": "application/json" };
      const answer = await fetch(`${alertlore.url}/api/v2/alerts`, {
        method: "POST",
        headers,
        body,
      });
      expect(answer.status).toBe(200);
    }
  };
  await Promise.all(Array.from({ length: 8 }, send));
  expect(await countAlerts(alertmanager.url)).toBe(STORM);
  const peak = await residentMiB(alertlore.pid);
  await context.annotate(`resident at most ${peak.toFixed(0)} MiB, ${before.toFixed(0)} before`);
  // A body is held at most twice beside the alerts that are kept: far below all of the storm at once.
  expect(peak - before).toBeLessThan(512);
});
