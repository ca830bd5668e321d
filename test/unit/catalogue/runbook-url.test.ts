import { describe, expect, it } from "vitest";
import type { RecordOrigin } from "../../../src/record/known-error.ts";
import { bare, json, loadPath } from "../../support/load-record-files.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

describe("a runbook link in a record", () => {
  const link = "https://wiki.example/engine?page=1#disk";
  const file = (runbookUrl: unknown) => ({ "own.json": json([{ ...bare(1), runbookUrl }]) });
  const load = (origin: RecordOrigin, runbookUrl: unknown) =>
    loadPath(createTemporaryFolder(file(runbookUrl)), origin);

  it.each([
    ["operator", link, link],
    ["starter", link, link],
    ["operator", null, null],
    ["operator", undefined, null],
    ["dataset", link, null],
    ["dataset", "javascript:alert(1)", null],
  ] as const)("of origin %s: %s becomes %s", async (origin, given, expected) => {
    const { records, skipped } = await load(origin, given);
    expect(skipped).toEqual([]);
    expect(records.map(({ runbookUrl }) => runbookUrl)).toEqual([expected]);
    expect(records[0]?.record).not.toHaveProperty("runbookUrl");
  });

  it.each([
    ["javascript:alert(1)"],
    ["http://wiki.example/"],
    ["https://user:secret@wiki.example/"],
    ["https://wiki.example/a b"],
    ["https://wiki.example/](https://evil.example/"],
    [`https://wiki.example/${"x".repeat(512)}`],
    [7],
  ])("%s leaves the record out, and the fault names the field", async (given) => {
    const { records, skipped } = await load("operator", given);
    expect(records).toEqual([]);
    const message = "must be an https URL of at most 512 printable ASCII characters";
    expect(skipped[0]?.faults).toEqual([{ field: "runbookUrl", message, line: 1 }]);
  });
});
