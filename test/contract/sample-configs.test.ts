import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { findBinary, requireBinary } from "../support/require-binary.ts";
import { repositoryRoot } from "../support/shared.ts";

const run = promisify(execFile);
const inRepository = (relative: string) => path.join(repositoryRoot, relative);
const readYaml = async (relative: string): Promise<unknown> =>
  parse(await readFile(inRepository(relative), "utf8"));

test.for(["prometheus.yml", "prometheus-proxy.yml"])(
  "promtool accepts the sample configuration %s and finds its rules",
  async (name, context) => {
    const promtool = requireBinary(context, "promtool");
    const file = inRepository(`config/prometheus/${name}`);
    const { stdout } = await run(promtool, ["check", "config", file]);
    expect(stdout).toContain("SUCCESS: 2 rule files found");
    expect(stdout.match(/SUCCESS: [1-9]\d* rules found/gu)).toHaveLength(2);
  },
);

test("amtool accepts the sample configuration of Alertmanager", async (context) => {
  const amtool = requireBinary(context, "amtool");
  const file = inRepository("config/alertmanager/alertmanager.yml");
  const { stdout } = await run(amtool, ["check-config", file]);
  expect(stdout).toContain("SUCCESS");
});

test.for([
  ["an ordinary alert goes to Alertlore and to the pager", "DiskFull", "alertlore,pager"],
  ["Alertlore's own alerts go past it", "AlertloreDown", "pager"],
  ["the watchdog goes past it", "Watchdog", "pager"],
] as const)("%s", async ([, alertname, receivers], context) => {
  const amtool = requireBinary(context, "amtool");
  const file = inRepository("config/alertmanager/alertmanager.yml");
  const routing = ["config", "routes", "test", `--config.file=${file}`, `alertname=${alertname}`];
  const { stdout } = await run(amtool, routing);
  expect(stdout.trim()).toBe(receivers);
});

test("the webhook of the sample follows no redirect, which would lose alerts", async () => {
  expect(await readYaml("config/alertmanager/alertmanager.yml")).toMatchObject({
    receivers: [
      { webhook_configs: [{ send_resolved: true, http_config: { follow_redirects: false } }] },
      {},
    ],
  });
});

test("every image of docker-compose.yml has a full version as its tag", async () => {
  const { services } = (await readYaml("docker-compose.yml")) as {
    services: Readonly<Record<string, { image?: string; build?: string }>>;
  };
  const unpinned = Object.values(services)
    .map(({ image }) => image)
    .filter((image) => image !== undefined && !/:v?\d+\.\d+\.\d+$/.test(image));
  expect(unpinned).toEqual([]);
  expect(Object.keys(services).sort()).toEqual(["alertlore", "alertmanager", "prometheus"]);
});

test("docker-compose accepts docker-compose.yml", async (context) => {
  // Not one of the packages that CI installs: where it is missing, the test above still holds.
  const compose = findBinary(["docker-compose"]);
  if (compose === undefined) return context.skip("docker-compose is not installed");
  const file = inRepository("docker-compose.yml");
  const { stdout } = await run(compose, ["-f", file, "config", "--services"]);
  expect(stdout.split("\n").filter(Boolean).sort()).toEqual([
    "alertlore",
    "alertmanager",
    "prometheus",
  ]);
});
