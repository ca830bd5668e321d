import { expect, test } from "vitest";
import { createRecordStore } from "../../../src/catalogue/record-store.ts";
import { createExplainer } from "../../../src/enrich/explain-excerpt.ts";
import { EMPTY_SCOPES } from "../../../src/match/scope-table.ts";
import { compileCatalogue } from "../../../src/match/compile-catalogue.ts";
import { REDACT_DEFAULTS } from "../../../src/redact/redact-options.ts";
import { buildRecord } from "../../support/build-record.ts";

function evidenceNamed(name: string, overlays: readonly string[]) {
  const records = [{ ...buildRecord(1), overlays }];
  const loaded = {
    catalogue: compileCatalogue(records, ""),
    store: createRecordStore(records, ""),
    scopes: EMPTY_SCOPES,
  };
  const explain = createExplainer({ loaded, redact: REDACT_DEFAULTS, threshold: 0 });
  const text = "cannot write checkpoint 12 of shard 3: lease expired";
  const entries = [{ timestampNs: undefined, text, stream: "" }];
  const { matches } = explain({ entries, provenance: "excerpt", cut: false }, {});
  expect(matches).toHaveLength(1);
  return matches[0]?.evidence.filter((each) => each.name === name);
}

test("the evidence of a match names the overlays of its record, without points", () => {
  expect(evidenceNamed("overlay", ["disk (severity)", "site (solutions)"])).toEqual([
    { name: "overlay", points: 0, detail: "disk (severity)" },
    { name: "overlay", points: 0, detail: "site (solutions)" },
  ]);
});

test("the evidence of a match names no overlay where there is none", () => {
  expect(evidenceNamed("overlay", [])).toEqual([]);
});
