import request from "supertest";
import { describe, expect, it } from "vitest";
import { buildAlertBody, buildGroupBody, without } from "../support/webhook-body.ts";
import { createDoor, post } from "../support/webhook-door.ts";

interface Refusal {
  readonly name: string;
  readonly body: unknown;
  readonly field: string;
  readonly detail?: string;
}

const group = buildGroupBody();
const withAlert = (alert: unknown) => buildGroupBody({ alerts: [alert] });

const refusals: readonly Refusal[] = [
  {
    name: "a body that is not JSON",
    body: "{",
    field: "",
    detail: "The body is not JSON in UTF-8",
  },
  { name: "an empty body", body: "", field: "", detail: "The body is not JSON in UTF-8" },
  { name: "null", body: null, field: "", detail: "The body must be an object" },
  { name: "an array", body: [], field: "", detail: "The body must be an object" },
  {
    name: "webhook version 3",
    body: { ...group, version: "3" },
    field: "version",
    detail: 'version must be the string "4", or "1" from Grafana',
  },
  { name: "a version that is a number", body: { ...group, version: 4 }, field: "version" },
  ...[
    "version",
    "groupKey",
    "receiver",
    "status",
    "alerts",
    "commonAnnotations",
    "externalURL",
  ].map((field) => ({ name: `a group without ${field}`, body: without(group, field), field })),
  { name: "no alert at all", body: { ...group, alerts: [] }, field: "alerts" },
  { name: "another status", body: { ...group, status: "pending" }, field: "status" },
  {
    name: "a negative number of cut alerts",
    body: { ...group, truncatedAlerts: -1 },
    field: "truncatedAlerts",
  },
  {
    name: "a label that is a number",
    body: { ...group, groupLabels: { a: 1 } },
    field: "groupLabels",
  },
  ...["status", "labels", "annotations", "startsAt", "endsAt", "fingerprint"].map((field) => ({
    name: `only an alert without ${field}`,
    body: withAlert(without(buildAlertBody(), field)),
    field: `alerts[0].${field}`,
  })),
  {
    name: "only an alert with a time that does not exist",
    body: withAlert(buildAlertBody({ startsAt: "2026-02-30T00:00:00Z" })),
    field: "alerts[0].startsAt",
    detail: "alerts[0].startsAt must be an RFC 3339 time",
  },
  {
    name: "only an alert with a fingerprint in upper case",
    body: withAlert(buildAlertBody({ fingerprint: "C724171E3A6F148C" })),
    field: "alerts[0].fingerprint",
  },
  { name: "only an alert that is text", body: withAlert("x"), field: "alerts[0]" },
];

describe("refuses with 400 and names the field:", () => {
  it.each(refusals)("$name", async ({ body, field, detail }) => {
    const door = createDoor();
    const response = await post(door, body);
    const problem = response.body as { detail: string; errors?: { field: string }[] };
    expect(response.status).toBe(400);
    expect(response.headers["content-type"]).toBe("application/problem+json");
    expect(problem.errors?.map((error) => error.field) ?? [""]).toContain(field);
    if (detail !== undefined) expect(problem.detail).toBe(detail);
    expect(door.groups).toEqual([]);
    const kind = field.startsWith("alerts[") ? "invalid_alert" : "invalid_group";
    expect(door.counters.tally).toEqual({ [`rejected ${kind}`]: 1 });
  });

  it("never repeats what was sent", async () => {
    const secret = "hunter2-<script>";
    const bodies: unknown[] = [
      `{"version": ${secret}}`,
      { ...group, version: secret },
      { ...group, groupLabels: { [secret]: 1 } },
      { ...group, alerts: [{ ...buildAlertBody(), status: secret, [secret]: 1 }] },
    ];
    for (const body of bodies) {
      const door = createDoor();
      const response = await post(door, body);
      expect(response.status).toBe(400);
      expect(response.text).not.toContain("hunter2");
      expect(JSON.stringify(door.logger.lines)).not.toContain("hunter2");
    }
  });

  it("bounds the faults that it names", async () => {
    const alerts = Array.from({ length: 40 }, () => "x");
    const response = await post(createDoor(), { ...group, alerts });
    expect((response.body as { errors: unknown[] }).errors).toHaveLength(20);
    expect((response.body as { detail: string }).detail).toBe(
      "alerts[0] must be an object (and 39 more)",
    );
  });

  it("bytes that are not UTF-8", async () => {
    const door = createDoor();
    const response = await request(door.app)
      .post("/webhook")
      .set("Content-Type", "application/json")
      .serialize((bytes: unknown) => bytes as string)
      .send(Buffer.from([0x22, 0xff, 0x22]));
    expect(response.status).toBe(400);
  });

  it.each(["/webhook?respond=all", "/webhook?profile=long", "/webhook?respond=a&respond=b"])(
    "%s",
    async (path) => {
      const response = await post(createDoor(), group, path);
      expect(response.status).toBe(400);
      expect((response.body as { detail: string }).detail).toMatch(
        /^(respond|profile) has a value/u,
      );
    },
  );
});
