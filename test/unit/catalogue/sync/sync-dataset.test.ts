import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadRecords } from "../../../../src/catalogue/load-records.ts";
import { findCopy } from "../../../../src/catalogue/sync/dataset-copy.ts";
import { createFetch } from "../../../../src/catalogue/sync/http-fetch.ts";
import { syncUrl } from "../../../../src/catalogue/sync/sync-dataset.ts";
import type { SyncMeans } from "../../../../src/catalogue/sync/sync-dataset.ts";
import { buildRecord } from "../../../support/build-record.ts";
import { publishDataset, startDatasetServer } from "../../../support/dataset-server.ts";
import type { DatasetServer, ServedFile } from "../../../support/dataset-server.ts";
import { makeTestFolder } from "../../../support/record-files.ts";
import type { TestFolder } from "../../../support/record-files.ts";

const FIRST = "2026-08-01T00:00:00.000Z";
const SECOND = "2026-08-02T00:00:00.000Z";
const engine = buildRecord(1).record;
const tool = buildRecord(2, { repo: "other/tool" }).record;
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

test.each([
  ["a gzip index", true],
  ["a plain index", false],
])("takes a whole dataset with %s", async (_what, gzip) => {
  server.files = publishDataset([engine, tool], FIRST, { gzip });
  expect(await sync()).toEqual({ isUpdated: true, datasetVersion: FIRST, absentRepos: [] });
  expect(await idsInForce()).toEqual(["1", "2"]);
});

test("takes the manifest's own URL for the dataset's", async () => {
  server.files = publishDataset([engine], FIRST);
  await sync({ url: `${server.url}manifest.json` });
  expect(await idsInForce()).toEqual(["1"]);
});

test("asks for nothing but the manifest while it stays the same, with its ETag", async () => {
  server.files = publishDataset([engine], FIRST);
  await sync();
  server.asked.length = 0;
  expect(await sync()).toMatchObject({ isUpdated: false, datasetVersion: FIRST });
  expect(server.asked).toEqual(["/data/manifest.json 304"]);
});

test("asks for repository files with their ETags, and keeps those that did not change", async () => {
  server.files = publishDataset([engine, tool], FIRST);
  await sync();
  server.files = publishDataset([engine, added, tool], SECOND);
  server.asked.length = 0;
  expect(await sync()).toMatchObject({ isUpdated: true, datasetVersion: SECOND });
  expect(server.asked.sort()).toEqual([
    "/data/index.json.gz 200",
    "/data/manifest.json 200",
    "/data/repos/acme/engine.json 200",
    "/data/repos/other/tool.json 304",
  ]);
  expect(await idsInForce()).toEqual(["1", "2", "3"]);
  const left = await readdir(folder.path);
  expect(left).toHaveLength(2);
});

test("takes chosen repositories only, and names those that the dataset does not have", async () => {
  server.files = publishDataset([engine, tool], FIRST);
  const outcome = await sync({ repos: ["other/tool", "no/such"] });
  expect(outcome.absentRepos).toEqual(["no/such"]);
  expect(await idsInForce()).toEqual(["2"]);
  await sync({ repos: ["acme/engine"] });
  expect(await idsInForce()).toEqual(["1"]);
});

test("takes the file's own bytes where the transport packed them once more", async () => {
  server.files = publishDataset([engine], FIRST, { gzip: false });
  for (const name of ["index.json", "manifest.json", "repos/acme/engine.json"]) {
    const { body } = server.files.get(`/data/${name}`) ?? { body: "" };
    const headers = { "Content-Encoding": "gzip" };
    server.files.set(`/data/${name}`, { body: gzipSync(body), headers });
  }
  await sync();
  expect(await idsInForce()).toEqual(["1"]);
});

test("takes published gzip whose server calls it a transport encoding", async () => {
  server.files = publishDataset([engine], FIRST);
  const { body } = server.files.get("/data/index.json.gz") ?? { body: "" };
  server.files.set("/data/index.json.gz", { body, headers: { "Content-Encoding": "gzip" } });
  await sync();
  expect(await idsInForce()).toEqual(["1"]);
});

const text = (file: ServedFile | undefined) => Buffer.from(file?.body ?? "").toString();
const page = {
  body: "<!doctype html><title>Sign in</title>",
  headers: { "Content-Type": "text/html" },
};

type Damage = (files: Map<string, ServedFile>) => void;
const manifestWith =
  (from: string | RegExp, to: string): Damage =>
  (files) => {
    const path = "/data/manifest.json";
    files.set(path, { body: text(files.get(path)).replace(from, to) });
  };

