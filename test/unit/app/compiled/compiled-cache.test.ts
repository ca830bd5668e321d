import { appendFile, readFile, readdir, truncate, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { buildCatalogue } from "../../../../src/app/build-catalogue.ts";
import { keepCompiled, readCompiled } from "../../../../src/app/compiled/compiled-cache.ts";
import { buildRecord } from "../../../support/build-record.ts";
import { makeTestFolder } from "../../../support/record-files.ts";
import type { TestFolder } from "../../../support/record-files.ts";

let folder: TestFolder;
beforeEach(async () => {
  folder = await makeTestFolder();
});
afterEach(() => folder.remove());

const records = [1, 2, 3].map(
  (number) =>
    buildRecord(number, { errorMessage: `lost shard ${number} of {} \u{1F4A5} – ende` }).record,
);

async function keep() {
  const file = await folder.write("records.json", records);
  const mutePath = await folder.write("mute.yaml", { mutes: [] });
  const overlayPath = await folder.write("overlay.yaml", { overlays: [] });
  const sources = [{ path: file, origin: "operator" as const }];
  const plan = { sources, mutePath, overlayPaths: [overlayPath] };
  const cache = { folder: path.join(folder.path, "cache"), bytesMax: 2 ** 20 };
  const built = await buildCatalogue(plan);
  expect(await keepCompiled(built, cache)).toMatchObject({ isKept: true });
  return { plan, cache, built, file, kept: path.join(cache.folder, "compiled.bin") };
}

test("gives back the catalogue that was kept, whole, and leaves nothing beside it", async () => {
  const { plan, cache, built } = await keep();
  expect(await readCompiled(plan, cache)).toEqual({ built, state: "found" });
  expect(await readdir(cache.folder)).toEqual(["compiled.bin"]);
});

test.each([
  [
    "a record changes, its file's size and time do not",
    "records.json",
    /lost shard 1/u,
    "lost shard 9",
  ],
  ["a mute is added", "mute.yaml", /\[\]/u, '[{"repo":"acme/engine"}]'],
  [
    "an overlay is added",
    "overlay.yaml",
    /\[\]/u,
    '[{"name":"ours","id":["0000000000000001"],"severity":"critical"}]',
  ],
])("is outdated when %s", async (_what, name, before, after) => {
  const { plan, cache } = await keep();
  const file = path.join(folder.path, name);
  const time = new Date(1_700_000_000_000);
  await writeFile(file, (await readFile(file, "utf8")).replace(before, after));
  await utimes(file, time, time);
  expect(await readCompiled(plan, cache)).toEqual({ built: undefined, state: "outdated" });
  const anew = await buildCatalogue(plan);
  expect((await keepCompiled(anew, cache)).isKept).toBe(true);
  expect(await readCompiled(plan, cache)).toEqual({ built: anew, state: "found" });
});

test("is outdated when the same file is taken for another kind of source", async () => {
  const { plan, cache, file } = await keep();
  const sources = [{ path: file, origin: "dataset" as const }];
  expect((await readCompiled({ ...plan, sources }, cache)).state).toBe("outdated");
});

test.each([
  ["is cut off", (file: string, size: number) => truncate(file, size - 7)],
  ["is cut off in its table", (file: string) => truncate(file, 40)],
  ["is empty", (file: string) => truncate(file, 0)],
  ["has something behind it", (file: string) => appendFile(file, "x")],
  ["is something else", (file: string) => writeFile(file, "<html>sign in</html>".repeat(50))],
  ["has one bit changed", changeByte(0.6)],
  ["has one bit of its table changed", changeByte(0.1)],
  ["has one bit of its checksum changed", changeByte(0.9999)],
])("is not used when it %s", async (_what, damage) => {
  const { plan, cache, kept } = await keep();
  await damage(kept, (await readFile(kept)).length);
  const { built, state } = await readCompiled(plan, cache);
  expect(built).toBeUndefined();
  expect(state === "broken" || state === "outdated").toBe(true);
});

function changeByte(share: number) {
  return async (file: string) => {
    const bytes = await readFile(file);
    const at = Math.floor(share * bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    await writeFile(file, bytes);
  };
}

test("is neither kept nor read beyond the largest size", async () => {
  const { plan, cache, built } = await keep();
  const small = { ...cache, bytesMax: 100 };
  expect(await keepCompiled(built, small)).toMatchObject({ isKept: false, isFault: false });
  expect((await readCompiled(plan, small)).state).toBe("absent");
});

test("is not kept when a source was broken, and the one before stays", async () => {
  const { plan, cache } = await keep();
  const sources = [...plan.sources, { path: "/nowhere", origin: "operator" as const }];
  const built = await buildCatalogue({ ...plan, sources });
  expect(built.broken).toHaveLength(1);
  expect(await keepCompiled(built, cache)).toMatchObject({ isKept: false, isFault: false });
  expect((await readCompiled(plan, cache)).state).toBe("found");
});

test("says why when it cannot be written", async () => {
  const { built, file } = await keep();
  const outcome = await keepCompiled(built, { folder: file, bytesMax: 2 ** 20 });
  expect(outcome).toMatchObject({ isKept: false, isFault: true });
});
