import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import request from "supertest";
import { expect, onTestFinished, test } from "vitest";
import type { WriteFile } from "../../src/catalogue/sync/dataset-copy.ts";
import { copyFolderOf } from "../../src/catalogue/sync/dataset-copy.ts";
import { createFetch } from "../../src/catalogue/sync/http-fetch.ts";
import { syncUrl } from "../../src/catalogue/sync/sync-dataset.ts";
import { createService } from "../../src/app/serve.ts";
import { syncOnce } from "../../src/app/sync-records.ts";
import { buildRecord } from "../support/build-record.ts";
import { publishDataset, startDatasetServer } from "../support/dataset-server.ts";
import type { DatasetServer } from "../support/dataset-server.ts";
import { eventually } from "../support/eventually.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const FIRST = "2026-08-01T00:00:00.000Z";
const SECOND = "2026-08-02T00:00:00.000Z";
const KNOWN = {
  id: "1",
  excerpt: ["cannot write checkpoint 12 of shard 3: lease expired"],
  labels: {},
};
const engine = buildRecord(1).record;
const added = buildRecord(3, { errorMessage: "lost {} on the way" }).record;

const MANIFEST = "/data/manifest.json";
const INDEX = "/data/index.json.gz";
const REPO = "/data/repos/acme/engine.json";
const PAGE = {
  body: "<!doctype html><title>Sign in</title>",
  headers: { "Content-Type": "text/html" },
};

async function startServer(): Promise<DatasetServer> {
  const server = await startDatasetServer();
  onTestFinished(() => server.close());
  return server;
}

/** Takes the first version into the folder of copies, as an earlier run of the program did. */
async function takeFirst(server: DatasetServer, cache: string): Promise<void> {
  server.files = publishDataset([engine], FIRST);
  const ways = { proxyUrl: undefined, ca: undefined, timeoutMs: 5000, userAgent: "test" };
  const task = { url: server.url, repos: [], folder: copyFolderOf(cache, server.url) };
  await syncUrl(task, { fetch: createFetch(ways) });
  server.files = publishDataset([engine, added], SECOND);
}

/** Starts the service on the URL of a server and waits until asking it has failed. */
async function startToFail(folder: string, url: string, write?: WriteFile) {
  const file = path.join(folder, "alertlore.yaml");
  const records = { starter: false, cache: "cache", sources: [{ url }] };
  await writeFile(file, JSON.stringify({ store: "memory", records }));
  const logLines: string[] = [];
  const { service, faults } = await createService({
    sources: { file, flags: {}, env: {} },
    writeLog: (line) => logLines.push(line),
    sync: (wish) => syncOnce(wish, write && { write }),
  });
  if (service === undefined) throw new Error(JSON.stringify(faults));
  onTestFinished(() => service.close());
  const text = async (place: string) => (await request(service.app).get(place)).text;
  await eventually(
    async () => {
      const failed = /^alertlore_catalogue_syncs_total\{result="failure"\} 1$/mu;
      return failed.test(await text("/metrics")) ? true : undefined;
    },
    { what: "the failed sync in the metric" },
  );
  const answer = await request(service.app).post("/api/v1/match").send(KNOWN);
  const { matches } = answer.body as { matches: { id: string }[] };
  return { matches, log: logLines.join(""), text };
}

type Files = DatasetServer["files"];
const bytesOf = (files: Files, place: string) => Buffer.from(files.get(place)?.body ?? "");

function changeManifest(files: Files, from: string | RegExp, to: string): void {
  files.set(MANIFEST, { body: bytesOf(files, MANIFEST).toString().replace(from, to) });
}

