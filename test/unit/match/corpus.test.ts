import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { loadRecords } from "../../../src/catalogue/load-records.ts";
import { catalogueOf, matchLines } from "../../support/match-lines.ts";
import { requireShared } from "../../support/shared.ts";
import { readShippedScopes } from "../../support/starter-corpus.ts";

const named = z.object({ repo: z.string(), template: z.string() });
const corpusCase = z.object({
  id: z.string(),
  excerpt: z.array(z.string()),
  labels: z.record(z.string(), z.string()).default({}),
  expect: z.array(named),
  also: z.array(named).default([]),
});
type Named = z.infer<typeof named>;

const keyOf = ({ repo, template }: Named): string => `${repo} ${template}`;

const SETS: readonly (readonly [string, readonly string[]])[] = [
  ["alone", []],
  ["beside the whole dataset", ["dataset"]],
];

it.for(SETS)(
  "finds each record of the corpus and reports none that is not there, its records %s",
  { timeout: 120_000 },
  async ([, beside], context) => {
    const corpus = requireShared(context, "corpus");
    const paths = [
      ...beside.map((each) => requireShared(context, each)),
      path.join(corpus, "records.jsonl"),
    ];
    const { records } = await loadRecords(paths.map((each) => ({ path: each, origin: "dataset" })));
    const catalogue = catalogueOf(records);
    const scopes = readShippedScopes();
    const rows = readFileSync(path.join(corpus, "cases.jsonl"), "utf8").trim().split("\n");
    for (const { id, excerpt, labels, expect: wanted, also } of rows.map((row) =>
      corpusCase.parse(JSON.parse(row)),
    )) {
      const found = matchLines(catalogue, excerpt, { labels, scopes, threshold: 0.5 });
      const keys = found.map(({ repo, errorMessage }) => keyOf({ repo, template: errorMessage }));
      const neutral = new Set(also.map(keyOf));
      expect([id, ...keys.filter((key) => !neutral.has(key)).sort()]).toEqual([
        id,
        ...wanted.map(keyOf).sort(),
      ]);
    }
  },
);
