import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { TestContext } from "vitest";
import { fingerprintOf } from "../../src/alert/fingerprint.ts";
import { createDeliveriesCommand } from "../../src/cli/deliveries.ts";
import { createTestService } from "../support/create-test-service.ts";
import { eventually } from "../support/eventually.ts";
import { startReceiver } from "../support/start-receiver.ts";
import type { Answer, AnswerGiven, ReceivedRequest } from "../support/start-receiver.ts";
import { buildAlertBody, buildGroupBody } from "../support/webhook-body.ts";

const GROUPS = 6;
const OK: AnswerGiven = { status: 200, body: "ok" };

/** Of the first requests of each group; afterwards all is well. */
interface Trouble {
  readonly name: string;
  readonly type: "alertmanager_webhook" | "slack";
  readonly first: AnswerGiven;
  readonly times: number;
}

const TROUBLES: readonly Trouble[] = [
  { name: "is down for a while", type: "alertmanager_webhook", first: { status: 503 }, times: 3 },
  { name: "is slow", type: "alertmanager_webhook", first: { ...OK, afterMs: 1500 }, times: 1 },
  {
    name: "answers 429 with Retry-After",
    type: "alertmanager_webhook",
    first: { status: 429, headers: { "retry-after": "2" } },
    times: 1,
  },
  { name: "answers 400 to the rich form", type: "slack", first: { status: 400 }, times: 1 },
  { name: "answers 500", type: "alertmanager_webhook", first: { status: 500 }, times: 2 },
  {
    name: "answers 200 with an error in the body",
    type: "slack",
    first: { status: 200, body: "invalid_blocks" },
    times: 1,
  },
  {
    name: "closes the socket",
    type: "alertmanager_webhook",
    first: { status: undefined },
    times: 2,
  },
];

const labelsOf = (group: number, pod: string) => ({ alertname: `Group${group}`, pod });

/** The n-th group with its members; capital letters fire. */
function bodyOf(group: number, members: string): object {
  const alerts = Array.from(members, (letter) => {
    const labels = labelsOf(group, letter.toLowerCase());
    const isOver = letter === letter.toLowerCase();
    return buildAlertBody({
      ...{ labels, fingerprint: fingerprintOf(labels), annotations: { summary: `of ${group}` } },
      ...(isOver && { status: "resolved", endsAt: "2026-03-14T09:40:00Z" }),
    });
  });
  const groupLabels = { alertname: `Group${group}` };
  const groupKey = `{}:{alertname="Group${group}"}`;
  return buildGroupBody({ alerts, groupLabels, groupKey });
}

const groupOf = ({ body }: ReceivedRequest) => /Group(\d+)/u.exec(body)?.[1] ?? "";

async function post(url: string, body: object): Promise<void> {
  const answer = await fetch(`${url}/webhook`, { method: "POST", body: JSON.stringify(body) });
  expect(answer.status).toBe(200);
}

async function start(
  context: TestContext,
  answer: Answer,
  { type, ...more }: { type: Trouble["type"]; timeout?: string; expire_after?: string },
) {
  const receiver = await startReceiver(answer);
  context.onTestFinished(receiver.stop);
  const folder = await mkdtemp(path.join(tmpdir(), "alertlore-trouble-"));
  context.onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const store = `sqlite:${folder}/trouble.db`;
  const destinations = [{ name: "d", type, url: receiver.url, ...more }];
  const web = { listen_address: "127.0.0.1:0" };
  const service = await createTestService({ store, destinations, web });
  const { port } = await service.listen();
  const alertlore = { url: `http://127.0.0.1:${port}`, stop: () => service.close() };
  return { receiver, alertlore, folder, store, destinations };
}

