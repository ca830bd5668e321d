import type { ServerResponse } from "node:http";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { startFakeLoki } from "../support/fake-loki.ts";
import type { FakeLoki } from "../support/fake-loki.ts";
import { pushLines } from "../support/push-lines.ts";
import { startReceiver } from "../support/start-receiver.ts";
import type { Receiver } from "../support/start-receiver.ts";
import { KNOWN_LINE, startWithLoki } from "../support/start-with-loki.ts";

const LABELS = { alertname: "CheckpointFailed", pod: "meta-0" };
const LINE_AT = `${Date.parse("2026-03-14T09:29:58Z")}000001`;

interface Scene {
  readonly loki: FakeLoki;
  readonly pager: Receiver;
  readonly chat: Receiver;
  readonly bridge: Receiver;
  readonly start: (deadline?: string) => ReturnType<typeof startWithLoki>;
}

/** A Loki without lines, a receiver for each late policy, and a store that outlives the service. */
async function setScene(): Promise<Scene> {
  const folder = await mkdtemp(path.join(tmpdir(), "alertlore-late-"));
  const loki = await startFakeLoki();
  const [pager, chat, bridge] = await Promise.all([
    startReceiver(),
    startReceiver(() => ({ status: 200, body: "ok" })),
    startReceiver(),
  ]);
  onTestFinished(async () => {
    await Promise.all([loki, pager, chat, bridge].map((server) => server.stop()));
    await rm(folder, { recursive: true });
  });
  const destinations = [
    { name: "pager", type: "pagerduty", routing_key: "k", url: pager.url },
    { name: "chat", type: "slack", url: chat.url },
    { name: "bridge", type: "alertmanager_webhook", url: bridge.url },
  ];
  return {
    ...{ loki, pager, chat, bridge },
    async start(deadline = "5s") {
      const service = await startWithLoki(
        loki.url,
        [
          `store: ${JSON.stringify(`sqlite:${folder}/late.db`)}`,
          `webhook: { deadline: ${deadline} }`,
          `loki: { url: "LOKI", timeout: 20s }`,
          `destinations: ${JSON.stringify(destinations)}`,
        ].join("\n"),
      );
      let isStopped = false;
      const stop = async () => {
        if (isStopped) return;
        isStopped = true;
        await service.stop();
      };
      onTestFinished(stop);
      return { ...service, stop };
    },
  };
}

interface PagerBody {
  readonly event_action: string;
  readonly dedup_key: string;
  readonly payload: { readonly custom_details: unknown };
}

const untilSent = (receiver: Receiver, count: number) =>
  eventually(() => (receiver.requests.length >= count ? true : undefined), {
    what: `request ${count}`,
    limitMs: 15_000,
  });

async function expectFollowUp({ pager, chat, bridge }: Scene): Promise<void> {
  await untilSent(pager, 2);
  await untilSent(chat, 2);
  const [first, second] = pager.requests.map(({ body }) => JSON.parse(body) as PagerBody);
  expect(second).toMatchObject({ event_action: "trigger", dedup_key: first?.dedup_key });
  expect(JSON.stringify(first)).not.toContain("error_summary");
  expect(JSON.stringify(second?.payload.custom_details)).toContain("error_summary");
  expect(chat.requests.map(({ body }) => (JSON.parse(body) as { text: string }).text)).toEqual([
    "[FIRING:1] CheckpointFailed",
    "Now explained: [FIRING:1] CheckpointFailed",
  ]);
  expect(chat.requests[1]?.body).toContain("Known error");
  expect(bridge.requests).toHaveLength(1);
}

test("lines that come after the alert are told by each destination's late policy, after a restart too", async () => {
  const scene = await setScene();
  const { loki, pager, chat, bridge } = scene;
  // Loki knows the label, and no line of this pod.
  await pushLines(loki.url, { pod: "meta-1" }, [[LINE_AT, "INFO checkpoint done"]]);
  const first = await scene.start();
  await first.post([{ labels: LABELS }]);
  await Promise.all([untilSent(pager, 1), untilSent(chat, 1), untilSent(bridge, 1)]);
  await first.stop();

  await pushLines(loki.url, { pod: "meta-0" }, [[LINE_AT, KNOWN_LINE]]);
  const second = await scene.start();
  second.clock.advance(18_000);
  const isFound = async () => {
    const samples = await second.metrics('alertlore_late_logs_total{result="found"} 1');
    return samples.length > 0 ? true : undefined;
  };
  await eventually(isFound, { what: "the later look", limitMs: 15_000 });
  second.clock.advance(2000);
  await expectFollowUp(scene);
  const counted = await second.metrics("alertlore_matched_errors_total{");
  expect(counted.map((sample) => sample.split(" ").at(-1)).filter((n) => n !== "0")).toEqual(["1"]);
});

test("what met the deadline is told when it is done", async () => {
  const scene = await setScene();
  const { loki, pager, chat, bridge } = scene;
  await pushLines(loki.url, { pod: "meta-0" }, [[LINE_AT, KNOWN_LINE]]);
  const held: ServerResponse[] = [];
  loki.misbehave((_request, response) => held.push(response));
  const service = await scene.start("100ms");
  await service.post([{ labels: LABELS }]);
  await Promise.all([untilSent(pager, 1), untilSent(chat, 1), untilSent(bridge, 1)]);
  loki.misbehave(undefined);
  for (const response of held) response.writeHead(503).end();
  service.clock.advance(18_000);
  const isFound = async () => {
    const samples = await service.metrics("alertlore_matched_errors_total{");
    return samples.some((sample) => sample.endsWith(" 1")) ? true : undefined;
  };
  await eventually(isFound, { what: "the enrichment", limitMs: 15_000 });
  service.clock.advance(2000);
  await expectFollowUp(scene);
});
