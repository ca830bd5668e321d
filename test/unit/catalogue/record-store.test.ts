import { expect, test } from "vitest";
import { createRecordStore } from "../../../src/catalogue/record-store.ts";
import { buildRecord } from "../../support/build-record.ts";

test("a store finds its records by id, counts them and hands them out in order", () => {
  const records = [buildRecord(1), buildRecord(2)];
  const store = createRecordStore(records, "2026-08-02");
  expect(store.get(records[1]?.record.id ?? "")).toBe(records[1]);
  expect(store.get("constructor")).toBeUndefined();
  expect(store.size).toBe(2);
  expect([...store.records()]).toEqual(records);
  expect(store.datasetVersion).toBe("2026-08-02");
});
