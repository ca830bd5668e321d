import path from "node:path";
import { describe, expect, it } from "vitest";
import { loadRecords } from "../../../src/catalogue/load-records.ts";
import type { RecordWishes } from "../../support/build-record.ts";
import { answer, bare, json, lines, loadFiles } from "../../support/load-record-files.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

describe("of records with one id", () => {
  const named = (name: string, wishes: RecordWishes = {}) =>
    bare(1, { documentation: name, ...wishes });
  const sources = (folder: string) => ({
    dataset: { path: path.join(folder, "dataset"), origin: "dataset" as const },
    starter: { path: path.join(folder, "starter"), origin: "starter" as const },
    file: { path: path.join(folder, "file.json"), origin: "dataset" as const },
    curated: { path: path.join(folder, "curated.json"), origin: "operator" as const },
  });
  const files = {
    "dataset/manifest.json": json({ datasetVersion: "2" }),
    "dataset/repos/a/b.json": json([named("dataset", { analyzedAt: "2030-01-01T00:00:00Z" })]),
    "starter/a/b.json": json([named("starter")]),
    "file.json": json(named("file", { analyzedAt: "2029-01-01T00:00:00Z" })),
    "curated.json": json(named("curated")),
  };

  it.each([
    [["dataset", "starter", "file", "curated"], "curated", "operator"],
    [["dataset", "starter", "file"], "file", "dataset"],
    [["dataset", "starter"], "starter", "starter"],
    [["dataset"], "dataset", "dataset"],
  ] as const)("%j: %s wins, in whatever order they are given", async (names, winner, origin) => {
    const all = sources(createTemporaryFolder(files));
    for (const order of [names, names.toReversed()]) {
      const { records } = await loadRecords(order.map((name) => all[name]));
      expect(records).toHaveLength(1);
      expect(records[0]?.record.documentation).toBe(winner);
      expect(records[0]?.origin).toBe(origin);
    }
  });

  it("of equals the one analyzed last is taken, then the one whose text sorts last", async () => {
    const early = named("early", { analyzedAt: "2026-01-01T00:00:00Z" });
    const late = named("late", { analyzedAt: "2026-02-01T00:00:00Z" });
    const twin = named("maybe", { analyzedAt: "2026-02-01T00:00:00Z" });
    for (const order of [
      [early, late, twin],
      [twin, late, early],
      [late, twin, early],
    ]) {
      const { records } = await loadFiles({ "a.json": json(order) });
      expect(records.map(({ record }) => record.documentation)).toEqual(["maybe"]);
    }
  });

  it("a dataset that the operator calls curated is curated, and still the weakest", async () => {
    const all = sources(createTemporaryFolder(files));
    const { records } = await loadRecords([{ ...all.dataset, origin: "operator" }]);
    expect(records[0]?.origin).toBe("operator");
    const both = await loadRecords([{ ...all.dataset, origin: "operator" }, all.starter]);
    expect(both.records[0]?.record.documentation).toBe("starter");
  });
});

describe("the result", () => {
  it("is sorted by id and says where each record came from", async () => {
    const { records, folder } = await loadFiles({
      "a.json": json([bare(3), bare(1)]),
      "b.jsonl": `\n${json(bare(2))}\n`,
      "c.txt": json(answer(4)),
    });
    const places = records.map(({ loadedFrom }) => path.relative(folder, loadedFrom));
    expect(places).toEqual(["a.json[1]", "b.jsonl:2", "a.json[0]", "c.txt"]);
    expect(
      records.every(({ overlays, runbookUrl }) => overlays.length === 0 && runbookUrl === null),
    ).toBe(true);
  });

  it.each([
    [
      "the manifest's before any answer's",
      {
        "d/manifest.json": json({ datasetVersion: "2026-01" }),
        "d/repos/a/b.json": "[]",
        "x.txt": json(answer(1, "2027-01")),
      },
      "2026-01",
    ],
    [
      "the newest answer's without a manifest",
      {
        "x.txt": json(answer(1, "2026-01")),
        "y.jsonl": lines(answer(2, "2026-03"), answer(3, "2026-02")),
      },
      "2026-03",
    ],
    ["none where no source names one", { "x.json": json(bare(1)) }, ""],
    ["none where the name is no version", { "x.txt": json(answer(1, "<b>\n")) }, ""],
  ])("names as dataset version %s", async (_, files, version) => {
    expect((await loadFiles(files)).datasetVersion).toBe(version);
  });
});
