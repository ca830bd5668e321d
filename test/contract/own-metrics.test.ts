import { spawnSync } from "node:child_process";
import request from "supertest";
import { expect, test } from "vitest";
import { KNOWN_LINE } from "../support/create-kit.ts";
import { createTestService } from "../support/create-test-service.ts";
import { requireBinary } from "../support/require-binary.ts";
import { buildAlertBody, buildGroupBody } from "../support/webhook-body.ts";

/** The samples and comments of our own metrics: prom-client's gauges named `_total` are not ours. */
function ownMetrics(text: string): string {
  const lines = text.split("\n").filter((line) => /^(?:# (?:HELP|TYPE) )?alertlore_/u.test(line));
  return `${lines.join("\n")}\n`;
}

test("promtool has nothing to say about our own metrics", async (context) => {
  const promtool = requireBinary(context, "promtool");
  const { app } = await createTestService();
  const alert = buildAlertBody({ annotations: { log_excerpt: KNOWN_LINE } });
  await request(app)
    .post("/webhook")
    .send(buildGroupBody({ alerts: [alert] }));
  const metrics = ownMetrics((await request(app).get("/metrics")).text);
  expect(metrics).toContain("alertlore_matched_errors_total");
  const check = spawnSync(promtool, ["check", "metrics"], { input: metrics, encoding: "utf8" });
  expect(check.stdout + check.stderr).toBe("");
  expect(check.status).toBe(0);
});

test("promtool finds a fault when there is one, so that silence means something", (context) => {
  const promtool = requireBinary(context, "promtool");
  const input = "# TYPE alertlore_x counter\nalertlore_x 1\n";
  const check = spawnSync(promtool, ["check", "metrics"], { input, encoding: "utf8" });
  expect(check.status).toBe(3);
});
