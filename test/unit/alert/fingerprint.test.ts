import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { fingerprintOf } from "../../../src/alert/fingerprint.ts";
import type { Labels } from "../../../src/alert/alert.ts";
import { requireShared } from "../../support/shared.ts";

describe("fingerprintOf", () => {
  it.each([
    [{}, "cbf29ce484222325"],
    [{ alertname: "alert1", lbl1: "val1" }, "fac0861a85de433a"],
    [{ lbl1: "val1", alertname: "alert1" }, "fac0861a85de433a"],
  ])("gives %j Alertmanager's %s", (labels, fingerprint) => {
    expect(fingerprintOf(labels)).toBe(fingerprint);
  });

  it("tells where a name ends from where its value begins", () => {
    expect(fingerprintOf({ ab: "c" })).not.toBe(fingerprintOf({ a: "bc" }));
  });

  it("agrees with Alertmanager on every alert of the recorded notifications", (context) => {
    const folder = requireShared(context, "contracts/samples");
    const files = readdirSync(folder).filter((name) => name.startsWith("am-webhook-"));
    const alerts = files.flatMap((name) => {
      const text = readFileSync(path.join(folder, name), "utf8");
      return (JSON.parse(text) as { alerts: { labels: Labels; fingerprint: string }[] }).alerts;
    });
    expect(alerts.length).toBeGreaterThan(10);
    for (const { labels, fingerprint } of alerts) expect(fingerprintOf(labels)).toBe(fingerprint);
  });
});
