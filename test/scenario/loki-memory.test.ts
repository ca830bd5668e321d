import { afterEach, beforeEach, expect, it } from "vitest";
import { startAlertlore } from "../support/start-alertlore.ts";
import { startFakeLoki } from "../support/fake-loki.ts";
import type { FakeLoki, Misbehaviour } from "../support/fake-loki.ts";
import type { RunningProgram } from "../support/start-program.ts";
import { fingerprintOf } from "../../src/alert/fingerprint.ts";
import { buildAlertBody, buildGroupBody } from "../support/webhook-body.ts";

let loki: FakeLoki;
let program: RunningProgram | undefined;

beforeEach(async () => {
  loki = await startFakeLoki();
});

afterEach(async () => {
  await program?.stop();
  program = undefined;
  await loki.stop();
});

// 200 with ALERTLORE_LONG=1.
const GROUPS = process.env["ALERTLORE_LONG"] === "1" ? 200 : 5;
const ALERTS = 8;
const MEBIBYTE = 2 ** 20;

/** 100 MB of log lines, or as much as somebody reads. */
const endless: Misbehaviour = (request, response) => {
  response.writeHead(200);
  if (!request.path.endsWith("/query_range")) {
    response.end('{"status":"success","data":["pod"]}');
    return;
  }
  response.write(
    '{"status":"success","data":{"resultType":"streams","result":[{"stream":{},"values":[',
  );
  const chunk = '["1773480461120331001","a line of an answer without end"],'.repeat(20_000);
  let left = 100 * MEBIBYTE;
  const write = (): void => {
    left -= chunk.length;
    if (left <= 0 || response.destroyed) response.end();
    else response.write(chunk, write);
  };
  write();
};

it(
  `memory stays bounded over ${GROUPS * ALERTS} answers of 100 MB`,
  { timeout: 600_000 },
  async () => {
    loki.misbehave(endless);
    const running = await startAlertlore({
      webhook: { deadline: "30s" },
      annotate: { outcome_without_match: true },
      loki: { url: loki.url, queries_per_minute: 10_000, late: { enabled: false } },
    });
    program = running;
    const startsAt = new Date(Date.now() - 60_000).toISOString();
    const post = async (group: number) => {
      const alerts = Array.from({ length: ALERTS }, (_, index) => {
        const labels = { alertname: "A", pod: `pod-${group}-${index}` };
        return buildAlertBody({ labels, startsAt, fingerprint: fingerprintOf(labels) });
      });
      const answer = await fetch(`${running.url}/webhook?respond=enriched`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(buildGroupBody({ alerts, groupKey: `{}:{group="${group}"}` })),
      });
      const body = (await answer.json()) as { alerts: { annotations: Record<string, string> }[] };
      return body.alerts.map(({ annotations }) => annotations["error_outcome"]);
    };
    const residentBytes = async () => {
      const text = await (await fetch(`${running.url}/metrics`)).text();
      return Number(/^process_resident_memory_bytes (\S+)/mu.exec(text)?.[1]);
    };
    const before = await residentBytes();
    const outcomes = new Set<string | undefined>();
    let highest = before;
    for (let group = 0; group < GROUPS; group += 1) {
      for (const outcome of await post(group)) outcomes.add(outcome);
      highest = Math.max(highest, await residentBytes());
    }
    const [from, to] = [before, highest].map((bytes) => Math.round(bytes / MEBIBYTE));
    process.stdout.write(`resident memory: ${from} MiB before, at most ${to} MiB afterwards\n`);
    expect([...outcomes]).toEqual(["logs_failed"]);
    // Four requests at a time of 8 MiB each, read and not yet collected; all answers would be 4 GB.
    expect(highest - before).toBeLessThan(512 * MEBIBYTE);
  },
);
