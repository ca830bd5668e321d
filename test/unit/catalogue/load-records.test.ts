import { symlinkSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  answer,
  bare,
  id,
  json,
  lines,
  loadFiles,
  loadPath,
} from "../../support/load-record-files.ts";
import { requireShared } from "../../support/shared.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

describe("every shape of a file loads, by path and by folder", () => {
  it.each([
    ["an API answer", "a.txt", json(answer(1)), [1]],
    ["an API answer without extension", "answer", json(answer(1)), [1]],
    ["a bare record", "a.json", json(bare(1)), [1]],
    ["a pretty-printed record", "a.json", JSON.stringify(bare(1), undefined, 2), [1]],
    ["an array", "a.json", json([bare(2), bare(1)]), [1, 2]],
    ["an empty array", "a.json", "[]", []],
    ["JSON Lines of records", "a.jsonl", lines(bare(1), bare(2)), [1, 2]],
    ["JSON Lines of answers", "a.ndjson", lines(answer(1), answer(2)), [1, 2]],
    ["JSON Lines of both", "a.jsonl", lines(answer(1), bare(2)), [1, 2]],
    ["JSON Lines without the extension", "a.txt", lines(bare(1), bare(2)), [1, 2]],
    [
      "JSON Lines with CRLF, blank lines and no last line end",
      "a.jsonl",
      `${json(bare(1))}\r\n\r\n${json(bare(2))}`,
      [1, 2],
    ],
    ["one line of JSON Lines", "a.jsonl", json(bare(1)), [1]],
    ["a byte order mark and white space", "a.json", `\uFEFF\n ${json(bare(1))}\n\n`, [1]],
    ["gzip", "a.json.gz", gzipSync(json([bare(1)])), [1]],
    ["gzip of JSON Lines", "a.jsonl.gz", gzipSync(lines(bare(1), bare(2))), [1, 2]],
    ["gzip without the extension", "a.json", gzipSync(json(answer(1))), [1]],
    ["unknown keys", "a.json", json({ ...bare(1), later: 1 }), [1]],
  ])("%s", async (_, name, content, numbers) => {
    const byPath = await loadFiles({ [name]: content }, name);
    expect(byPath.skipped).toEqual([]);
    expect(byPath.ids).toEqual(numbers.map(id));
    const byFolder = await loadPath(byPath.folder);
    expect(byFolder.skipped).toEqual([]);
    expect(byFolder.ids).toEqual(numbers.map(id));
  });
});

describe("folders", () => {
  it("are walked whole, hidden files left out and other files passed over", async () => {
    const { ids, skipped } = await loadFiles({
      "b/deep/x.json": json([bare(3)]),
      "a.txt": json(answer(1)),
      "c.dat": json(bare(2)),
      ".hidden.json": json(bare(4)),
      ".git/x.json": json(bare(5)),
      "README.md": "# Our records\n",
      "picture.png": new Uint8Array([0x89, 0x50, 0x4e, 0x47]),
      empty: "",
    });
    expect(skipped).toEqual([]);
    expect(ids).toEqual([1, 2, 3].map(id));
  });

  it("with a manifest are published datasets: only what lies under repos is read", async () => {
    const { ids, skipped, datasetVersion } = await loadFiles({
      "manifest.json": json({ schemaVersion: 2, datasetVersion: "2026-08-02T00:00:00.000Z" }),
      "index.json.gz": gzipSync(json({ errors: [] })),
      "repos.json": json([{ repo: "a/b" }]),
      "search/summary.json": "{}",
      "repos/acme/engine.json": json([bare(1), bare(2)]),
      "repos/acme/empty.json": "[]",
      "repos/acme/late.json.gz": gzipSync(json([bare(3)])),
      "repos/acme/engine.json.tmp-77": "[{",
    });
    expect(skipped).toEqual([]);
    expect(ids).toEqual([1, 2, 3].map(id));
    expect(datasetVersion).toBe("2026-08-02T00:00:00.000Z");
  });

  it("with a folder repos and no manifest are published datasets too, in a folder of others too", async () => {
    const { ids, skipped } = await loadFiles({
      "downloads/repos/acme/engine.json": json([bare(1)]),
      "downloads/index.json": json({ errors: [] }),
      "own/x.json": json(bare(2)),
    });
    expect(skipped).toEqual([]);
    expect(ids).toEqual([1, 2].map(id));
  });

  it("that are linked in circles or twice are read once", async () => {
    const folder = createTemporaryFolder({ "a/x.json": json(bare(1)), "a/b/y.json": "[]" });
    symlinkSync(folder, path.join(folder, "a/b/loop"));
    symlinkSync(path.join(folder, "a"), path.join(folder, "twice"));
    symlinkSync("self", path.join(folder, "self"));
    const { ids, skipped } = await loadPath(folder);
    expect(ids).toEqual([id(1)]);
    expect(skipped).toMatchObject([
      { file: path.join(folder, "self"), faults: [{ message: "symbolic links lead in a circle" }] },
    ]);
  });

  it("may be reached by links, as files mounted into containers are", async () => {
    const folder = createTemporaryFolder({ "..2026/x.json": json(bare(1)) });
    symlinkSync("..2026", path.join(folder, "..data"));
    symlinkSync("..data/x.json", path.join(folder, "x.json"));
    expect((await loadPath(folder)).ids).toEqual([id(1)]);
  });
});

