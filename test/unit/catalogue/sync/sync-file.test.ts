import { afterEach, beforeEach, expect, test } from "vitest";
import { loadRecords } from "../../../../src/catalogue/load-records.ts";
import { findCopy } from "../../../../src/catalogue/sync/dataset-copy.ts";
import { createFetch } from "../../../../src/catalogue/sync/http-fetch.ts";
import { syncUrl } from "../../../../src/catalogue/sync/sync-dataset.ts";
import type { SyncMeans } from "../../../../src/catalogue/sync/sync-dataset.ts";
import { buildRecord } from "../../../support/build-record.ts";
import { startDatasetServer } from "../../../support/dataset-server.ts";
import type { DatasetServer } from "../../../support/dataset-server.ts";
import { makeTestFolder } from "../../../support/record-files.ts";
import type { TestFolder } from "../../../support/record-files.ts";

const engine = buildRecord(1).record;
const added = buildRecord(3).record;

let server: DatasetServer;
let folder: TestFolder;
beforeEach(async () => {
  server = await startDatasetServer();
  folder = await makeTestFolder();
});
afterEach(async () => {
  await server.close();
  await folder.remove();
});

const fetch = createFetch({
  proxyUrl: undefined,
  ca: undefined,
  timeoutMs: 5_000,
  userAgent: "test",
});

function sync(
  wish: { readonly url?: string; readonly repos?: readonly string[] } = {},
  means: Partial<SyncMeans> = {},
) {
  const { url = server.url, repos = [] } = wish;
  return syncUrl({ url, repos, folder: folder.path }, { fetch, ...means });
}

/** The ids that the copy in force holds, read as `serve` reads it. */
async function idsInForce(): Promise<readonly string[] | undefined> {
  const copy = await findCopy(folder.path);
  if (copy === undefined) return undefined;
  const { records, skipped } = await loadRecords([{ path: copy.path, origin: "dataset" }]);
  expect(skipped).toEqual([]);
  return records.map(({ record }) => record.id.replace(/^0+/u, ""));
}

const page = { body: "<!doctype html><title>Sign in</title>" };

test("takes a single file, and again only when it has changed", async () => {
  server.files.set("/data/own.json", { body: JSON.stringify([engine]) });
  const url = `${server.url}own.json`;
  expect(await sync({ url })).toMatchObject({ isUpdated: true });
  expect(await sync({ url })).toMatchObject({ isUpdated: false });
  server.files.set("/data/own.json", { body: JSON.stringify([engine, added]) });
  expect(await sync({ url })).toMatchObject({ isUpdated: true });
  expect((await findCopy(folder.path))?.kind).toBe("file");
  server.files.set("/data/own.json", page);
  await expect(sync({ url })).rejects.toMatchObject({ reason: "not_json" });
  expect(await idsInForce()).toEqual(["1", "3"]);
});

test("takes a pointer that something else wrote for none", async () => {
  await folder.write("current.json", '{"kind":"dataset","name":"../../etc"}');
  expect(await findCopy(folder.path)).toBeUndefined();
  await folder.write("current.json", "");
  expect(await findCopy(folder.path)).toBeUndefined();
});

test("goes through the proxy that is set, with its credentials", async () => {
  server.files.set("http://dataset.invalid/own.json", { body: JSON.stringify([engine]) });
  const { port } = new URL(server.url);
  const proxied = createFetch({
    proxyUrl: `http://me:secret@127.0.0.1:${port}`,
    ca: undefined,
    timeoutMs: 5_000,
    userAgent: "test",
  });
  await sync({ url: "http://dataset.invalid/own.json" }, { fetch: proxied });
  expect(await idsInForce()).toEqual(["1"]);
});
