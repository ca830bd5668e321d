import { afterEach, beforeEach, expect, test } from "vitest";
import { buildCatalogue } from "../../../src/app/build-catalogue.ts";
import { MUTES_PATH } from "../../../src/app/installation.ts";
import { buildInWorker, syncInWorker } from "../../../src/app/run-worker.ts";
import { buildRecord } from "../../support/build-record.ts";
import { makeTestFolder } from "../../support/record-files.ts";
import type { TestFolder } from "../../support/record-files.ts";

let folder: TestFolder;
beforeEach(async () => {
  folder = await makeTestFolder();
});
afterEach(() => folder.remove());

test("a catalogue built in a thread is the same as one built here", async () => {
  const records = [1, 2, 3].map((number) =>
    buildRecord(number, { errorMessage: `lost shard ${number} of {}` }),
  );
  const path = await folder.write("records.json", [
    ...records.map(({ record }) => record),
    { id: "x" },
  ]);
  const sources = [{ path, origin: "operator" as const }];
  const plan = { sources, mutePath: MUTES_PATH, overlayPaths: [] };
  const here = await buildCatalogue(plan);
  expect(here.counts).toMatchObject({ used: 3, skipped: 1 });
  const { packed, ...rest } = await buildInWorker(plan, { isBackground: true });
  expect(rest).toEqual({ ...here, packed: undefined });
  expect(packed.ids).toEqual(here.packed.ids);
});

test("a sync in a thread reports what went wrong", async () => {
  const url = "http://127.0.0.1:1/data/";
  const http = { proxyUrl: undefined, caPath: undefined, timeoutMs: 1_000, userAgent: "test" };
  const report = await syncInWorker({ task: { url, repos: [], folder: folder.path }, http });
  expect(report).toMatchObject({ url, result: "failure", reason: "unreachable" });
});
