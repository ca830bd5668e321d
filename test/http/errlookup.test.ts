import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import request from "supertest";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadRecords } from "../../src/catalogue/load-records.ts";
import { findCopy } from "../../src/catalogue/sync/dataset-copy.ts";
import { createFetch } from "../../src/catalogue/sync/http-fetch.ts";
import { syncUrl } from "../../src/catalogue/sync/sync-dataset.ts";
import { buildRecord } from "../support/build-record.ts";
import type { RecordWishes } from "../support/build-record.ts";
import { KNOWN_LINE } from "../support/create-kit.ts";
import { createTestService } from "../support/create-test-service.ts";
import { makeTestFolder } from "../support/record-files.ts";

const RECORDS: readonly RecordWishes[] = [
  {},
  {
    repo: "beta/db",
    errorCode: "E_DISK_FULL",
    errorMessage: "disk {} is full",
    messagePattern: "disk (.+?) is full",
  },
  {
    repo: "beta/db",
    errorMessage: "the quorum of replicas was lost while electing a leader",
    messagePattern: "the quorum",
  },
];

interface Manifest {
  readonly datasetVersion: string;
  readonly files: Readonly<
    Record<
      string,
      { path: string; bytes: number; sha256: string; rawBytes?: number; rawSha256?: string }
    >
  >;
}

async function startWith(records: readonly RecordWishes[]) {
  const service = await createTestService();
  await service.writeRecords(records);
  expect(await service.reload()).toEqual([]);
  return service;
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

type App = Awaited<ReturnType<typeof createTestService>>["app"];

async function bytesOf(app: App, path: string, encoding = "identity") {
  const answer = await request(app)
    .get(path)
    .set("Accept-Encoding", encoding)
    .buffer(true)
    .parse((response, done) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        done(null, Buffer.concat(chunks));
      });
    });
  const headers = answer.headers as Record<string, string>;
  return { status: answer.status, headers, bytes: answer.body as Buffer };
}

describe("documents in ErrLookup's layout", () => {
  it("have the hashes and sizes that the manifest gives", async () => {
    const { app } = await startWith(RECORDS);
    const manifest = (await request(app).get("/data/manifest.json")).body as Manifest;
    expect(manifest).toMatchObject({ schemaVersion: 2, counts: { repos: 2, errors: 3 } });
    for (const { path, bytes, sha256: hash, rawBytes, rawSha256 } of Object.values(
      manifest.files,
    )) {
      const served = await bytesOf(app, path);
      expect(served.status, path).toBe(200);
      expect(served.bytes.length, path).toBe(bytes);
      expect(sha256(served.bytes), path).toBe(hash);
      if (rawBytes === undefined) continue;
      const raw = gunzipSync(served.bytes);
      expect([raw.length, sha256(raw)]).toEqual([rawBytes, rawSha256]);
    }
    const plain = await bytesOf(app, "/data/index.json", "gzip");
    expect(plain.headers["content-encoding"]).toBe("gzip");
    const index = JSON.parse(plain.bytes.toString()) as {
      datasetVersion: string;
      errors: object[];
    };
    expect(index.datasetVersion).toBe(manifest.datasetVersion);
    expect(index.errors[1]).toEqual({
      id: buildRecord(2).record.id,
      repo: "beta/db",
      slug: "error-2",
      code: "E_DISK_FULL",
      msg: "disk {} is full",
      pattern: "disk (.+?) is full",
      type: "exception",
      cls: "CheckpointError",
      tags: [],
      sev: "error",
    });
  });

  it("hold the full records of each repository", async () => {
    const { app } = await startWith(RECORDS);
    const repos = (await request(app).get("/data/repos.json")).body as { repo: string }[];
    expect(repos).toMatchObject([
      { repo: "acme/engine", errorCount: 1, language: "Rust" },
      { repo: "beta/db", errorCount: 2 },
    ]);
    const body: unknown = (await request(app).get("/data/repos/beta/db.json")).body;
    expect(body).toEqual([2, 3].map((n) => buildRecord(n, RECORDS[n - 1]).record));
    for (const path of ["no/such.json", "beta/db", "..%2f/db.json"]) {
      expect((await request(app).get(`/data/repos/${path}`)).status, path).toBe(404);
    }
  });

  it.each(["manifest.json", "index.json", "index.json.gz", "repos.json", "repos/beta/db.json"])(
    "%s is not sent again to who has it, until a record changes",
    async (name) => {
      const { app, writeRecords, reload } = await startWith(RECORDS);
      const path = `/data/${name}`;
      const { headers } = await bytesOf(app, path);
      const etag = headers["etag"] ?? "";
      const again = () =>
        request(app).get(path).set("Accept-Encoding", "identity").set("If-None-Match", etag);
      expect((await again()).status).toBe(304);
      await writeRecords([{}, { ...RECORDS[1], solutions: ["Buy a disk."] }, {}]);
      await reload();
      expect((await request(app).get("/data/manifest.json")).status).toBe(200);
      if (name !== "repos.json") expect((await again()).status).toBe(200);
    },
  );
});

