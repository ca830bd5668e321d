import { expect, test } from "vitest";
import { applyOverlays, readOverlays } from "../../../src/catalogue/overlays.ts";
import { isCurated } from "../../../src/record/known-error.ts";
import { buildRecord } from "../../support/build-record.ts";

const disk = buildRecord(1, {
  origin: "dataset",
  errorClass: "DiskFull",
  handlingStrategy: "retry",
});
const other = buildRecord(2, { origin: "dataset", errorClass: "Timeout" });

function overlaid(overlays: readonly object[]) {
  const read = readOverlays({ overlays });
  expect(read.faults).toEqual([]);
  return applyOverlays([disk, other], read.overlays);
}

test.each([
  ["severity", { severity: "critical" }, { severity: "critical" }],
  ["strategy", { strategy: "fallback" }, { handlingStrategy: "fallback" }],
  ["solutions", { solutions: ["Free space."] }, { solutions: ["Free space."] }],
])("changes %s and nothing else", (key, change, fields) => {
  const [first, second] = overlaid([{ class: "DiskFull", name: "disk", ...change }]);
  expect(first).toEqual({
    ...disk,
    record: { ...disk.record, ...fields },
    overlays: [`disk (${key})`],
  });
  expect(second).toBe(other);
});

test("sets a runbook link", () => {
  const [first] = overlaid([
    { id: disk.record.id, name: "book", runbook_url: "https://wiki.example/disk" },
  ]);
  expect(first?.runbookUrl).toBe("https://wiki.example/disk");
  expect(first?.overlays).toEqual(["book (runbook_url)"]);
});

test("lets the later of two overlays win a field, and names both", () => {
  const [first] = overlaid([
    { class: "DiskFull", name: "team", severity: "info", solutions: ["Ask."] },
    { repo: "acme/engine", class: "DiskFull", name: "site", severity: "critical" },
  ]);
  expect(first?.record).toMatchObject({ severity: "critical", solutions: ["Ask."] });
  expect(first?.overlays).toEqual(["team (severity, solutions)", "site (severity)"]);
});

test("makes a record curated, for a person answers for it now", () => {
  const [first, second] = overlaid([{ class: "DiskFull", name: "disk", severity: "info" }]);
  expect([first, second].map((entry) => entry !== undefined && isCurated(entry))).toEqual([
    true,
    false,
  ]);
});

test.each([
  ["no name", { class: "A", severity: "info" }, "overlays[0].name", "is required"],
  ["no change", { class: "A", name: "a" }, "overlays[0]", "changes nothing"],
  ["no selector", { name: "a", severity: "info" }, "overlays[0]", "names no record"],
  [
    "a wrong severity",
    { class: "A", name: "a", severity: "bad" },
    "overlays[0].severity",
    "must be one of",
  ],
  [
    "a wrong strategy",
    { class: "A", name: "a", strategy: 1 },
    "overlays[0].strategy",
    "must be one of",
  ],
  [
    "solutions that are text",
    { class: "A", name: "a", solutions: "x" },
    "overlays[0].solutions",
    "must be a list",
  ],
  [
    "a script for a runbook",
    { class: "A", name: "a", runbook_url: "javascript:1" },
    "overlays[0].runbook_url",
    "must be an https URL",
  ],
  [
    "a field that no overlay changes",
    { class: "A", name: "a", severity: "info", errorMessage: "x" },
    "overlays[0].errorMessage",
    "is no known key",
  ],
])("refuses %s and names the place", (_what, member, path, message) => {
  const { overlays, faults } = readOverlays({ overlays: [member] });
  expect(faults).toEqual([{ path, message: expect.stringContaining(message) as string }]);
  expect(overlays).toEqual([]);
});
