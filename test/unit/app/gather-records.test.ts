import { afterEach, beforeEach, expect, test } from "vitest";
import { gatherRecords } from "../../../src/app/gather-records.ts";
import { MUTES_PATH } from "../../../src/app/installation.ts";
import { accountRecords } from "../../../src/app/records/account-records.ts";
import { buildRecord } from "../../support/build-record.ts";
import { makeTestFolder } from "../../support/record-files.ts";
import type { TestFolder } from "../../support/record-files.ts";
import { requireShared } from "../../support/shared.ts";

let folder: TestFolder;
beforeEach(async () => {
  folder = await makeTestFolder();
});
afterEach(() => folder.remove());

type SourceName = "dataset" | "starter" | "operator" | "url";

async function sourceOf(name: SourceName) {
  const { record } = buildRecord(1, { documentation: `from ${name}` });
  const file = name === "dataset" ? "dataset/repos/acme/engine.json" : `${name}.json`;
  const written = await folder.write(file, [record]);
  return {
    path: name === "dataset" ? `${folder.path}/dataset` : written,
    origin: name === "starter" ? ("starter" as const) : ("dataset" as const),
    isSingleUrl: name === "url",
  };
}

test.each([
  [["dataset", "starter"], "starter"],
  [["starter", "operator"], "operator"],
  [["dataset", "operator"], "operator"],
  [["operator", "url"], "url"],
  [["dataset", "starter", "operator", "url"], "url"],
] as const)(
  "of %j takes the record of the strongest source, in any order",
  async (names, winner) => {
    const sources = await Promise.all(names.map(sourceOf));
    for (const ordered of [sources, sources.toReversed()]) {
      const gathered = await gatherRecords({
        sources: ordered,
        mutePath: MUTES_PATH,
        overlayPaths: [],
      });
      expect(gathered.records.map(({ record }) => record.documentation)).toEqual([
        `from ${winner}`,
      ]);
      expect(gathered.overridden).toHaveLength(names.length - 1);
    }
  },
);

test("accounts for every record: used, vague, muted, overridden and skipped", async () => {
  const records = [
    buildRecord(1).record,
    buildRecord(2, { errorMessage: "{}: {}", messagePattern: "(.+?): (.+?)" }).record,
    buildRecord(3, { errorClass: "Noise" }).record,
    { ...buildRecord(4).record, severity: "loud" },
  ];
  const files = [
    await folder.write("records.json", records),
    await folder.write("weaker/repos/acme/engine.json", [records[0]]),
    await folder.write("broken.json", "[{"),
  ];
  const mutePath = await folder.write(
    "mute.yaml",
    "mutes:\n  - class: Noise\n    reason: every start\n",
  );
  const overlay = "overlays:\n  - id: ['0000000000000001']\n    name: o\n    severity: info\n";
  const gathered = await gatherRecords({
    sources: files.map((path) => ({
      path: path.replace("/repos/acme/engine.json", ""),
      origin: "operator" as const,
    })),
    mutePath,
    overlayPaths: [await folder.write("overlay.yaml", overlay)],
  });
  const account = accountRecords(gathered);
  expect(account).toMatchObject({
    total: 5,
    used: 1,
    vague: 1,
    muted: 1,
    overridden: 1,
    skipped: 1,
    overlaid: 1,
  });
  expect(account.brokenFiles).toEqual([
    { file: `${folder.path}/broken.json`, reason: "is no JSON" },
  ]);
  expect(
    account.unused.map(({ fate, reason }) => `${fate}: ${reason.replace(folder.path, "")}`),
  ).toEqual([
    "vague: no literal text",
    "muted: mutes[0]: every start",
    "overridden: by /records.json[0]",
    "skipped: severity must be one of: critical, error, warning, info",
  ]);
});

test("places the faults of mutes and overlays by file and line", async () => {
  const mutePath = await folder.write("mute.yaml", "mutes:\n  - repo: a/b\n  - resaon: x\n");
  const gathered = await gatherRecords({
    sources: [],
    mutePath,
    overlayPaths: [`${folder.path}/none.yaml`],
  });
  expect(gathered.faults).toEqual([
    { file: mutePath, line: 3, path: "mutes[1].resaon", message: expect.any(String) as string },
    { file: mutePath, line: 3, path: "mutes[1]", message: expect.any(String) as string },
    { file: `${folder.path}/none.yaml`, line: undefined, path: "", message: "no such file" },
  ]);
});

test("accounts for all 25,836 records of the shared dataset", async (context) => {
  const dataset = requireShared(context, "dataset");
  const sources = [{ path: dataset, origin: "dataset" as const }];
  const account = accountRecords(
    await gatherRecords({ sources, mutePath: MUTES_PATH, overlayPaths: [] }),
  );
  const { total, used, vague, muted, overridden, skipped } = account;
  expect(total).toBe(25_836);
  expect(used + vague + muted + overridden + skipped).toBe(total);
  expect(vague).toBeLessThanOrEqual(0.015 * total);
});
