import type { TestService } from "./create-test-service.ts";
import { createTestService } from "./create-test-service.ts";
import type { RecordWishes } from "./build-record.ts";
import { eventually } from "./eventually.ts";
import { startReceiver } from "./start-receiver.ts";
import { buildAlertBody, buildGroupBody } from "./webhook-body.ts";

/** Runs when it is not shown as text. */
export const HOSTILE = `"'></code></textarea><script>document.title="pwned"</script><img src=x onerror=alert(1)>\u001b[31m\u202e{{7*7}}\ud800`;

/** A listening service with episodes of every kind behind its pages. */
export interface PageWorld extends TestService {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
}

const RECORDS: readonly RecordWishes[] = [
  {
    repo: "acme/shop",
    errorMessage: "cannot place order {}: {}",
    errorClass: "OrderError",
    documentation:
      "An order was not placed because a service behind it failed. Nothing was charged.",
    solutions: ["Look at the cause that stands behind the colon."],
    handlingStrategy: "try-catch",
  },
  {
    repo: "acme/pool",
    errorMessage: "connection pool {} exhausted after {}: {} in use",
    errorClass: "PoolExhausted",
    documentation:
      "Every connection of the pool is in use, so new work waits and then fails. Most often a few slow queries hold their connections; less often the pool is too small.",
    triggerScenarios: "A caller waits longer than `pool.timeout` for a connection.",
    commonSituations:
      "A slow query after a deployment, a lock that is held, a leak of connections.",
    solutions: [
      "Find the slowest queries: `select pid, now() - query_start, query from pg_stat_activity order by 2 desc limit 5`.",
      "End the one that holds the others: `select pg_terminate_backend(<pid>)`.",
      "If none is slow, raise `pool.size` and watch `pool_in_use` for ten minutes.",
    ],
    handlingStrategy: "fallback",
    severity: "critical",
  },
  {
    repo: "acme/engine",
    errorMessage: "cannot write checkpoint {} of shard {}: lease expired",
    handlingStrategy: "retry",
    backgroundTag: "lease-expired",
  },
  {
    repo: `evil/<script>`,
    slug: "evil",
    errorMessage: "evil <script>alert(1)</script> happened to {}",
    errorClass: HOSTILE,
    documentation: HOSTILE,
    solutions: [HOSTILE, "javascript:alert(1)"],
    githubUrl: "https://github.com/evil/evil",
    filePath: HOSTILE,
  },
];

const CHAIN = [
  "2026-12-01T11:58:40Z INFO shop::web: request 8121 began",
  "2026-12-01T11:58:41Z WARN shop::pool: 20 of 20 connections in use",
  "2026-12-01T11:59:11Z ERROR shop::order: cannot place order 4711: connection pool main exhausted after 30s: 20 in use",
  "2026-12-01T11:59:11Z INFO shop::web: request 8121 answered 503",
].join("\n");

/** The alerts of the world: labels and log lines. */
const ALERTS: readonly (readonly [labels: Record<string, string>, logs: string])[] = [
  [{ alertname: "OrdersFailing", namespace: "shop", pod: "orders-7d9c", severity: "page" }, CHAIN],
  [{ alertname: "OrdersFailing", namespace: "shop", pod: "orders-2b1a", severity: "page" }, CHAIN],
  [
    { alertname: "CheckpointLate", namespace: "stream", pod: "engine-0" },
    "2026-12-01T11:59:00Z ERROR engine::checkpoint: cannot write checkpoint 71 of shard s-4: lease expired",
  ],
  [
    { alertname: "PaymentsSlow", namespace: "shop", pod: "pay-1" },
    "ERROR shop::pay: payment 17 of order o-1 was declined by the bank",
  ],
  [
    { alertname: HOSTILE, pod: "javascript:alert(1)", hostile: HOSTILE },
    `ERROR evil <script>alert(1)</script> happened to ${HOSTILE}\nERROR ${HOSTILE}\n${"x".repeat(2 ** 20)}`,
  ],
  [{ alertname: "Unknown", pod: HOSTILE }, `ERROR nobody knows ${HOSTILE} here`],
  [{ alertname: "NoLines", namespace: "shop" }, ""],
];

/** Starts the world; its one destination refuses everything, so that there are dead letters. */
export async function startPageWorld(
  stopLater: (stop: () => Promise<void>) => void,
): Promise<PageWorld> {
  const receiver = await startReceiver(() => ({ status: 400 }));
  stopLater(receiver.stop);
  const service = await createTestService({
    web: { listen_address: "127.0.0.1:0", external_url: "http://lore.test" },
    destinations: [{ name: "pager", type: "alertmanager_webhook", url: receiver.url }],
  });
  await service.writeRecords(RECORDS);
  const faults = await service.reload();
  if (faults.length > 0) throw new Error(faults.join("; "));
  const { port } = await service.listen();
  const url = `http://127.0.0.1:${port}`;
  for (const [index, [labels, logs]] of ALERTS.entries()) await post(url, { index, labels, logs });
  await eventually(
    async () => {
      const answer = await fetch(`${url}/api/v1/deliveries`);
      const { deliveries } = (await answer.json()) as { deliveries: unknown[] };
      return deliveries.length >= ALERTS.length ? true : undefined;
    },
    { what: "the dead letters" },
  );
  return { ...service, url };
}

async function post(
  url: string,
  { index, labels, logs }: { index: number; labels: Record<string, string>; logs: string },
): Promise<void> {
  const alert = buildAlertBody({
    labels,
    annotations: { log_excerpt: logs },
    startsAt: new Date(Date.now() - 480_000).toISOString(),
    fingerprint: (index + 1).toString(16).padStart(16, "0"),
  });
  const groupKey = `{}:{alertname="${labels["alertname"] ?? ""}", n="${index}"}`;
  const answer = await fetch(`${url}/webhook?respond=enriched`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(buildGroupBody({ alerts: [alert], groupKey })),
  });
  if (answer.status !== 200) throw new Error(await answer.text());
}