describe("what is broken is skipped and named, and the rest loads", () => {
  it("names file, index, line, id and field of a record in an array", async () => {
    const broken = { ...bare(2), severity: "fatal" };
    const text = JSON.stringify([bare(1), broken, 7, bare(3)], undefined, 2);
    const { ids, skipped, folder } = await loadFiles({ "a.json": text });
    expect(ids).toEqual([1, 3].map(id));
    const line = text.slice(0, text.indexOf("fatal")).split("\n").length;
    expect(skipped).toMatchObject([
      {
        file: path.join(folder, "a.json"),
        index: 1,
        path: "[1]",
        id: id(2),
        line,
        faults: [
          { field: "severity", line, message: "must be one of: critical, error, warning, info" },
        ],
      },
      {
        index: 2,
        path: "[2]",
        id: undefined,
        faults: [{ field: "", message: "must be an object" }],
      },
    ]);
  });

  it("names the line of a field within an API answer", async () => {
    const text = JSON.stringify({ ...answer(1), record: { ...bare(1), tags: 1 } }, undefined, 1);
    const { skipped } = await loadFiles({ "a.txt": text });
    const line = text.slice(0, text.indexOf('"tags"')).split("\n").length;
    expect(skipped).toMatchObject([{ path: "record", line, faults: [{ field: "tags" }] }]);
  });

  it("names each broken line of JSON Lines", async () => {
    const text = `${json(bare(1))}\n\n{"id":\n${json({ ...bare(2), id: "x" })}\n${json(bare(3))}\n`;
    const { ids, skipped } = await loadFiles({ "a.jsonl": text });
    expect(ids).toEqual([1, 3].map(id));
    expect(skipped).toMatchObject([
      { index: 1, line: 3, faults: [{ message: "is no JSON" }] },
      { index: 2, line: 4, faults: [{ field: "id" }] },
    ]);
  });

  it.each([
    [
      "broken JSON",
      "a.json",
      '[\n{"id":"x",}\n]',
      { line: 2, faults: [{ message: "is no JSON" }] },
    ],
    [
      "two answers in one file",
      "a.txt",
      `${JSON.stringify(answer(1), undefined, 1)}\n${JSON.stringify(answer(2), undefined, 1)}`,
      { faults: [{ message: "is no JSON" }] },
    ],
    ["an answer that is an error", "a.json", '{"error":"not found"}', { index: 0, id: undefined }],
    [
      "an answer without a record",
      "a.json",
      '{"record":null}',
      { path: "record", faults: [{ message: "must be an object" }] },
    ],
    [
      "a file that is no records by its content",
      "a.json",
      "hello",
      { line: 1, faults: [{ message: "is no JSON" }] },
    ],
    ["an empty file with the extension", "a.json", "", { faults: [{ message: "is no JSON" }] }],
    ["broken gzip", "a.json.gz", new Uint8Array([0x1f, 0x8b, 8, 0, 1, 2, 3]), { index: undefined }],
    [
      "gzip that ends too early",
      "a.json.gz",
      gzipSync(json(bare(1))).subarray(0, 40),
      { faults: [{ message: "is gzip that ends too early" }] },
    ],
    ["nesting without end", "a.json", "[".repeat(100_000), { faults: [{ message: "is no JSON" }] }],
  ])("%s", async (_, name, content, expected) => {
    const { ids, skipped, folder } = await loadFiles({ [name]: content, "b.json": json(bare(9)) });
    expect(ids).toEqual([id(9)]);
    expect(skipped).toMatchObject([{ file: path.join(folder, name), ...expected }]);
  });

  it("a path that does not exist, and a manifest that is none", async () => {
    expect((await loadPath("/nonexistent/records")).skipped).toMatchObject([
      { file: "/nonexistent/records", faults: [{ message: "no such file or folder" }] },
    ]);
    const { ids, skipped } = await loadFiles({
      "manifest.json": "{",
      "repos/a/b.json": json([bare(1)]),
    });
    expect(ids).toEqual([id(1)]);
    expect(skipped).toMatchObject([{ faults: [{ message: "is no JSON" }] }]);
  });

  it("a file that is named by the operator is never passed over", async () => {
    const { skipped } = await loadFiles({ "README.md": "# no records\n" }, "README.md");
    expect(skipped).toMatchObject([{ faults: [{ message: "is no JSON" }] }]);
  });
});

describe("beside the repository", () => {
  it("the three seeds load as they are, by folder and one by one", async (context) => {
    const folder = requireShared(context, "seeds");
    const { ids, skipped, datasetVersion } = await loadPath(folder);
    expect(skipped).toEqual([]);
    expect(ids).toEqual(["04cfc48f7495808c", "c36bebe8cdedec02", "d35cdfb22a5e48fe"]);
    expect(datasetVersion).toBe("2026-09-23T08:17:48.524Z");
    const one = await loadPath(path.join(folder, "002_14a2712fd9c17939.txt"));
    expect(one.ids).toEqual(["c36bebe8cdedec02"]);
  });

  it("the published dataset loads whole, and the corpus beside it", async (context) => {
    const dataset = await loadPath(requireShared(context, "dataset"));
    expect(dataset.skipped).toEqual([]);
    expect(dataset.records).toHaveLength(25_836);
    const corpus = await loadPath(requireShared(context, "corpus/records.jsonl"));
    expect(corpus.skipped).toEqual([]);
    expect(corpus.records).toHaveLength(51);
    expect(corpus.records.every(({ origin }) => origin === "dataset")).toBe(true);
  });
});
