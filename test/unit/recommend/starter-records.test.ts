import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { CatalogueRecord, KnownError } from "../../../src/record/known-error.ts";
import type { Match } from "../../../src/record/match.ts";
import type { Decision } from "../../../src/record/recommendation.ts";
import { recommend } from "../../../src/recommend/recommend.ts";
import {
  buildEntry,
  buildMatch,
  lookUp,
  repositoryRoot,
  shippedRules,
} from "../../support/advice-builders.ts";

const FILE = `${repositoryRoot}rules/records/risingwavelabs/risingwave.json`;
const TABLE: readonly (readonly [string, Decision, string])[] = [
  ["d35cdfb22a5e48fe", "retry_after_fix", "layout-changed"],
  ["c36bebe8cdedec02", "do_not_retry", "record-not-found"],
  ["04cfc48f7495808c", "retry_after_fix", "misconfiguration"],
  ["a832f715cbebf805", "retry", "curated-recovering"],
  ["0e17842295704857", "retry_after_fix", "io-failure"],
];
/** Those of the table; `test/unit/rules` looks at all of them. */
const RECORDS = (JSON.parse(readFileSync(FILE, "utf8")) as readonly KnownError[]).filter(({ id }) =>
  TABLE.some(([listed]) => listed === id),
);
const RULES = shippedRules();

function advise(record: KnownError, changes: Partial<Match> = {}) {
  const entry: CatalogueRecord = { ...buildEntry({}, "starter"), record };
  return recommend({
    matches: [buildMatch({ recordId: record.id, captures: [], ...changes })],
    recordOf: lookUp(entry),
    labels: {},
    status: "firing",
    provenance: "pinned",
    nowMs: 0,
    history: {},
    rules: RULES,
  });
}

function recordOf(id: string): KnownError {
  const record = RECORDS.find((one) => one.id === id);
  if (record === undefined) throw new Error(`no starter record ${id}`);
  return record;
}

describe("the starter records of risingwavelabs/risingwave", () => {
  it.each(TABLE)("%s gets %s from the shipped table", (id, decision, rule) => {
    const advice = advise(recordOf(id));
    expect([advice.decision, advice.basedOn.rule]).toEqual([decision, rule]);
  });

  it("holds every record of the table above", () => {
    expect(RECORDS.length).toBe(TABLE.length);
  });

  it.each(RECORDS)("$slug has the id and the links that its facts give", (record) => {
    const key = [record.repo, record.errorCode ?? record.errorMessage, record.filePath].join(
      "\u0001",
    );
    expect(record.id).toBe(createHash("sha256").update(key).digest("hex").slice(0, 16));
    expect(record.analyzedSha).toMatch(/^[0-9a-f]{40}$/);
    const page = `https://github.com/${record.repo}/blob/${record.analyzedSha}/${record.filePath}`;
    expect(record.githubUrl).toBe(`${page}#L${record.lineNumber ?? 0}`);
    expect(record.sourceCode).toBeNull();
    for (const tag of record.tags) expect(tag).toMatch(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/);
  });

  it.each(RECORDS)("$slug tells the engineer on call what it means and what to do", (record) => {
    expect(record.documentation.length).toBeGreaterThan(200);
    expect(record.solutions.length).toBeGreaterThanOrEqual(3);
    expect(record.preventionTips.length).toBeGreaterThanOrEqual(2);
    for (const text of [...record.solutions, ...record.preventionTips])
      expect(text).toMatch(/^.{30,}\.$/s);
  });
});
