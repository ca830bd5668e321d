import { expect, test } from "vitest";
import { applyMutes, readMutes } from "../../../src/catalogue/mutes.ts";
import { buildRecord } from "../../support/build-record.ts";

const records = [
  buildRecord(1, { repo: "acme/engine", errorClass: "DiskFull", errorMessage: "disk full: {}" }),
  buildRecord(2, { repo: "acme/engine", errorClass: null, backgroundTag: "timeouts" }),
  buildRecord(3, { repo: "other/tool", errorClass: "DiskFull" }),
];

test.each([
  ["by one id", { id: "0000000000000001" }, [1]],
  ["by a list of ids", { id: ["0000000000000001", "0000000000000003"] }, [1, 3]],
  ["by repository", { repo: "acme/engine" }, [1, 2]],
  ["by class", { class: "DiskFull" }, [1, 3]],
  ["by the class that a record without one shows", { class: "timeouts" }, [2]],
  ["by template", { template: "disk full: {}" }, [1]],
  ["by all that an entry says", { repo: "acme/engine", class: "DiskFull" }, [1]],
  ["of nothing where one condition fails", { repo: "other/tool", template: "disk full: {}" }, []],
])("silences records %s", (_how, selector, silent) => {
  const { mutes, faults } = readMutes({ mutes: [{ ...selector, reason: "noise" }] });
  expect(faults).toEqual([]);
  const { heard, muted } = applyMutes(records, mutes);
  expect(muted.map(({ id }) => Number.parseInt(id, 16))).toEqual(silent);
  expect(muted.every(({ mute }) => mute === "mutes[0]: noise")).toBe(true);
  expect(heard).toHaveLength(records.length - silent.length);
});

test.each([
  ["a list at the top", [], "", "must be a mapping with the key mutes"],
  ["an unknown key", { mute: [] }, "mute", "is no known key; known are mutes"],
  ["mutes that are no list", { mutes: "all" }, "mutes", "must be a list of at most 10000 mappings"],
  ["an entry that is text", { mutes: ["x"] }, "mutes[0]", "must be a mapping"],
  ["an entry without condition", { mutes: [{ reason: "x" }] }, "mutes[0]", "names no record"],
  [
    "an id that YAML read as a number",
    { mutes: [{ id: 1234567890123456 }] },
    "mutes[0].id",
    "in quotes",
  ],
  ["an empty repository", { mutes: [{ repo: "" }] }, "mutes[0].repo", "must be text"],
])("names %s and mutes nothing by it", (_what, tree, path, message) => {
  const { mutes, faults } = readMutes(tree);
  expect(faults).toEqual([{ path, message: expect.stringContaining(message) as string }]);
  expect(mutes).toEqual([]);
});

test("takes an empty file for an empty list", () => {
  expect(readMutes(undefined)).toEqual({ mutes: [], faults: [] });
});
