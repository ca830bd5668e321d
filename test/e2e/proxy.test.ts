import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import type { TestContext } from "vitest";
import { fingerprintOf } from "../../src/alert/fingerprint.ts";
import { KNOWN_LINE } from "../support/create-kit.ts";
import { eventually } from "../support/eventually.ts";
import { requireBinary } from "../support/require-binary.ts";
import { startAlertlore } from "../support/start-alertlore.ts";
import { startAlertmanager } from "../support/start-alertmanager.ts";
import { startFakeLoki } from "../support/fake-loki.ts";
import { startPrometheus } from "../support/start-prometheus.ts";
import { startReceiver } from "../support/start-receiver.ts";

const run = promisify(execFile);

interface Shown {
  readonly fingerprint: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly status: { readonly state: string };
}

interface Notified {
  readonly status: string;
  readonly alerts: readonly (Omit<Shown, "status"> & { readonly status: string })[];
}

const LABELS = { alertname: "CheckpointLate", namespace: "engine", severity: "critical" };

async function alertsOf(url: string): Promise<readonly Shown[]> {
  const answer = await fetch(`${url}/api/v2/alerts`);
  return (await answer.json()) as readonly Shown[];
}

/** Two Alertmanagers that know nothing of each other, behind one Alertlore. */
async function startPair(context: TestContext, config: Readonly<Record<string, unknown>> = {}) {
  const binary = requireBinary(context, "alertmanager");
  const receivers = [await startReceiver(), await startReceiver()];
  const alertmanagers = await Promise.all(
    receivers.map((receiver) =>
      startAlertmanager({
        binary,
        config: `
route: {receiver: pager, group_by: [alertname], group_wait: 4s, group_interval: 2s, repeat_interval: 1h}
inhibit_rules: [{source_matchers: [alertname="NodeDown"], target_matchers: [severity="critical"], equal: [namespace]}]
receivers: [{name: pager, webhook_configs: [{url: "${receiver.url}", send_resolved: true}]}]
`,
      }),
    ),
  );
  const { proxy, ...others } = config as { proxy?: object };
  const alertlore = await startAlertlore({
    proxy: {
      upstreams: alertmanagers.map(({ url }, i) => ({ name: `am-${i}`, url })),
      ...proxy,
    },
    ...others,
  });
  for (const each of [...receivers, ...alertmanagers, alertlore]) context.onTestFinished(each.stop);
  return { receivers, alertmanagers, alertlore };
}

async function post(url: string, alerts: readonly object[]): Promise<number> {
  const answer = await fetch(`${url}/api/v2/alerts`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(alerts),
  });
  return answer.status;
}

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

