import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import type { Labels } from "../../src/alert/alert.ts";
import type { LoadedRecords } from "../../src/catalogue/load-records.ts";
import { loadRecords } from "../../src/catalogue/load-records.ts";
import { createRecordStore } from "../../src/catalogue/record-store.ts";
import { loadScopes } from "../../src/app/load-scopes.ts";
import { createExplainer } from "../../src/enrich/explain-excerpt.ts";
import { compileCatalogue } from "../../src/match/compile-catalogue.ts";
import type { ScopeTable } from "../../src/match/scope-table.ts";
import type { Match } from "../../src/record/match.ts";
import { DECISIONS } from "../../src/record/recommendation.ts";
import { REDACT_DEFAULTS } from "../../src/redact/redact-options.ts";
import { repositoryRoot } from "./shared.ts";

const RECORDS = path.join(repositoryRoot, "rules/records");
const CORPUS = path.join(repositoryRoot, "test/corpus/records");

const corpusLine = z.strictObject({
  id: z.string(),
  /** Log text in which the record is the answer; line feeds part lines. */
  positive: z.array(z.string()).min(1),
  /** Log text of the same program that shares words with the record and is not it. */
  near_miss: z.array(z.string()).min(1),
  /** Of the alert; only where the text alone does not tell the program. */
  labels: z.record(z.string(), z.string()).optional(),
  /** What the shipped retry table shall say about the record when it was recognised with certainty. */
  decision: z.enum(DECISIONS),
});

/** One line of `test/corpus/records/<owner>/<name>.jsonl`. */
export type StarterCase = z.infer<typeof corpusLine> & { readonly repo: string };

/** `owner/name` of each file below `rules/records/`. */
export function listStarterRepos(): readonly string[] {
  return readdirSync(RECORDS, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".json"))
    .map((file) => file.slice(0, -".json".length).replaceAll(path.sep, "/"))
    .sort();
}

/** The lines that belong to the records of one repository; empty where nobody has written any. */
export function readStarterCases(repo: string): readonly StarterCase[] {
  const file = path.join(CORPUS, `${repo}.jsonl`);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => ({ repo, ...corpusLine.parse(JSON.parse(line)) }));
}

/**
 * Names and scopes that come with Alertlore.
 *
 * @throws {Error} When the shipped file has a fault.
 */
export function readShippedScopes(): ScopeTable {
  const { scopes, faults } = loadScopes();
  if (scopes === undefined) throw new Error(JSON.stringify(faults));
  return scopes;
}

/** Finds what `alertlore match` finds in log text, with these records loaded. */
export function createTextMatcher({
  records,
  datasetVersion,
}: LoadedRecords): (text: string, labels?: Labels) => readonly Match[] {
  const explain = createExplainer({
    loaded: {
      catalogue: compileCatalogue(records, datasetVersion),
      store: createRecordStore(records, datasetVersion),
      scopes: readShippedScopes(),
    },
    redact: REDACT_DEFAULTS,
    threshold: 0.5,
  });
  return (text, labels = {}) => {
    const lines = text.split("\n");
    const entries = lines.map((line) => ({ timestampNs: undefined, text: line, stream: "" }));
    return explain({ entries, provenance: "excerpt", cut: false }, labels).matches;
  };
}

/** Loads the starter records, with others beside them where paths are given. */
export function loadStarterRecords(beside: readonly string[] = []): Promise<LoadedRecords> {
  return loadRecords([
    { path: RECORDS, origin: "starter" },
    ...beside.map((each) => ({ path: each, origin: "dataset" as const })),
  ]);
}
