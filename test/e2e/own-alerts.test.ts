import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { KNOWN_LINE } from "../support/create-kit.ts";
import { eventually } from "../support/eventually.ts";
import { requireBinary } from "../support/require-binary.ts";
import { repositoryRoot } from "../support/shared.ts";
import { startAlertlore } from "../support/start-alertlore.ts";
import { startPrometheus } from "../support/start-prometheus.ts";
import { startReceiver } from "../support/start-receiver.ts";
import { buildAlertBody, buildGroupBody } from "../support/webhook-body.ts";

/** A shipped file of rules, but that nothing is waited for: minutes are too long for a test. */
const impatient = (name: string) =>
  readFileSync(path.join(repositoryRoot, "rules/prometheus", name), "utf8").replaceAll(
    /^( +for:) .*$/gmu,
    "$1 0s",
  );

interface Firing {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly state: string;
}

async function get(url: string): Promise<unknown> {
  const { data } = (await (await fetch(url)).json()) as { data: unknown };
  return data;
}

test("a real Prometheus loads the shipped rules, records class rates, and fires on dead letters and on a target that is gone", async (context) => {
  const binary = requireBinary(context, "prometheus");
  const refusing = await startReceiver(() => ({ status: 400 }));
  context.onTestFinished(refusing.stop);
  const alertlore = await startAlertlore({
    destinations: [{ name: "pager", type: "alertmanager_webhook", url: refusing.url }],
  });
  context.onTestFinished(alertlore.stop);
  const prometheus = await startPrometheus({
    binary,
    config: `
global: {scrape_interval: 1s, evaluation_interval: 1s}
rule_files: [alertlore-recording.yml, alertlore-alerts.yml]
scrape_configs:
  - job_name: alertlore
    static_configs: [{targets: ["127.0.0.1:${alertlore.port}"]}]
`,
    files: {
      "alertlore-recording.yml": impatient("alertlore-recording.yml"),
      "alertlore-alerts.yml": impatient("alertlore-alerts.yml"),
    },
  });
  context.onTestFinished(prometheus.stop);
  const firing = (name: string) =>
    eventually(
      async () => {
        const { alerts } = (await get(`${prometheus.url}/api/v1/alerts`)) as { alerts: Firing[] };
        return alerts.find(
          ({ labels, state }) => labels["alertname"] === name && state === "firing",
        );
      },
      { what: `${name} to fire`, limitMs: 60_000, everyMs: 200 },
    );
  const recorded = (query: string) =>
    eventually(
      async () => {
        const url = `${prometheus.url}/api/v1/query?query=${encodeURIComponent(query)}`;
        const { result } = (await get(url)) as { result: { value: [number, string] }[] };
        return result[0]?.value[1];
      },
      { what: query, limitMs: 60_000, everyMs: 200 },
    );

  const standing = 'alertlore_matched_errors_total{error_class="CheckpointError"}';
  expect(await recorded(`sum(${standing})`)).toBe("0");
  const alert = buildAlertBody({ annotations: { log_excerpt: KNOWN_LINE } });
  const answer = await fetch(`${alertlore.url}/webhook`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(buildGroupBody({ alerts: [alert] })),
  });
  expect(answer.status).toBe(200);

  const dead = await firing("AlertloreDeadLetters");
  expect(dead.labels).toMatchObject({ severity: "critical", destination: "pager" });
  expect(dead.annotations["summary"]).toBe("Alertlore gave up 1 notifications to pager");
  const rate = 'job_error_class:alertlore_matched_errors:rate5m{error_class="CheckpointError"} > 0';
  expect(Number(await recorded(rate))).toBeGreaterThan(0);

  await alertlore.stop();
  const down = await firing("AlertloreDown");
  expect(down.labels).toMatchObject({ job: "alertlore", severity: "warning" });
});
