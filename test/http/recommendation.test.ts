import { readFile } from "node:fs/promises";
import path from "node:path";
import request from "supertest";
import { describe, expect, it } from "vitest";
import {
  recommendationAnswer,
  recommendationSchema,
} from "../../src/web/episodes/recommendation-schema.ts";
import { KNOWN_LINE } from "../support/create-kit.ts";
import { createTestService } from "../support/create-test-service.ts";
import type { TestService } from "../support/create-test-service.ts";
import { repositoryRoot } from "../support/shared.ts";
import { buildAlertBody, buildGroupBody } from "../support/webhook-body.ts";

interface Advice {
  readonly decision: string;
  readonly reason: string;
  readonly based_on: { readonly rule: string } | null;
}

function alertOf(number: number, logs: string, wishes: Record<string, unknown> = {}) {
  return buildAlertBody({
    labels: { alertname: "Checkpoint", pod: `p-${number}` },
    fingerprint: String(number).padStart(16, "0"),
    annotations: logs === "" ? {} : { log_excerpt: logs },
    ...wishes,
  });
}

async function send({ app }: TestService, alerts: readonly object[], wishes = {}): Promise<void> {
  const body = buildGroupBody({ alerts, ...wishes });
  await request(app).post("/webhook?respond=enriched").send(body).expect(200);
}

/** Advice of every episode, the first opened first. */
async function adviceOfAll({ app }: TestService): Promise<Advice[]> {
  const listed = await request(app).get("/api/v1/episodes?limit=100");
  const { episodes } = listed.body as { episodes: readonly { id: string }[] };
  const all: Advice[] = [];
  for (const { id } of episodes) {
    const answer = await request(app).get(`/api/v1/episodes/${id}/recommendation`).expect(200);
    expect(recommendationAnswer.strict().safeParse(answer.body).error).toBeUndefined();
    all.push(answer.body as Advice);
  }
  return all.reverse();
}

async function metricLines({ app }: TestService, name: string): Promise<readonly string[]> {
  const { text } = await request(app).get("/metrics");
  return text.split("\n").filter((line) => line.startsWith(name) && !line.endsWith(" 0"));
}

describe("the recommendation of an episode", () => {
  it("says retry for a transient curated error, and investigate when the alert is over", async () => {
    const service = await createTestService();
    await send(service, [alertOf(1, KNOWN_LINE)]);
    expect(await adviceOfAll(service)).toMatchObject([{ decision: "retry" }]);
    const ended = { status: "resolved", endsAt: "2026-03-14T10:00:00Z" };
    await send(service, [alertOf(1, KNOWN_LINE, ended)], { status: "resolved" });
    expect(await adviceOfAll(service)).toMatchObject([
      { decision: "investigate", based_on: { rule: "safeguard:resolved" } },
    ]);
  });

  it("is pending without logs, investigate without a match, and 404 for no episode", async () => {
    const service = await createTestService();
    await send(service, [alertOf(1, "")]);
    await send(service, [alertOf(2, "ERROR nothing that is known")]);
    const decisions = (await adviceOfAll(service)).map(({ decision }) => decision).sort();
    expect(decisions).toEqual(["investigate", "pending"]);
    const unknown = `/api/v1/episodes/${"0".repeat(64)}/recommendation`;
    expect((await request(service.app).get(unknown)).status).toBe(404);
  });

  it("escalates when the same error comes back on the same labels, and says how often", async () => {
    const service = await createTestService();
    await send(service, [alertOf(1, KNOWN_LINE)]);
    const ended = { status: "resolved", endsAt: "2026-03-14T10:00:00Z" };
    await send(service, [alertOf(1, KNOWN_LINE, ended)], { status: "resolved" });
    await send(service, [alertOf(1, KNOWN_LINE, { startsAt: "2026-03-14T11:00:00Z" })]);
    const open = (await adviceOfAll(service)).find((one) => one.reason.includes("once before"));
    expect(open).toMatchObject({ decision: "investigate" });
    expect(open?.based_on?.rule).toBe("safeguard:retried-before");
  });

  it("is widespread from the 20th of 500 alerts of one record on, in what goes out and for whoever asks later", async () => {
    const service = await createTestService({ webhook: { deadline: "30s" } });
    const alerts = Array.from({ length: 500 }, (_, index) => alertOf(index + 1, KNOWN_LINE));
    const body = buildGroupBody({ alerts });
    const answer = await request(service.app).post("/webhook?respond=enriched").send(body);
    const sent = answer.body as { alerts: { annotations: Record<string, string> }[] };
    const told = sent.alerts.map(({ annotations }) => annotations["error_retry"] ?? "");
    const widespread = told.map((text) => text.startsWith("investigate (widespread"));
    expect(widespread.indexOf(true)).toBe(19);
    expect(widespread.slice(19)).not.toContain(false);
    expect(told[0]).toMatch(/^retry /u);
    const rules = (await adviceOfAll(service)).map((one) => one.based_on?.rule);
    expect(new Set(rules)).toEqual(new Set(["safeguard:widespread"]));
    // The first ones were told to retry before anybody knew; their next notification takes it back.
    await send(service, alerts.slice(0, 3));
    const first = await request(service.app).post("/webhook?respond=enriched").send(body);
    const again = (first.body as typeof sent).alerts[0]?.annotations;
    expect(again?.["error_retry"]).toMatch(/^investigate \(widespread/u);
    expect(again?.["error_retry_reason"]).toMatch(/^Widespread: 500 alerts/u);
  });

  it("counts 3 copies x 5 repeats x resolve as exactly one firing", async () => {
    const service = await createTestService();
    for (let repeat = 0; repeat < 5; repeat += 1) {
      for (const replica of ["a", "b", "c"]) {
        await send(service, [alertOf(1, KNOWN_LINE)], { externalURL: `http://am-${replica}.test` });
      }
    }
    const ended = { status: "resolved", endsAt: "2026-03-14T10:00:00Z" };
    for (const replica of ["a", "b", "c"]) {
      const wishes = { status: "resolved", externalURL: `http://am-${replica}.test` };
      await send(service, [alertOf(1, KNOWN_LINE, ended)], wishes);
    }
    expect(await metricLines(service, "alertlore_matched_errors_total")).toEqual([
      'alertlore_matched_errors_total{error_class="CheckpointError",severity="error",decision="retry"} 1',
    ]);
  });

  it("has a published JSON Schema, the one that is served", async () => {
    const { app } = await createTestService();
    const served = await request(app).get("/api/v1/schemas/recommendation.json").buffer(true);
    const file = path.join(repositoryRoot, "docs/recommendation.schema.json");
    const published: unknown = JSON.parse(await readFile(file, "utf8"));
    expect(published).toEqual(JSON.parse(JSON.stringify(recommendationSchema())));
    expect(served.type).toBe("application/schema+json");
    const { text } = served;
    expect(JSON.parse(text)).toEqual(published);
  });
});
