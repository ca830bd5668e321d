import request from "supertest";
import { describe, expect, it } from "vitest";
import { UpstreamError } from "../../src/enrich/outcome.ts";
import { buildAlertBody, buildGroupBody, without } from "../support/webhook-body.ts";
import type { JsonBody } from "../support/webhook-body.ts";
import { BODY_BYTES_MAX, createDoor, post } from "../support/webhook-door.ts";

const group = buildGroupBody();

describe("takes", () => {
  it("a notification and says how many alerts it took", async () => {
    const door = createDoor();
    const response = await post(door, group);
    expect(response.status).toBe(200);
    expect(response.headers["content-type"]).toBe("application/json");
    expect(response.body).toEqual({ accepted: 1, duplicate: 0, rejected: 0 });
    expect(door.counters.tally).toEqual({ "received firing": 1 });
  });

  it("the good alerts and names the bad one", async () => {
    const door = createDoor();
    const bad = buildAlertBody({ startsAt: "yesterday" });
    const alerts = [buildAlertBody(), bad, buildAlertBody({ labels: { pod: "meta-1" } })];
    const response = await post(door, { ...group, alerts });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      accepted: 2,
      duplicate: 0,
      rejected: 1,
      errors: [{ field: "alerts[1].startsAt", message: "must be an RFC 3339 time" }],
    });
    expect(door.groups[0]?.alerts.map((alert) => alert.labels["pod"])).toEqual([
      "meta-0",
      "meta-1",
    ]);
    expect(door.counters.tally).toEqual({ "received firing": 2, "rejected invalid_alert": 1 });
  });

  it("a body of any content type, for curl -d sends form data's", async () => {
    const response = await request(createDoor().app)
      .post("/webhook")
      .set("Content-Type", "application/x-www-form-urlencoded")
      .send(JSON.stringify(group));
    expect(response.status).toBe(200);
  });

  it("every kind of text as it came", async () => {
    const door = createDoor();
    const text = "a\u0000b \u2028 \ud83d\udd25 größe <b>&\\ \u001b[31m";
    const labels = JSON.parse('{"__proto__":"x","constructor":"y"}') as JsonBody;
    const alert = buildAlertBody({ labels: { ...labels, note: text }, annotations: {} });
    await post(door, { ...group, alerts: [alert], receiver: "rw\\.prod \\(a\\+b\\)" });
    const taken = door.groups[0]?.alerts[0];
    expect(Object.entries(taken?.labels ?? {})).toEqual([
      ["__proto__", "x"],
      ["constructor", "y"],
      ["note", text],
    ]);
    expect(taken?.annotations).toEqual({});
    expect(door.groups[0]?.receiver).toBe("rw\\.prod \\(a\\+b\\)");
  });

  it("times with nine digits and offsets, and knows the zero time", async () => {
    const door = createDoor();
    const startsAt = "2026-03-14T09:26:53.589793238+09:00";
    const resolved = { status: "resolved", endsAt: "2026-03-14T00:30:00Z" };
    const alerts = [buildAlertBody({ startsAt }), buildAlertBody({ startsAt, ...resolved })];
    await post(door, { ...group, alerts });
    const [firing, ended] = door.groups[0]?.alerts ?? [];
    expect(firing).toMatchObject({
      startsAt,
      startsAtNs: 1773448013589793238n,
      endsAt: "0001-01-01T00:00:00Z",
      endsAtNs: undefined,
    });
    expect(ended?.endsAtNs).toBe(1773448200000000000n);
  });

  it("fields it does not know, and keeps them", async () => {
    const door = createDoor();
    const alert = buildAlertBody({ dashboard: { uid: "x" } });
    await post(door, { ...group, alerts: [alert], routeLabels: { team: "a" } });
    expect(door.groups[0]?.unknownFields).toEqual({ routeLabels: { team: "a" } });
    expect(door.groups[0]?.alerts[0]?.unknownFields).toEqual({ dashboard: { uid: "x" } });
  });

  it("no annotation under our own prefix", async () => {
    const door = createDoor();
    const annotations = { error_retry: "retry", error_: "x", summary: "s", errors: "kept" };
    const alert = buildAlertBody({ annotations });
    await post(door, { ...group, alerts: [alert], commonAnnotations: annotations });
    const kept = { summary: "s", errors: "kept" };
    expect(door.groups[0]?.alerts[0]?.annotations).toEqual(kept);
    expect(door.groups[0]?.commonAnnotations).toEqual(kept);
  });

  it("a notification of a version before truncatedAlerts", async () => {
    const door = createDoor();
    await post(door, without(group, "truncatedAlerts"));
    expect(door.groups[0]?.truncatedAlerts).toBe(0);
  });
});

