import { expect, it } from "vitest";
import { explainRecord } from "../../../src/match/explain-record.ts";
import { EMPTY_SCOPES } from "../../../src/match/scope-table.ts";
import { parseExcerpt } from "../../../src/parse/parse-excerpt.ts";
import { excerptOfLines } from "../../../src/enrich/explain-case.ts";
import { buildTemplateRecord, catalogueOf } from "../../support/match-lines.ts";

const rust = { filePath: "src/a.rs" };
const CATALOGUE = catalogueOf([
  buildTemplateRecord(1, "shelf {shelf} rejected crate {crate}", rust),
  buildTemplateRecord(2, "busy", rust),
  buildTemplateRecord(3, "failed: shelf {shelf} rejected crate {crate} again", rust),
]);

function why(id: string, ...lines: string[]): string {
  const context = { labels: {}, threshold: 0.5, scopes: EMPTY_SCOPES };
  return explainRecord(CATALOGUE, parseExcerpt(excerptOfLines(lines)), context, id).join("\n");
}

const id = (number: number): string => number.toString(16).padStart(16, "0");

it.each([
  ["a hit", id(1), "ERROR x: shelf 1 rejected crate 2", "is found on line 0 as exact"],
  ["the evidence of a hit", id(1), "ERROR x: shelf 1 rejected crate 2", "literals: "],
  ["a record that is not there", "f".repeat(16), "x", "is not in the catalogue"],
  ["a vague template", id(2), "busy", "too vague|is not looked for"],
  ["missing words", id(1), "ERROR x: shelf 1 took crate 2", 'missing " rejected crate "'],
  ["no words at all", id(1), "ERROR x: nothing", "None of them stands in the text"],
  [
    "words that another record explains",
    id(1),
    "ERROR x: failed: shelf 1 rejected crate 2 again",
    "which says more",
  ],
  [
    "a quoted query",
    id(1),
    "INFO x: sql=SELECT 'shelf 1 rejected crate 2'",
    "inside a quoted query",
  ],
])("says in words what became of %s", (_, recordId, line, sentence) => {
  expect(why(recordId, line)).toMatch(new RegExp(sentence));
});
