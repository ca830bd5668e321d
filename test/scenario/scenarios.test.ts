import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import request from "supertest";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import type { Labels } from "../../src/alert/alert.ts";
import { fingerprintOf } from "../../src/alert/fingerprint.ts";
import { eventually } from "../support/eventually.ts";
import { createTestService } from "../support/create-test-service.ts";
import { startReceiver } from "../support/start-receiver.ts";
import { buildAlertBody, buildGroupBody } from "../support/webhook-body.ts";
import type { JsonBody } from "../support/webhook-body.ts";

/** One file of this folder: notifications in, deliveries and counters out. */
interface Scenario {
  /** A sentence that holds. */
  readonly shows: string;
  /** Sections of the configuration; the destination `pager` is always there. */
  readonly config?: JsonBody;
  /** Statuses that the destination answers in turn; 200 when there are no more. */
  readonly pager?: readonly number[];
  readonly steps: readonly {
    /** What differs from a typical notification and a typical alert. */
    readonly post: JsonBody & { readonly alerts: readonly JsonBody[] };
    readonly status: number;
    readonly answer?: JsonBody;
    /** Requests that the destination has got in all before the next step. */
    readonly sent: number;
  }[];
  /** Parts of the bodies that the destination was sent, in order. */
  readonly delivered: readonly JsonBody[];
  /** Keys that no delivered alert may carry among its annotations. */
  readonly neverDelivered?: readonly string[];
  /** Samples of /metrics with their values. */
  readonly counters: Readonly<Record<string, number>>;
}

const folder = import.meta.dirname;
const files = readdirSync(folder).filter((file) => file.endsWith(".yaml"));

describe("scenario", () => {
  it.each(files.map((file) => ({ file, scenario: read(file) })))(
    "$file: $scenario.shows",
    async ({ scenario }) => {
      const receiver = await startReceiver((index) => ({ status: scenario.pager?.[index] ?? 200 }));
      onTestFinished(() => receiver.stop());
      const { app } = await createTestService({
        ...scenario.config,
        destinations: [{ name: "pager", type: "alertmanager_webhook", url: receiver.url }],
      });
      for (const step of scenario.steps) {
        const alerts = step.post.alerts.map(alertBodyOf);
        const response = await request(app)
          .post("/webhook")
          .send(buildGroupBody({ ...step.post, alerts }));
        expect(response.status, response.text).toBe(step.status);
        expect(response.body).toMatchObject(step.answer ?? {});
        const isSent = () => (receiver.requests.length >= step.sent ? true : undefined);
        await eventually(isSent, { what: `request ${step.sent} to the destination` });
      }
      const bodies = receiver.requests.map((each) => JSON.parse(each.body) as JsonBody);
      expect(bodies).toMatchObject(scenario.delivered);
      expect(
        annotationNames(bodies).filter((name) => scenario.neverDelivered?.includes(name)),
      ).toEqual([]);
      const wanted = Object.entries(scenario.counters).map(
        ([sample, value]) => `${sample} ${value}`,
      );
      const missing = async () => {
        const { text } = await request(app).get("/metrics");
        const samples = new Set(text.split("\n"));
        return wanted.filter((sample) => !samples.has(sample));
      };
      // The outbox counts a delivery after the destination has answered.
      const areCounted = async () => ((await missing()).length === 0 ? true : undefined);
      await eventually(areCounted, { what: "the counters", limitMs: 5000 }).catch(() => undefined);
      expect(await missing()).toEqual([]);
      expect(receiver.requests).toHaveLength(scenario.delivered.length);
    },
  );
});

function read(file: string): Scenario {
  return parse(readFileSync(path.join(folder, file), "utf8")) as Scenario;
}

/** With the fingerprint that Alertmanager would give the labels. */
function alertBodyOf(wishes: JsonBody): JsonBody {
  const body = buildAlertBody(wishes);
  return { ...body, fingerprint: fingerprintOf(body["labels"] as Labels) };
}

function annotationNames(bodies: readonly JsonBody[]): string[] {
  const alerts = bodies.flatMap((body) => body["alerts"] as readonly JsonBody[]);
  return alerts.flatMap((alert) => Object.keys(alert["annotations"] as JsonBody));
}
