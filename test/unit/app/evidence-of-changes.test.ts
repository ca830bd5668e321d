import { afterEach, beforeEach, expect, test } from "vitest";
import { gatherRecords } from "../../../src/app/gather-records.ts";
import { MUTES_PATH } from "../../../src/app/installation.ts";
import { createRecordStore } from "../../../src/catalogue/record-store.ts";
import { createExplainer } from "../../../src/enrich/explain-excerpt.ts";
import { compileCatalogue } from "../../../src/match/compile-catalogue.ts";
import { EMPTY_SCOPES } from "../../../src/match/scope-table.ts";
import { REDACT_DEFAULTS } from "../../../src/redact/redact-options.ts";
import { buildRecord } from "../../support/build-record.ts";
import { makeTestFolder } from "../../support/record-files.ts";
import type { TestFolder } from "../../support/record-files.ts";

let folder: TestFolder;
beforeEach(async () => {
  folder = await makeTestFolder();
});
afterEach(() => folder.remove());

const TEXT = "cannot write checkpoint 12 of shard 3: lease expired";
const ID = "0000000000000001";

/** Names of sources are kinds of them: each holds the record 1 that the text shows. */
async function sourceOf(name: string) {
  const { record } = buildRecord(1, { documentation: name });
  const isPublished = name.startsWith("dataset");
  const file = isPublished ? `${name}/repos/acme/engine.json` : `own/${name}.json`;
  const written = await folder.write(file, [record]);
  return {
    path: isPublished ? `${folder.path}/${name}` : written,
    origin: name === "starter" ? ("starter" as const) : ("dataset" as const),
    isSingleUrl: name === "url",
  };
}

interface Rules {
  readonly mutes?: readonly object[];
  readonly overlays?: readonly (readonly object[])[];
}

async function findWith(names: readonly string[], { mutes, overlays = [] }: Rules = {}) {
  const sources = await Promise.all(names.map(sourceOf));
  const gathered = await gatherRecords({
    sources,
    mutePath: mutes === undefined ? MUTES_PATH : await folder.write("mute.yaml", { mutes }),
    overlayPaths: await Promise.all(
      overlays.map((list, index) => folder.write(`overlay-${index}.yaml`, { overlays: list })),
    ),
  });
  expect(gathered.faults).toEqual([]);
  const { records } = gathered;
  const loaded = {
    catalogue: compileCatalogue(records, ""),
    store: createRecordStore(records, ""),
    scopes: EMPTY_SCOPES,
  };
  const explain = createExplainer({ loaded, redact: REDACT_DEFAULTS, threshold: 0 });
  const entries = [{ timestampNs: undefined, text: TEXT, stream: "" }];
  const { matches } = explain({ entries, provenance: "excerpt", cut: false }, {});
  const changes = matches.flatMap(({ evidence }) =>
    evidence.filter(({ name }) => name === "override" || name === "overlay"),
  );
  expect(changes.every(({ points }) => points === 0)).toBe(true);
  return { matches, gathered, named: changes.map(({ name, detail }) => `${name}: ${detail}`) };
}

const DATASET = "a published dataset (acme/engine.json[0])";
const STARTER = "the starter records (own/starter.json[0])";
const FILE = "files and folders (own/mine.json[0])";

test.each([
  [["dataset"], []],
  [["dataset", "starter"], [`${STARTER} over ${DATASET}`]],
  [["starter", "mine"], [`${FILE} over ${STARTER}`]],
  [["mine", "url"], [`a single URL over ${FILE}`]],
  [
    ["dataset", "starter", "mine"],
    [`${FILE} over ${STARTER}`, `${FILE} over ${DATASET}`],
  ],
  [
    ["dataset", "starter", "mine", "url"],
    [`a single URL over ${FILE}`, `a single URL over ${STARTER}`, `a single URL over ${DATASET}`],
  ],
  [["dataset-1", "dataset-2"], [`${DATASET} over ${DATASET}`]],
] as const)(
  "of %j the evidence names every source that was overridden",
  async (names, expected) => {
    for (const ordered of [names, names.toReversed()]) {
      const { matches, named } = await findWith(ordered);
      expect(matches).toHaveLength(1);
      expect(named).toEqual(expected.map((detail) => `override: ${detail}`));
    }
  },
);

test("names eight of the overridden records at most, and how many there are besides", async () => {
  const names = Array.from({ length: 12 }, (_, index) => `file-${index}`);
  const { named } = await findWith(names);
  expect(named).toHaveLength(9);
  expect(named.at(-1)).toMatch(/ over 3 more$/u);
});

test.each([
  ["one field", [[{ id: [ID], name: "a", severity: "info" }]], ["a (severity)"]],
  [
    "all fields",
    [
      [
        {
          ...{ repo: "acme/engine", name: "a", severity: "info", strategy: "fallback" },
          ...{ solutions: ["Ask."], runbook_url: "https://wiki.test/a" },
        },
      ],
    ],
    ["a (severity, strategy, solutions, runbook_url)"],
  ],
  [
    "two files, the later one last",
    [
      [{ id: [ID], name: "a", severity: "info" }],
      [{ class: "CheckpointError", name: "b", severity: "critical" }],
    ],
    ["a (severity)", "b (severity)"],
  ],
  ["another record", [[{ repo: "acme/other", name: "a", severity: "info" }]], []],
])("an overlay of %s is named with the fields that it changes", async (_, overlays, expected) => {
  const { named } = await findWith(["mine"], { overlays });
  expect(named).toEqual(expected.map((detail) => `overlay: ${detail}`));
});

test("an overlay of an overriding record stands beside what it overrides", async () => {
  const overlays = [[{ id: [ID], name: "a", severity: "info" }]];
  const { named } = await findWith(["dataset", "mine"], { overlays });
  expect(named).toEqual([`override: ${FILE} over ${DATASET}`, "overlay: a (severity)"]);
});

test.each([
  ["id", { id: [ID] }, true],
  ["repository", { repo: "acme/engine" }, true],
  ["class", { class: "CheckpointError" }, true],
  ["template", { template: buildRecord(1).record.errorMessage }, true],
  ["all of these", { id: [ID], repo: "acme/engine", class: "CheckpointError" }, true],
  ["one key that fits and one that does not", { id: [ID], repo: "acme/other" }, false],
])("a mute by %s silences the record in every source, or none", async (_, mute, isMuted) => {
  const { matches, gathered } = await findWith(["dataset", "mine"], { mutes: [mute] });
  expect(matches).toHaveLength(isMuted ? 0 : 1);
  expect(gathered.muted.map(({ id, mute: name }) => [id, name])).toEqual(
    isMuted ? [[ID, "mutes[0]"]] : [],
  );
});
