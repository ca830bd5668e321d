import { expect, test } from "vitest";
import { createPackedStore, packRecords } from "../../../src/catalogue/packed-records.ts";
import { buildRecord } from "../../support/build-record.ts";

const ids = [
  "0000000000000000",
  "00000000ffffffff",
  "0000000100000000",
  "7fffffff80000000",
  "ffffffffffffffff",
];
const entries = ids.map((id, index) =>
  buildRecord(index, { id, documentation: `Größe ${index} \u{1F4A5} \uD800 "\\` }),
);

test("gives back every record as it was packed, by id and in order", () => {
  const store = createPackedStore(packRecords(entries), "v1");
  expect(store.size).toBe(ids.length);
  expect(store.datasetVersion).toBe("v1");
  expect([...store.records()]).toEqual(entries);
  for (const entry of entries) expect(store.get(entry.record.id)).toEqual(entry);
});

test.each(["", "0", "0000000000000001", "fffffffffffffffe", "FFFFFFFFFFFFFFFF", "__proto__"])(
  "knows no record %j",
  (id) => {
    expect(createPackedStore(packRecords(entries), "").get(id)).toBeUndefined();
  },
);

test("packs nothing, and records larger than a chunk", () => {
  expect(createPackedStore(packRecords([]), "").get(ids[0] ?? "")).toBeUndefined();
  const large = buildRecord(1, { documentation: "ä".repeat(9_000_000) });
  const store = createPackedStore(packRecords([large, buildRecord(2)]), "");
  expect(store.get(large.record.id)?.record.documentation).toHaveLength(9_000_000);
  expect(store.get("0000000000000002")).toEqual(buildRecord(2));
});
