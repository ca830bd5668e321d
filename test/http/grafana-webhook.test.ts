import { readFileSync } from "node:fs";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { isSigned } from "../../src/ingest/require-signature.ts";
import { createTestService } from "../support/create-test-service.ts";
import { KNOWN_LINE } from "../support/create-kit.ts";
import { findShared } from "../support/shared.ts";
import { buildAlertBody, buildGroupBody } from "../support/webhook-body.ts";

interface Vector {
  readonly secret: string;
  readonly timestampHeader: string;
  readonly timestamp: string;
  readonly signatureHeader: string;
  readonly rawBody: string;
  readonly signatureWithTimestamp: string;
  readonly signatureWithoutTimestamp: string;
}

type Fields = Record<string, unknown>;

const samples = findShared("contracts/samples");

function readSample(name: string): string {
  return readFileSync(`${samples ?? ""}/grafana-webhook-${name}.json`, "utf8");
}

describe.skipIf(samples === undefined)("a sample of Grafana (needs the shared folder)", () => {
  it.each(["firing", "resolved", "nodata"])("%s comes back with its own fields", async (name) => {
    const sent = JSON.parse(readSample(name)) as Fields & { alerts: Fields[] };
    const alerts = sent.alerts.map((alert) => ({
      ...alert,
      annotations: { ...(alert["annotations"] as Fields), log_excerpt: KNOWN_LINE },
    }));
    const { app } = await createTestService();
    const response = await request(app)
      .post("/webhook?respond=enriched")
      .send({ ...sent, alerts });
    expect(response.status).toBe(200);
    const commonAnnotations: unknown = expect.anything();
    expect(response.body).toMatchObject({ ...sent, alerts, commonAnnotations });
    if (name !== "resolved") expect(response.text).toContain('"error_summary"');
  });

  it("is signed as computed, and nothing that was changed is", async () => {
    const vector = JSON.parse(readSample("hmac")) as Vector;
    const atMs = Number(vector.timestamp) * 1000;
    const timed = {
      secrets: ["another", vector.secret],
      header: vector.signatureHeader,
      timestampHeader: vector.timestampHeader,
      toleranceMs: 300_000,
    };
    const untimed = { ...timed, timestampHeader: undefined };
    const body = Buffer.from(vector.rawBody);
    const signature = vector.signatureWithTimestamp;
    const signed = { body, signature, timestamp: vector.timestamp };
    const plain = { ...signed, signature: vector.signatureWithoutTimestamp };
    expect(isSigned(signed, timed, atMs)).toBe(true);
    expect(isSigned({ ...signed, signature: signature.toUpperCase() }, timed, atMs)).toBe(true);
    expect(isSigned(signed, timed, atMs + 300_000)).toBe(true);
    expect(isSigned(plain, untimed, atMs)).toBe(true);
    const flipped = Buffer.from(body);
    flipped[100] = (flipped[100] ?? 0) ^ 1;
    const recoded = Buffer.from(JSON.stringify(JSON.parse(vector.rawBody), undefined, 1));
    const refused = [
      [{ ...signed, body: flipped }, timed, atMs],
      [{ ...plain, body: flipped }, untimed, atMs],
      [{ ...signed, body: recoded }, timed, atMs],
      [signed, timed, atMs + 300_001],
      [signed, timed, atMs - 300_001],
      [{ ...signed, timestamp: undefined }, timed, atMs],
      [{ ...signed, timestamp: `${vector.timestamp}.0` }, timed, atMs],
      [{ ...signed, signature: undefined }, timed, atMs],
      [{ ...signed, signature: `${signature}, ${signature}` }, timed, atMs],
      [plain, timed, atMs],
      [signed, untimed, atMs],
      [signed, { ...timed, secrets: ["another"] }, atMs],
    ] as const;
    for (const [index, [given, options, nowMs]] of refused.entries()) {
      expect(isSigned(given, options, nowMs), `case ${String(index)}`).toBe(false);
    }
    const { app } = await createTestService({ webhook: { hmac: { secret: vector.secret } } });
    const send = (text: string) =>
      request(app)
        .post("/webhook")
        .set("Content-Type", "application/json")
        .set(vector.signatureHeader, vector.signatureWithoutTimestamp)
        .send(text);
    expect((await send(vector.rawBody)).status).toBe(200);
    expect((await send(recoded.toString())).status).toBe(401);
    const unsigned = await request(app).post("/webhook").send(vector.rawBody);
    expect(unsigned.status).toBe(401);
    expect((await request(app).post("/webhook").send(buildGroupBody())).status).toBe(200);
  });
});

describe("a payload of Grafana", () => {
  it("is taken with PUT too", async () => {
    const { app } = await createTestService();
    const response = await request(app)
      .put("/webhook")
      .send(buildGroupBody({ version: "1" }));
    expect(response.body).toEqual({ accepted: 1, duplicate: 0, rejected: 0 });
  });

  it("is of another source than Alertmanager's, so the same alert makes two episodes", async () => {
    const { app } = await createTestService();
    const alerts = [buildAlertBody({ annotations: { log_excerpt: KNOWN_LINE } })];
    for (const version of ["4", "1"]) {
      const group = buildGroupBody({ version, alerts });
      const enriched = await request(app).post("/webhook?respond=enriched").send(group);
      expect(enriched.text).toContain("error_class");
    }
    const listed = await request(app).get("/api/v1/episodes");
    expect((listed.body as { episodes: unknown[] }).episodes).toHaveLength(2);
  });
});
