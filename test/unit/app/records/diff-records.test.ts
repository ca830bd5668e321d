import { expect, test } from "vitest";
import { diffRecords } from "../../../../src/app/records/diff-records.ts";
import { searchRecords } from "../../../../src/app/records/find-records.ts";
import { buildRecord } from "../../../support/build-record.ts";

test("tells added, removed and changed templates from other changes", () => {
  const before = [
    buildRecord(1),
    buildRecord(2),
    buildRecord(3, { errorMessage: "old {}" }),
    buildRecord(4),
    buildRecord(6, { errorMessage: "same {}", filePath: "a.rs" }),
  ];
  const after = [
    buildRecord(2),
    buildRecord(3, { errorMessage: "new {}" }),
    buildRecord(4, { documentation: "Better words." }),
    buildRecord(5),
    buildRecord(6, { errorMessage: "same {}", filePath: "a.go" }),
  ];
  const found = diffRecords(before, after);
  expect(found.added.map(({ id }) => id)).toEqual(["0000000000000005"]);
  expect(found.removed.map(({ id }) => id)).toEqual(["0000000000000001"]);
  expect(found.changedTemplates.map(({ id, before, after }) => [id.at(-1), before, after])).toEqual(
    [
      ["3", "old {}", "new {}"],
      ["6", "same {}", "same {}"],
    ],
  );
  expect(found.changedOtherwise).toBe(1);
  expect(found.unchanged).toBe(1);
});

test("finds records that hold every word anywhere, those with more in the message first", () => {
  const records = [
    buildRecord(1, { errorMessage: "no space", documentation: "The disk is full." }),
    buildRecord(2, { errorMessage: "Disk full on {}" }),
    buildRecord(3, { errorMessage: "disk slow" }),
  ];
  const found = searchRecords(records, " FULL disk ");
  expect(found.map(({ record }) => record.id.at(-1))).toEqual(["2", "1"]);
});
