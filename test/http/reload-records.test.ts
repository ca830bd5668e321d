import { mkdtemp, rm, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import request from "supertest";
import { expect, onTestFinished, test } from "vitest";
import { createService } from "../../src/app/serve.ts";
import { buildRecord } from "../support/build-record.ts";
import { publishDataset, startDatasetServer } from "../support/dataset-server.ts";
import { eventually } from "../support/eventually.ts";

const KNOWN = {
  id: "1",
  excerpt: ["cannot write checkpoint 12 of shard 3: lease expired"],
  labels: {},
};
const VERSION = "2026-08-01T00:00:00.000Z";

async function createFolder() {
  const folder = await mkdtemp(path.join(tmpdir(), "alertlore-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const write = async (name: string, content: unknown) => {
    await writeFile(path.join(folder, name), JSON.stringify(content));
  };
  return { folder, write };
}

async function createTestee(folder: string, records: object) {
  const file = path.join(folder, "alertlore.yaml");
  const common = { starter: false, cache: "cache", poll_interval: "100ms", sync_interval: "1s" };
  const config = { store: "memory", records: { ...common, ...records } };
  await writeFile(file, JSON.stringify(config));
  const logLines: string[] = [];
  const { service, faults } = await createService({
    sources: { file, flags: {}, env: {} },
    writeLog: (line) => logLines.push(line),
  });
  if (service === undefined) throw new Error(JSON.stringify(faults));
  onTestFinished(() => service.close());
  const found = async () => {
    const answer = await request(service.app).post("/api/v1/match").send(KNOWN);
    return (
      answer.body as { matches: { id: string; evidence: { name: string; detail: string }[] }[] }
    ).matches;
  };
  const metric = async (name: string) => {
    const { text } = await request(service.app).get("/metrics");
    return text.split("\n").find((line) => line.startsWith(name));
  };
  return { service, found, metric, logLines };
}

test("takes a changed file by itself, and mutes and overlays with it", async () => {
  const { folder, write } = await createFolder();
  await write("records.json", []);
  await write("overlay.yaml", { overlays: [] });
  const testee = await createTestee(folder, {
    sources: [{ path: "records.json" }],
    overlays: ["overlay.yaml"],
  });
  expect(await testee.found()).toEqual([]);
  await write("records.json", [buildRecord(1).record]);
  const [match] = await eventually(
    async () => ((await testee.found()).length > 0 ? testee.found() : undefined),
    {
      what: "the new record",
    },
  );
  expect(match?.evidence.some(({ name }) => name === "overlay")).toBe(false);
  await write("overlay.yaml", {
    overlays: [{ repo: "acme/engine", name: "ours", severity: "critical" }],
  });
  const detail = await eventually(
    async () => (await testee.found())[0]?.evidence.find(({ name }) => name === "overlay")?.detail,
    { what: "the overlay in the evidence" },
  );
  expect(detail).toBe("ours (severity)");
});

test.each([
  ["is broken", (file: string) => writeFile(file, "[{")],
  ["is gone", (file: string) => unlink(file)],
])("keeps the records in force when their file %s, and says so", async (_what, damage) => {
  const { folder, write } = await createFolder();
  await write("records.json", [buildRecord(1).record]);
  const { service, found, metric, logLines } = await createTestee(folder, {
    sources: [{ path: "records.json" }],
    poll_interval: "1h",
  });
  await damage(path.join(folder, "records.json"));
  const { status } = await request(service.app).post("/-/reload");
  expect(status).toBe(500);
  expect(await found()).toHaveLength(1);
  expect(await metric("alertlore_catalogue_last_reload_successful")).toMatch(/ 0$/u);
  expect(logLines.join("")).toContain("records.json");
});

test("fetches a dataset after the start, and starts from the copy without a network", async () => {
  const { folder } = await createFolder();
  const server = await startDatasetServer();
  server.files = publishDataset([buildRecord(1).record], VERSION);
  const { url } = server;
  const first = await createTestee(folder, { sources: [{ url }] });
  await eventually(async () => ((await first.found()).length > 0 ? true : undefined), {
    what: "the dataset",
  });
  expect(await first.metric("alertlore_dataset_info")).toContain(VERSION);
  expect(await first.metric('alertlore_catalogue_syncs_total{result="updated"}')).toMatch(/ 1$/u);
  await first.service.close();
  await server.close();
  const second = await createTestee(folder, { sources: [{ url }] });
  expect(await second.found()).toHaveLength(1);
  await eventually(
    async () => {
      const failures = await second.metric('alertlore_catalogue_syncs_total{result="failure"}');
      return failures?.endsWith(" 0") === true ? undefined : failures;
    },
    { what: "the failed sync to show" },
  );
  expect(second.logLines.join("")).toContain("the last good copy stays");
  expect(await second.found()).toHaveLength(1);
});