describe("answers", () => {
  it.each([
    ["/webhook?respond=enriched", { profile: "full", alerts: 1 }],
    ["/webhook?respond=enriched&profile=compact", { profile: "compact", alerts: 1 }],
  ])("%s with the enriched group", async (path, body) => {
    const response = await post(createDoor(), group, path);
    expect(response.status).toBe(200);
    expect(response.body).toEqual(body);
  });

  it("413 to a body over the limit", async () => {
    const door = createDoor();
    const response = await post(door, { ...group, receiver: "x".repeat(BODY_BYTES_MAX) });
    expect(response.status).toBe(413);
    expect(response.headers["content-type"]).toBe("application/problem+json");
    expect(door.counters.tally).toEqual({ "rejected too_large": 1 });
  });

  it("503 when the group could not be handed on", async () => {
    const refuse = () => Promise.reject(new UpstreamError("unreachable", "destination pager"));
    const response = await post(createDoor({ take: refuse }), group);
    expect(response.status).toBe(503);
    expect((response.body as { detail: string }).detail).toContain("send it again");
    expect(response.text).not.toContain("pager");
  });

  it("500 without a reason when something breaks", async () => {
    const breaking = () => Promise.reject(new Error("the line was: password=hunter2"));
    const response = await post(createDoor({ take: breaking }), group);
    expect(response.status).toBe(500);
    expect(response.text).not.toContain("hunter2");
  });

  it("404 elsewhere", async () => {
    const response = await request(createDoor().app).get("/webhook");
    expect(response.status).toBe(404);
    expect(response.headers["x-powered-by"]).toBeUndefined();
  });
});

describe("with credentials", () => {
  const bearer = { bearerToken: "s3cret" };
  const basic = { basic: { username: "u", password: "p:w" } };
  const basicHeader = `Basic ${Buffer.from("u:p:w").toString("base64")}`;
  it.each([
    { credentials: bearer, header: "Bearer s3cret", status: 200 },
    { credentials: bearer, header: "bearer s3cret", status: 200 },
    { credentials: bearer, header: "Bearer s3cre", status: 401 },
    { credentials: bearer, header: "Basic s3cret", status: 401 },
    { credentials: bearer, header: "", status: 401 },
    { credentials: basic, header: basicHeader, status: 200 },
    { credentials: basic, header: `${basicHeader}x`, status: 401 },
    { credentials: basic, header: "Bearer p:w", status: 401 },
  ])("$header gets $status", async ({ credentials, header, status }) => {
    const door = createDoor({ credentials });
    const response = await request(door.app)
      .post("/webhook")
      .set("Authorization", header)
      .send(JSON.stringify(group));
    expect(response.status).toBe(status);
    expect(door.groups).toHaveLength(status === 200 ? 1 : 0);
    if (status === 401) expect(door.counters.tally).toEqual({ "rejected unauthorized": 1 });
  });

  it("does not read a body it will not take", async () => {
    const response = await request(createDoor({ credentials: bearer }).app)
      .post("/webhook")
      .send("x".repeat(BODY_BYTES_MAX * 2));
    expect(response.status).toBe(401);
  });
});
