import { describe, expect, it } from "vitest";
import { createRecordStore } from "../../../../src/catalogue/record-store.ts";
import { classOf } from "../../../../src/record/known-error.ts";
import { buildRecordIndex } from "../../../../src/web/records/record-index.ts";
import type { RecordIndex } from "../../../../src/web/records/record-index.ts";
import { searchRecords } from "../../../../src/web/records/search-records.ts";
import { buildRecord } from "../../../support/build-record.ts";
import type { RecordWishes } from "../../../support/build-record.ts";

const RECORDS: readonly RecordWishes[] = [
  { errorMessage: "cannot open segment {}: no such file", errorClass: "SegmentError" },
  { errorMessage: "cannot open index {}", errorClass: "IndexError", severity: "critical" },
  { errorMessage: "out_of_memory in region {}", errorClass: null, backgroundTag: "memory-limit" },
  { repo: "zeta/db", errorMessage: "cannot open segment", errorClass: "SegmentError" },
  { repo: "beta/db", errorMessage: "Überlauf bei Segmentierung", errorCode: "E4711" },
];

async function indexOf(wishes: readonly RecordWishes[]): Promise<RecordIndex> {
  const records = wishes.map((each, index) => buildRecord(index + 1, each));
  return buildRecordIndex(createRecordStore(records, ""), () => undefined);
}

async function find(text: string, facets: Record<string, string> = {}) {
  const found = searchRecords(await indexOf(RECORDS), { text, facets }, { offset: 0, max: 10 });
  return { ...found, numbers: found.ids.map((id) => Number.parseInt(id, 16)) };
}

describe("searching records", () => {
  it.each([
    ["segment", [4, 1, 5]],
    ["cannot segment", [4, 1]],
    ["CANNOT Open", [2, 4, 1]],
    ["memory", [3]],
    ["überl", [5]],
    ["e4711", [5]],
    ["segmenterror open", [4, 1]],
    ["zeta", [4]],
    ["nowhere", []],
    ["segment nowhere", []],
  ])("finds for %j the records that hold every word, the closest first", async (text, expected) => {
    const { numbers } = await find(text);
    expect(new Set(numbers)).toEqual(new Set(expected));
    expect(numbers[0]).toBe(expected[0]);
  });

  it("lists all by repository when no word is asked for", async () => {
    expect((await find("")).numbers).toEqual([1, 2, 3, 5, 4]);
    expect((await find(" .. ")).total).toBe(5);
  });

  it("counts for each facet the records that fit all other wishes", async () => {
    const { numbers, facets } = await find("", { class: "SegmentError", severity: "error" });
    expect(numbers).toEqual([1, 4]);
    expect(facets.severity).toEqual([{ value: "error", count: 2 }]);
    expect(facets.class.map(({ value, count }) => [value, count])).toEqual([
      ["SegmentError", 2],
      ["memory-limit", 1],
      ["CheckpointError", 1],
    ]);
    expect(facets.repo).toEqual([
      { value: "acme/engine", count: 1 },
      { value: "zeta/db", count: 1 },
    ]);
    expect((await find("", { repo: "no/such" })).total).toBe(0);
  });

  it("gives every record on exactly one page, and sums that agree with the records", async () => {
    const wishes = Array.from({ length: 137 }, (_each, index): RecordWishes => {
      const repo = `acme/r${index % 7}`;
      return { repo, errorMessage: `broken part ${index % 11} of {}`, errorClass: `C${index % 5}` };
    });
    const index = await indexOf(wishes);
    const seen: string[] = [];
    for (let offset = 0; offset < 137; offset += 10) {
      const page = { offset, max: 10 };
      const found = searchRecords(index, { text: "broken", facets: {} }, page);
      expect(found.total).toBe(137);
      seen.push(...found.ids);
    }
    expect(new Set(seen).size).toBe(137);
    const { facets } = searchRecords(index, { text: "", facets: {} }, { offset: 0, max: 0 });
    for (const { value, count } of facets.class) {
      const own = wishes.filter((each, at) => classOf(buildRecord(at, each).record) === value);
      expect(count, value).toBe(own.length);
    }
  });

  it("lets others go first while it reads many records", async () => {
    const records = [1, 2, 3, 4].map((number) => buildRecord(number));
    let pauses = 0;
    await buildRecordIndex(createRecordStore(records, ""), () => {
      pauses += 1;
      return Promise.resolve();
    });
    expect(pauses).toBeGreaterThanOrEqual(records.length);
  });
});

describe("the index of records", () => {
  it("tells records of one message and of one slug", async () => {
    const index = await indexOf([{}, { errorMessage: "another" }, { repo: "beta/db" }]);
    expect(index.withMessage("cannot write checkpoint {} of shard {}: lease expired")).toEqual([
      0, 2,
    ]);
    expect(index.withSlug("acme/engine", "error-2")).toEqual([1]);
    expect(index.withSlug("acme/engine", "error-3")).toEqual([]);
  });
});
