import request from "supertest";
import { describe, expect, test } from "vitest";
import type { TestContext } from "vitest";
import { KNOWN_LINE } from "../support/create-kit.ts";
import { createTestService } from "../support/create-test-service.ts";
import type { TestService } from "../support/create-test-service.ts";
import { provideStores } from "../support/each-store.ts";
import { eventually } from "../support/eventually.ts";
import { buildAlertBody, buildGroupBody } from "../support/webhook-body.ts";

/** As the shipped retry table says. */
const WIDESPREAD_FROM = 20;

/** Small groups until the number is passed, so that each replica has to know of the other's. */
const FIRST_OF_GROUP = [1, 8, 15, 22, 100, 200, 300, 400];
/** As many as one page has. */
const EPISODES_SHOWN = 200;

const { urlFor } = provideStores();

/** Starts services that share one PostgreSQL; SQLite has one owner, so it cannot be shared. */
async function startReplicas(
  context: TestContext,
): Promise<readonly [TestService, TestService, () => Promise<TestService>]> {
  const store = await urlFor(context, "postgres");
  const start = () => createTestService({ store, webhook: { deadline: "30s" } });
  return [await start(), await start(), start];
}

function alertOf(number: number, wishes: Record<string, unknown> = {}) {
  return buildAlertBody({
    labels: { alertname: "Checkpoint", pod: `p-${number}` },
    fingerprint: String(number).padStart(16, "0"),
    annotations: { log_excerpt: KNOWN_LINE },
    ...wishes,
  });
}

/** Gives what `error_retry` says of each alert, in their order. */
async function send(
  { app }: TestService,
  alerts: readonly object[],
  wishes = {},
): Promise<readonly string[]> {
  const body = buildGroupBody({ alerts, ...wishes });
  const answer = await request(app).post("/webhook?respond=enriched").send(body).expect(200);
  const sent = answer.body as { alerts: readonly { annotations: Record<string, string> }[] };
  return sent.alerts.map(({ annotations }) => annotations["error_retry"] ?? "");
}

/** What the counter stands at over all replicas, by its labels; series at 0 are left out. */
async function countedBy(replicas: readonly TestService[], name: string) {
  const sums: Record<string, number> = {};
  for (const { app } of replicas) {
    const { text } = await request(app).get("/metrics");
    for (const [, labels = "", value] of text.matchAll(
      new RegExp(`^${name}\\{(.*)\\} (.+)$`, "gmu"),
    ))
      if (Number(value) !== 0) sums[labels] = (sums[labels] ?? 0) + Number(value);
  }
  return sums;
}

interface Advice {
  readonly decision: string;
  readonly reason: string;
  readonly based_on: { readonly rule: string };
}

/** The advice on the newest episodes as a replica gives it, the newest first. */
async function adviceOfAll({ app }: TestService): Promise<readonly Advice[]> {
  const listed = await request(app).get(`/api/v1/episodes?limit=${EPISODES_SHOWN}`).expect(200);
  const { episodes } = listed.body as { episodes: readonly { id: string }[] };
  return Promise.all(
    episodes.map(async ({ id }) => {
      const answer = await request(app).get(`/api/v1/episodes/${id}/recommendation`).expect(200);
      return answer.body as Advice;
    }),
  );
}

describe("two replicas on one PostgreSQL", () => {
  test("count 3 copies x 5 repeats x resolve as one firing, and as one attempt", async (context) => {
    const [one, other] = await startReplicas(context);
    const copies = ["a", "b", "c"].map((peer) => ({ externalURL: `http://am-${peer}.test` }));
    for (let repeat = 0; repeat < 5; repeat += 1) {
      // All three at once, and no peer always to the same replica.
      await Promise.all(
        copies.map((copy, peer) =>
          send((peer + repeat) % 2 === 0 ? one : other, [alertOf(1)], copy),
        ),
      );
    }
    const ended = { status: "resolved", endsAt: "2026-03-14T10:00:00Z" };
    await Promise.all(
      copies.map((copy, peer) =>
        send(peer === 0 ? one : other, [alertOf(1, ended)], { status: "resolved", ...copy }),
      ),
    );

    // Groups of one stream are finished in their order: once the next firing has its advice, nothing
    // that came before can count any more.
    await send(other, [alertOf(1, { startsAt: "2026-03-14T11:00:00Z" })]);
    const both = [one, other];
    for (const replica of both) {
      const reason = await eventually(
        async () => {
          const [newest] = await adviceOfAll(replica);
          return newest?.decision === "investigate" ? newest.reason : undefined;
        },
        { what: "advice on the second firing" },
      );
      expect(reason).toContain("A retry was advised once before");
    }
    expect(await countedBy(both, "alertlore_recommendations_total")).toEqual({
      'decision="retry"': 1,
      'decision="investigate"': 1,
    });
    const first = 'error_class="CheckpointError",severity="error",decision="retry"';
    expect(await countedBy(both, "alertlore_matched_errors_total")).toMatchObject({ [first]: 1 });
  });

  test("call 500 alerts of one record widespread from the 20th on, whichever is told, and after a restart", async (context) => {
    const [one, other, startAnother] = await startReplicas(context);
    const told: string[] = [];
    for (const [index, first] of FIRST_OF_GROUP.entries()) {
      const length = (FIRST_OF_GROUP[index + 1] ?? 501) - first;
      const alerts = Array.from({ length }, (_, offset) => alertOf(first + offset));
      const wishes = { groupKey: `{}:{group="${first}"}` };
      told.push(...(await send(index % 2 === 0 ? one : other, alerts, wishes)));
    }
    expect(told).toHaveLength(500);
    const widespread = told.map((text) => text.startsWith("investigate (widespread"));
    expect(widespread.indexOf(true)).toBe(WIDESPREAD_FROM - 1);
    expect(widespread.slice(WIDESPREAD_FROM - 1)).not.toContain(false);
    expect(told.slice(0, WIDESPREAD_FROM - 1).filter((text) => !/^retry /u.test(text))).toEqual([]);
    expect(await countedBy([one, other], "alertlore_recommendations_total")).toEqual({
      'decision="retry"': WIDESPREAD_FROM - 1,
      'decision="investigate"': 500 - (WIDESPREAD_FROM - 1),
    });

    await one.close();
    const rules = (await adviceOfAll(await startAnother())).map((advice) => advice.based_on.rule);
    expect(rules).toEqual(Array.from({ length: EPISODES_SHOWN }, () => "safeguard:widespread"));
  });
});