describe("Prometheus, Alertlore, two Alertmanagers", () => {
  test("the first notification explains, re-sends keep it, the resolved one has no advice", async (context) => {
    const prometheusBinary = requireBinary(context, "prometheus");
    const loki = await startFakeLoki();
    context.onTestFinished(loki.stop);
    // Explaining takes longer than any post may be held.
    loki.misbehave((request, response) => {
      const lines = [[`${Date.now()}000000`, KNOWN_LINE]];
      const result = [{ stream: { namespace: "engine" }, values: lines }];
      const data = request.path.endsWith("/labels")
        ? ["namespace"]
        : { resultType: "streams", result, stats: {} };
      const send = () => {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ status: "success", data }));
      };
      setTimeout(send, request.path.endsWith("/labels") ? 0 : 2000);
    });
    const { receivers, alertmanagers, alertlore } = await startPair(context, {
      loki: { url: loki.url },
    });
    // Prometheus finds its Alertmanagers some seconds after its start, and an alert that is older than
    // group_wait when it first arrives is notified at once.
    const firesFrom = Math.ceil(Date.now() / 1000) + 15;
    const rules = `
groups:
  - name: engine
    interval: 1s
    rules:
      - alert: CheckpointLate
        expr: vector(time()) > ${firesFrom} < ${firesFrom + 20}
        labels: {namespace: engine, severity: critical}
        annotations: {summary: Checkpoints are late}
`;
    const prometheus = await startPrometheus({
      binary: prometheusBinary,
      config: `
global: {evaluation_interval: 1s}
rule_files: [rules.yml]
alerting: {alertmanagers: [{static_configs: [{targets: ["127.0.0.1:${alertlore.port}"]}]}]}
`,
      files: { "rules.yml": rules },
      args: ["--rules.alert.resend-delay=2s"],
    });
    context.onTestFinished(prometheus.stop);
    for (const receiver of receivers) {
      const first = await eventually(() => receiver.requests[0], {
        what: "a notification",
        limitMs: 60_000,
      });
      const { alerts } = JSON.parse(first.body) as Notified;
      expect(alerts[0]?.annotations).toMatchObject({ summary: "Checkpoints are late" });
      expect(alerts[0]?.annotations).toHaveProperty("error_summary");
      expect(alerts[0]?.fingerprint).toBe(fingerprintOf(LABELS));
    }
    // Three re-sends later it is still there.
    const before = await metric(alertlore.url, "alertlore_proxy_posts_total", "annotated");
    await eventually(
      async () =>
        (await metric(alertlore.url, "alertlore_proxy_posts_total", "annotated")) >= before + 3 ||
        undefined,
      { what: "three re-sends" },
    );
    for (const { url } of alertmanagers)
      expect((await alertsOf(url))[0]?.annotations).toHaveProperty("error_summary");
    for (const receiver of receivers) {
      const resolved = await eventually(
        () =>
          receiver.requests.find(
            ({ body }) => (JSON.parse(body) as Notified).status === "resolved",
          ),
        { what: "the resolved notification", limitMs: 60_000 },
      );
      const { alerts } = JSON.parse(resolved.body) as Notified;
      expect(alerts[0]?.annotations).toHaveProperty("error_record");
      expect(alerts[0]?.annotations).not.toHaveProperty("error_retry");
    }
  });

  test("silences, inhibition and fingerprints are those of a direct post", async (context) => {
    const amtool = requireBinary(context, "amtool");
    const { alertmanagers, alertlore } = await startPair(context, { proxy: { silences: true } });
    const [direct, other] = alertmanagers;
    if (direct === undefined || other === undefined) throw new Error("no pair");
    const silenced = { ...LABELS, alertname: "DiskFull", namespace: "store" };
    const source = { alertname: "NodeDown", namespace: "engine", severity: "warning" };
    const of = (url: string, ...args: string[]) =>
      run(amtool, [`--alertmanager.url=${url}`, ...args]);
    await of(
      other.url,
      "silence",
      "add",
      'alertname="DiskFull"',
      "-d",
      "1h",
      "-a",
      "me",
      "-c",
      "y",
    );
    const annotations = { log_excerpt: KNOWN_LINE };
    const alerts = [LABELS, silenced, source].map((labels) => ({ labels, annotations }));
    expect(await post(alertlore.url, alerts)).toBe(200);
    const shown = await eventually(
      async () => {
        const found = await alertsOf(other.url);
        return found.filter(({ status }) => status.state === "suppressed").length === 2
          ? found
          : undefined;
      },
      { what: "a silenced and an inhibited alert" },
    );
    expect(shown.map((each) => each.fingerprint).sort()).toEqual(
      [LABELS, silenced, source].map(fingerprintOf).sort(),
    );
    for (const each of shown) expect(each.annotations).toHaveProperty("error_summary");
  });

  test("amtool works against Alertlore's address", async (context) => {
    const amtool = requireBinary(context, "amtool");
    const { alertlore, alertmanagers } = await startPair(context, { proxy: { silences: true } });
    const ask = async (...args: string[]) => {
      const { stdout } = await run(amtool, [`--alertmanager.url=${alertlore.url}`, ...args]);
      return stdout.trim();
    };
    await ask("alert", "add", "alertname=X", "job=y", `--annotation=log_excerpt=${KNOWN_LINE}`);
    for (const { url } of alertmanagers) expect(await alertsOf(url)).toHaveLength(1);
    const found = JSON.parse(await ask("alert", "query", "-o", "json", 'job="y"')) as Shown[];
    expect(found[0]?.annotations).toHaveProperty("error_summary");
    const id = await ask("silence", "add", "alertname=X", "-d", "1h", "-a", "me", "-c", "why");
    expect(await ask("silence", "query", "-q")).toBe(id);
    await ask("silence", "expire", id);
    expect(await ask("silence", "query", "-q")).toBe("");
  });
});

/** On demand as often as asked for, a short form in CI. */
const RACES = Number(process.env["PROXY_RACES"] ?? "60");

test(`a push that races a resolve never opens the alert again, ${RACES} times in both orders`, async (context) => {
  const { alertmanagers, alertlore } = await startPair(context, { proxy: { hold: "0s" } });
  const annotations = { log_excerpt: KNOWN_LINE };
  const labelsOf = (number: number) => ({ ...LABELS, race: String(number) });
  for (let from = 0; from < RACES; from += 20) {
    const numbers = Array.from({ length: Math.min(20, RACES - from) }, (_, i) => from + i);
    await Promise.all(
      numbers.map(async (number) => {
        const labels = labelsOf(number);
        const startsAt = inMs(-1000);
        const fired = { labels, annotations, startsAt, endsAt: inMs(60_000) };
        const firing = post(alertlore.url, [fired]);
        // In one half the push is on its way when the resolve comes, in the other it is not.
        if (number % 2 === 0) await firing;
        await new Promise((resolve) => setTimeout(resolve, (number * 7) % 40));
        await firing;
        expect(await post(alertlore.url, [{ ...fired, endsAt: inMs(0) }])).toBe(200);
      }),
    );
  }
  // Whatever was on its way has arrived by then.
  await new Promise((resolve) => setTimeout(resolve, 1000));
  for (const { url } of alertmanagers) expect(await alertsOf(url)).toEqual([]);
});

async function metric(url: string, name: string, value: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const found = new RegExp(`^${name}\\{[^}]*"${value}"[^}]*\\} (\\S+)$`, "m").exec(text);
  return Number(found?.[1] ?? 0);
}