it("another service can take the records as its dataset", async () => {
  const { listen } = await startWith(RECORDS);
  const { port } = await listen();
  const folder = await makeTestFolder();
  onTestFinished(() => folder.remove());
  const url = `http://127.0.0.1:${port}/data/`;
  const fetch = createFetch({
    proxyUrl: undefined,
    ca: undefined,
    timeoutMs: 5000,
    userAgent: "test",
  });
  const outcome = await syncUrl({ url, repos: [], folder: folder.path }, { fetch });
  expect(outcome.isUpdated).toBe(true);
  const copy = await findCopy(folder.path);
  const loaded = await loadRecords([{ path: copy?.path ?? "", origin: "dataset" }]);
  expect(loaded.records.map(({ record }) => record)).toEqual(
    RECORDS.map((wishes, index) => buildRecord(index + 1, wishes).record),
  );
});

describe("ErrLookup's API", () => {
  const ids = (body: unknown) =>
    (body as { matches: { id: string }[] }).matches.map(({ id }) => id);

  it.each([
    ["write failed with E_DISK_FULL", "exact-code", 2],
    [KNOWN_LINE, "pattern", 1],
    ["quorum of the replicas lost", "fuzzy", 3],
  ])("finds %j by %s", async (text, matchType, number) => {
    const { app } = await startWith(RECORDS);
    const body: unknown = (await request(app).get(`/api/search?q=${encodeURIComponent(text)}`))
      .body;
    expect(body).toMatchObject({ matches: [{ matchType, id: buildRecord(number).record.id }] });
    const { matches, datasetVersion } = body as {
      matches: { score: number }[];
      datasetVersion: string;
    };
    expect(matches[0]?.score).toBeGreaterThan(0);
    expect(matches[0]?.score).toBeLessThanOrEqual(1);
    const manifest = (await request(app).get("/data/manifest.json")).body as Manifest;
    expect(datasetVersion).toBe(manifest.datasetVersion);
  });

  it("searches one repository, takes `message` for `q` and keeps to the limit", async () => {
    const { app } = await startWith([
      {},
      { repo: "beta/db" },
      { repo: "beta/db", errorMessage: "other", messagePattern: "other" },
    ]);
    const q = encodeURIComponent(KNOWN_LINE);
    const one = await request(app).get(`/api/search?message=${q}&repo=beta/db`);
    expect(ids(one.body)).toEqual([buildRecord(2).record.id]);
    expect(ids((await request(app).get(`/api/search?q=${q}&limit=1`)).body)).toHaveLength(1);
    expect(ids((await request(app).get("/api/search?q=zzzz")).body)).toEqual([]);
  });

  it("refuses in ErrLookup's words", async () => {
    const { app } = await startWith(RECORDS);
    const refusals = [
      ["/api/search", 400, "missing q parameter"],
      ["/api/search?q=x&limit=many", 400, "limit must be a positive number"],
      [`/api/search?q=${"x".repeat(9000)}`, 400, "q has more than 8192 characters"],
      ["/api/errors/ffffffffffffffff", 404, "not found"],
      ["/api/errors/UPPER", 404, "unknown endpoint"],
    ] as const;
    for (const [path, status, error] of refusals) {
      const answer = await request(app).get(path);
      expect([answer.status, (answer.body as { error: string }).error], path).toEqual([
        status,
        error,
      ]);
    }
    expect((await request(app).post("/api/search?q=x")).status).toBe(405);
  });

  it("answers a record wrapped, and the repositories", async () => {
    const { app } = await startWith(RECORDS);
    const { record } = buildRecord(1);
    const body: unknown = (await request(app).get(`/api/errors/${record.id}`)).body;
    expect(body).toMatchObject({ record });
    expect((await request(app).get("/api/repos")).body).toMatchObject({
      repos: [{ repo: "acme/engine" }, { repo: "beta/db" }],
    });
  });
});