describe("a receiver that", () => {
  it.for(TROUBLES)("$name gets the latest state of each group once", async (trouble, context) => {
    const taken = new Map<string, string[]>();
    const asked = new Map<string, number>();
    const answer: Answer = (_index, request) => {
      const group = groupOf(request);
      const times = (asked.get(group) ?? 0) + 1;
      asked.set(group, times);
      const given = times <= trouble.times ? trouble.first : OK;
      const isTaken = given.status === 200 && given.body !== "invalid_blocks";
      if (isTaken) taken.set(group, [...(taken.get(group) ?? []), request.body]);
      return given;
    };
    const { receiver, alertlore } = await start(context, answer, { type: trouble.type });
    const groups = Array.from({ length: GROUPS }, (_, index) => index);
    for (const group of groups) await post(alertlore.url, bodyOf(group, "AB"));
    for (const group of groups) await post(alertlore.url, bodyOf(group, "aB"));

    const isLatest = (body: string) => /resolved/iu.test(body);
    const isDone = () =>
      groups.every((group) => taken.get(String(group))?.some(isLatest)) ? true : undefined;
    await eventually(isDone, { what: "the latest state of each group", limitMs: 60_000 });
    // Whoever is not sure that nothing more comes waits for the outbox to be empty.
    const isEmpty = async () => {
      const text = await (await fetch(`${alertlore.url}/metrics`)).text();
      return text.includes('alertlore_deliveries_pending{destination="d"} 0') ? true : undefined;
    };
    await eventually(isEmpty, { what: "the outbox to be empty", limitMs: 30_000 });
    for (const group of groups) {
      const bodies = taken.get(String(group)) ?? [];
      expect(bodies.filter(isLatest), `group ${group}`).toHaveLength(1);
      expect(bodies.length).toBeLessThanOrEqual(2);
    }
    expect(receiver.requests.length).toBeGreaterThan(GROUPS);
  });

  it("refuses one message for good gets all others, and that one again when it is sent by hand", async (context) => {
    let isRefusing = true;
    const answer: Answer = (_index, request) =>
      isRefusing && groupOf(request) === "3" ? { status: 400 } : OK;
    const { receiver, alertlore, folder, store, destinations } = await start(context, answer, {
      type: "alertmanager_webhook",
    });
    for (let group = 0; group < GROUPS; group += 1) await post(alertlore.url, bodyOf(group, "A"));
    const groupsSeen = () => new Set(receiver.requests.map(groupOf)).size;
    await eventually(() => (groupsSeen() === GROUPS ? true : undefined), { what: "every group" });

    const configFile = path.join(folder, "cli.yaml");
    const listenAddress = alertlore.url.replace("http://", "");
    const config = { store, destinations, web: { listen_address: listenAddress } };
    await writeFile(configFile, JSON.stringify(config));
    const cli = async (...args: string[]) => {
      const written: string[] = [];
      const spy = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
        written.push(String(text));
        return true;
      });
      const words = [...args, `--config.file=${configFile}`];
      await createDeliveriesCommand().parseAsync(words, { from: "user" });
      spy.mockRestore();
      return written.join("");
    };
    const list = async () =>
      (JSON.parse(await cli("list", "--format", "json")) as { deliveries: { id: string }[] })
        .deliveries;
    const [dead] = await eventually(
      async () => {
        const letters = await list();
        return letters.length > 0 ? letters : undefined;
      },
      { what: "the dead letter", limitMs: 20_000 },
    );
    expect(dead).toMatchObject({ destination: "d", groupKey: '{}:{alertname="Group3"}' });
    expect(await cli("list")).toContain('{}:{alertname="Group3"}  2 tries: destination d');

    isRefusing = false;
    const before = receiver.requests.length;
    expect(await cli("resend", dead?.id ?? "")).toContain("is due again");
    const sent = () => receiver.requests.slice(before).find((each) => groupOf(each) === "3");
    await eventually(sent, { what: "the message to be sent again" });
    // Without a service the file itself is opened.
    await alertlore.stop();
    expect(await cli("list")).toBe("no dead letters\n");
  });
});
