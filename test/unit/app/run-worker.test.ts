import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { buildCatalogue } from "../../../src/app/build-catalogue.ts";
import { readCompiled } from "../../../src/app/compiled/compiled-cache.ts";
import type { KeepOutcome } from "../../../src/app/compiled/compiled-cache.ts";
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

test("a catalogue built in a thread is the same as one built here, and as one that was kept", async () => {
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
  const cache = { folder: join(folder.path, "cache"), bytesMax: 2 ** 20 };
  const build = async () => {
    let onKept: (outcome: KeepOutcome) => void = () => undefined;
    const kept = new Promise<KeepOutcome>((resolve) => (onKept = resolve));
    return { built: await buildInWorker({ plan, cache, isBackground: true }, onKept), kept };
  };
  const first = await build();
  expect(first.built).toEqual(here);
  expect(await first.kept).toMatchObject({ isKept: true });
  expect((await readCompiled(plan, cache)).state).toBe("found");
  expect((await build()).built).toEqual(here);
});

test("a sync in a thread reports what went wrong", async () => {
  const url = "http://127.0.0.1:1/data/";
  const http = { proxyUrl: undefined, caPath: undefined, timeoutMs: 1_000, userAgent: "test" };
  const report = await syncInWorker({ task: { url, repos: [], folder: folder.path }, http });
  expect(report).toMatchObject({ url, result: "failure", reason: "unreachable" });
});