test.each<[string, Damage, string]>([
  [
    "a hash that does not fit",
    manifestWith(/"sha256":"[0-9a-f]{8}/u, '"sha256":"00000000'),
    "hash",
  ],
  [
    "a truncated gzip with the hash of what is left",
    (files) => {
      const whole = files.get("/data/index.json.gz")?.body ?? "";
      const cut = Buffer.from(whole).subarray(0, -20);
      const sha = createHash("sha256").update(cut).digest("hex");
      files.set("/data/index.json.gz", { body: cut });
      manifestWith(/"sha256":"[0-9a-f]{64}/u, `"sha256":"${sha}`)(files);
    },
    "gzip",
  ],
  [
    "an index that is cut off",
    (files) => {
      const whole = files.get("/data/index.json.gz")?.body ?? "";
      files.set("/data/index.json.gz", { body: Buffer.from(whole).subarray(0, -20) });
    },
    "hash",
  ],
  ["a manifest newer than its index", manifestWith(SECOND, "2026-08-03T00:00:00.000Z"), "version"],
  ["a manifest older than the copy", manifestWith(SECOND, "2026-07-01T00:00:00.000Z"), "version"],
  [
    "a repository file of another version",
    (files) => {
      files.set("/data/repos/acme/engine.json", { body: JSON.stringify([engine]) });
    },
    "version",
  ],
  [
    "a repository file with another message",
    (files) => {
      const changed = [{ ...engine, errorMessage: "other" }, added];
      files.set("/data/repos/acme/engine.json", { body: JSON.stringify(changed) });
    },
    "version",
  ],
  [
    "a repository file that is missing",
    (files) => {
      files.delete("/data/repos/acme/engine.json");
    },
    "status",
  ],
  [
    "a repository file that is no list",
    (files) => {
      files.set("/data/repos/acme/engine.json", { body: "{}" });
    },
    "records",
  ],
  ["schema version 3", manifestWith('"schemaVersion":2', '"schemaVersion":3'), "schema"],
  [
    "an index path that leads elsewhere",
    manifestWith("/data/index.json.gz", "/data/../../etc/passwd"),
    "schema",
  ],
  [
    "a web page with status 200 for the manifest",
    (files) => {
      files.set("/data/manifest.json", page);
    },
    "not_json",
  ],
  [
    "a web page with status 200 for the index",
    (files) => {
      files.set("/data/index.json.gz", page);
    },
    "hash",
  ],
  [
    "a web page with status 200 for a repository",
    (files) => {
      files.set("/data/repos/acme/engine.json", page);
    },
    "not_json",
  ],
  [
    "an error of the server",
    (files) => {
      files.set("/data/manifest.json", { status: 503, body: "{}" });
    },
    "status",
  ],
])(
  "keeps the last good copy at %s, says why and leaves nothing behind",
  async (_what, damage, reason) => {
    server.files = publishDataset([engine, tool], FIRST);
    await sync();
    const before = await readdir(folder.path);
    const files = publishDataset([engine, added, tool], SECOND);
    damage(files);
    server.files = files;
    await expect(sync()).rejects.toMatchObject({ name: "SyncError", reason });
    expect(await idsInForce()).toEqual(["1", "2"]);
    expect(await readdir(folder.path)).toEqual(before);
    server.files = publishDataset([engine, added, tool], SECOND);
    expect(await sync()).toMatchObject({ isUpdated: true, datasetVersion: SECOND });
  },
);

test.each([1, 2, 3, 5])(
  "keeps the last good copy when the disk is full after %i files",
  async (writable) => {
    server.files = publishDataset([engine, tool], FIRST);
    await sync();
    const before = await readdir(folder.path);
    server.files = publishDataset([engine, added, tool], SECOND);
    let written = 0;
    const write = async (file: string, bytes: Uint8Array) => {
      written += 1;
      if (written >= writable) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
      await writeFile(file, bytes);
    };
    await expect(sync({}, { write })).rejects.toMatchObject({
      reason: "disk",
      message: "the copy could not be written: the disk is full",
    });
    expect(await idsInForce()).toEqual(["1", "2"]);
    expect(await readdir(folder.path)).toEqual(before);
  },
);

test("keeps the last good copy without a network, and has none where there was none", async () => {
  server.files = publishDataset([engine], FIRST);
  const url = server.url;
  await sync();
  await server.close();
  await expect(sync({ url })).rejects.toMatchObject({ reason: "unreachable" });
  expect(await idsInForce()).toEqual(["1"]);
  expect(await findCopy(path.join(folder.path, "elsewhere"))).toBeUndefined();
});

test("a copy is a published dataset again", async () => {
  server.files = publishDataset([engine], FIRST);
  await sync();
  const copy = await findCopy(folder.path);
  const manifest = await readFile(path.join(copy?.path ?? "", "manifest.json"), "utf8");
  expect(manifest).toBe(text(server.files.get("/data/manifest.json")));
});
