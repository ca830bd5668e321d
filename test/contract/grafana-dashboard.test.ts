import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { queriesOf, readDashboard } from "../support/read-dashboard.ts";
import { requireBinary } from "../support/require-binary.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

/** promtool reads expressions in rule files only. */
function checkAsRules(promtool: string, queries: readonly string[]) {
  const rules = queries.map((expr, index) => ({ record: `query:${index}`, expr }));
  const folder = createTemporaryFolder({
    "queries.yml": stringify({ groups: [{ name: "queries", rules }] }),
  });
  const args = ["check", "rules", path.join(folder, "queries.yml")];
  return spawnSync(promtool, args, { encoding: "utf8" });
}

test("Prometheus understands every query of the dashboard", (context) => {
  const promtool = requireBinary(context, "promtool");
  const queries = queriesOf(readDashboard());
  const { status, stdout, stderr } = checkAsRules(promtool, queries);
  expect(stderr).toBe("");
  expect(stdout).toContain(`SUCCESS: ${queries.length} rules found`);
  expect(status).toBe(0);
});

test("a query that it does not understand is noticed", (context) => {
  const promtool = requireBinary(context, "promtool");
  const { status, stderr } = checkAsRules(promtool, ["sum by (a) (rate(b[5m])"]);
  expect(stderr).toContain("unclosed left parenthesis");
  expect(status).toBe(1);
});
