import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { requireBinary } from "../support/require-binary.ts";
import { repositoryRoot } from "../support/shared.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const run = promisify(execFile);
const FOLDER = path.join(repositoryRoot, "rules/prometheus");
const filesIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".yml"))
    .map((name) => path.join(folder, name));

test("promtool accepts every file of rules", async (context) => {
  const promtool = requireBinary(context, "promtool");
  const files = filesIn(FOLDER);
  expect(files.length).toBeGreaterThan(0);
  const { stdout } = await run(promtool, ["check", "rules", ...files]);
  expect(stdout.match(/SUCCESS: \d+ rules found/gu)).toHaveLength(files.length);
});

test("each alert fires on what it is for and each recorded metric is right", async (context) => {
  const promtool = requireBinary(context, "promtool");
  const files = filesIn(path.join(FOLDER, "tests"));
  expect(files.length).toBeGreaterThan(0);
  const { stdout } = await run(promtool, ["test", "rules", ...files]);
  expect(stdout.match(/SUCCESS/gu)).toHaveLength(files.length);
});

test("the tests of the rules notice a rule that has another threshold", async (context) => {
  const promtool = requireBinary(context, "promtool");
  const read = (name: string) => readFileSync(path.join(FOLDER, name), "utf8");
  const alerts = read("alertlore-alerts.yml");
  const changed = alerts.replace(
    "job_destination:alertlore_deliveries_dead:max > 0",
    "vector(0) > 1",
  );
  expect(changed).not.toBe(alerts);
  const folder = createTemporaryFolder({
    "alertlore-recording.yml": read("alertlore-recording.yml"),
    "alertlore-alerts.yml": changed,
    "tests/alertlore-alerts.test.yml": read("tests/alertlore-alerts.test.yml"),
  });
  const file = path.join(folder, "tests/alertlore-alerts.test.yml");
  await expect(run(promtool, ["test", "rules", file])).rejects.toMatchObject({
    stderr: expect.stringContaining("AlertloreDeadLetters") as string,
  });
});
