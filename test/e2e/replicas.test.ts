import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { beforeAll, expect, test } from "vitest";
import type { TestContext } from "vitest";
import { createLedger } from "../fault/ledger.ts";
import { buildProgram, missing, startCompiled, untilDrained } from "../fault/run-fault.ts";
import { startSender } from "../fault/sender.ts";
import { buildRecord } from "../support/build-record.ts";
import { freePort } from "../support/free-port.ts";
import { createRandom } from "../support/seeded-random.ts";
import { requirePostgres, startPostgres } from "../support/start-postgres.ts";
import { startTcpProxy } from "../support/start-tcp-proxy.ts";

beforeAll(buildProgram);

const CUT_MS = 10_000;

async function startReplica(
  context: TestContext,
  folder: string,
  wish: { store: string; receiver: string },
) {
  const port = await freePort();
  const config = path.join(folder, `replica-${port}.yaml`);
  await writeFile(
    config,
    JSON.stringify({
      store: wish.store,
      web: { listen_address: `127.0.0.1:${port}` },
      webhook: { deadline: "1s" },
      records: { starter: false, sources: [{ path: "records.json", curated: true }] },
      destinations: [
        { name: "ledger", type: "alertmanager_webhook", url: wish.receiver, timeout: "2s" },
      ],
    }),
  );
  const child = await startCompiled(config, port);
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  context.onTestFinished(kill);
  const url = `http://127.0.0.1:${port}`;
  return { url, kill };
}

async function countedBy(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = [...text.matchAll(/^alertlore_matched_errors_total\{.*\} (\d+)$/gmu)];
  return lines.reduce((sum, [, count]) => sum + Number(count), 0);
}

test("three replicas, one killed and one cut off for 10 s, lose nothing and count nothing twice", async (context) => {
  const postgres = await startPostgres(requirePostgres(context));
  context.onTestFinished(postgres.stop);
  const folder = await mkdtemp(path.join(tmpdir(), "alertlore-replicas-"));
  context.onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(path.join(folder, "records.json"), JSON.stringify([buildRecord(1).record]));
  const proxy = await startTcpProxy(postgres.port);
  context.onTestFinished(proxy.stop);
  const ledger = await createLedger(createRandom(3));
  context.onTestFinished(ledger.stop);

  const wish = { store: postgres.url, receiver: ledger.url };
  const viaProxy = postgres.url.replace(`:${postgres.port}/`, `:${proxy.port}/`);
  const steady = await startReplica(context, folder, wish);
  const doomed = await startReplica(context, folder, wish);
  const cut = await startReplica(context, folder, { ...wish, store: viaProxy });
  const sender = startSender({
    urls: [steady, doomed, cut].map(({ url }) => `${url}/webhook`),
    groups: 9,
  });

  await sleep(2000);
  proxy.cut();
  await sleep(1000);
  const countedByDoomed = await countedBy(doomed.url);
  await doomed.kill();
  await sleep(CUT_MS - 1000);
  proxy.mend();
  await sleep(1000);
  const last = await sender.stop();
  await untilDrained(ledger, last);
  expect([...missing(ledger, last), ...ledger.violations()]).toEqual([]);
  expect(sender.acknowledged()).toBeGreaterThan(9);

  // A kill may lose counts and never doubles them.
  const counted = countedByDoomed + (await countedBy(steady.url)) + (await countedBy(cut.url));
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const { rows } = await client.query<{ claimed: number; alerts: number }>(
    "select sum(counted)::int as claimed, count(distinct fingerprint)::int as alerts from episodes",
  );
  await client.end();
  expect(counted).toBeGreaterThan(0);
  expect(counted).toBeLessThanOrEqual(rows[0]?.claimed ?? 0);
  expect(rows[0]?.claimed).toBeLessThanOrEqual(rows[0]?.alerts ?? 0);
});