function cutIndex(files: Files): void {
  const cut = bytesOf(files, INDEX).subarray(0, -20);
  files.set(INDEX, { body: cut });
  const hash = createHash("sha256").update(cut).digest("hex");
  changeManifest(files, /"sha256":"[0-9a-f]{64}/u, `"sha256":"${hash}`);
}

const fullDisk: WriteFile = () =>
  Promise.reject(Object.assign(new Error("no space left on device"), { code: "ENOSPC" }));

interface Failure {
  readonly what: string;
  readonly damage?: (files: Files) => void;
  readonly write?: WriteFile;
  readonly reason: string;
  readonly says: string;
}

test.each<Failure>([
  {
    what: "a corrupt hash",
    damage: (files) => {
      changeManifest(files, /"sha256":"[0-9a-f]{8}/u, '"sha256":"00000000');
    },
    reason: "hash",
    says: "has not the hash that manifest.json gives",
  },
  { what: "a truncated gzip", damage: cutIndex, reason: "gzip", says: "is broken gzip" },
  {
    what: "a manifest newer than its index",
    damage: (files) => {
      changeManifest(files, SECOND, "2026-08-03T00:00:00.000Z");
    },
    reason: "version",
    says: "manifest.json is of 2026-08-03T00:00:00.000Z, but index.json.gz of 2026-08-02",
  },
  {
    what: "a repository file of another version",
    damage: (files) => {
      files.set(REPO, { body: JSON.stringify([engine]) });
    },
    reason: "version",
    says: "does not hold the records that the index lists for it",
  },
  {
    what: "schema 3",
    damage: (files) => {
      changeManifest(files, '"schemaVersion":2', '"schemaVersion":3');
    },
    reason: "schema",
    says: "has schema version 3; 2 can be read",
  },
  { what: "a full disk", write: fullDisk, reason: "disk", says: "the disk is full" },
  {
    what: "a web page with status 200",
    damage: (files) => {
      files.set(MANIFEST, PAGE);
    },
    reason: "not_json",
    says: "manifest.json is a web page, not JSON",
  },
])(
  "at $what the last good copy stays, and metric, log and pages say so",
  async ({ damage, write, reason, says }) => {
    const folder = createTemporaryFolder();
    const server = await startServer();
    await takeFirst(server, path.join(folder, "cache"));
    damage?.(server.files);
    await expectKept(await startToFail(folder, server.url, write), { reason, says });
  },
);

test("without a network at the start the last good copy stays, and metric, log and pages say so", async () => {
  const folder = createTemporaryFolder();
  const server = await startServer();
  await takeFirst(server, path.join(folder, "cache"));
  await server.close();
  const started = await startToFail(folder, server.url);
  await expectKept(started, { reason: "unreachable", says: "could not be fetched: ECONNREFUSED" });
});

/** `startToFail` has seen the metric of the failure. */
async function expectKept(
  { matches, log, text }: Awaited<ReturnType<typeof startToFail>>,
  { reason, says }: Pick<Failure, "reason" | "says">,
): Promise<void> {
  expect(matches.map(({ id }) => id)).toEqual([engine.id]);
  expect(await text("/metrics")).toContain(`alertlore_dataset_info{version="${FIRST}"} 1`);
  const line = log.split("\n").find((each) => each.includes("the last good copy stays"));
  expect(line).toContain("level=error");
  expect(line).toContain(`reason=${reason}`);
  expect(line).toContain(says);
  const status = await text("/status");
  expect(status).toContain(`gave nothing new (<code>${reason}</code>)`);
  expect(status).toContain(says);
  expect(status).toContain("The last good copy stays.");
  expect(await text("/")).toContain("1 source not up to date");
}

test("where there is no copy yet, log and page do not claim one", async () => {
  const server = await startServer();
  await server.close();
  const { matches, log, text } = await startToFail(createTemporaryFolder(), server.url);
  expect(matches).toEqual([]);
  expect(log).toContain("no new records, there is no earlier copy");
  expect(await text("/status")).toContain("There is no earlier copy, so it adds no records.");
});

test("neither log nor page shows the query of a URL", async () => {
  const server = await startServer();
  const url = `${server.url}own.json?token=hunter2`;
  const { log, text } = await startToFail(createTemporaryFolder(), url);
  const status = await text("/status");
  expect(status).toContain(`<code>${server.url}own.json</code>`);
  expect(log + status).not.toContain("hunter2");
});
