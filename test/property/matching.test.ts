import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { markLines } from "../../src/match/mark-lines.ts";
import { matchExcerpt } from "../../src/match/match-excerpt.ts";
import { parseTemplate } from "../../src/match/parse-template.ts";
import { EMPTY_SCOPES } from "../../src/match/scope-table.ts";
import { parseExcerpt } from "../../src/parse/parse-excerpt.ts";
import type { CatalogueRecord } from "../../src/record/known-error.ts";
import { excerptOfLines } from "../../src/enrich/explain-case.ts";
import { buildTemplateRecord, catalogueOf, matchLines } from "../support/match-lines.ts";
import { printTemplate, randomValues } from "../support/print-template.ts";
import { createRandom } from "../support/seeded-random.ts";

const WORDS =
  "shelf crate pallet forklift conveyor ledger dock depot parcel manifest quota barrier replica snapshot offset ledger cannot failed rejected missing expired timeout invalid unexpected".split(
    " ",
  );
const HOLES = ["{}", "{x:?}", "{:#?}", "{name}"];

const arbMessage = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...WORDS) },
      { weight: 1, arbitrary: fc.constantFrom(...HOLES) },
    ),
    { minLength: 4, maxLength: 9 },
  )
  .map((words) => words.join(" "));

const arbRecords = fc
  .uniqueArray(arbMessage, { minLength: 1, maxLength: 12 })
  .map((messages) =>
    messages.map((message, i) =>
      buildTemplateRecord(i + 1, message, { filePath: "src/a.rs", repo: `acme/r${i % 3}` }),
    ),
  );

const FORMS: readonly ((text: string) => string)[] = [
  (text) => `2026-03-01T10:00:00Z ERROR a::b: ${text}`,
  (text) => `{"level":"error","msg":${JSON.stringify(text)}}`,
  (text) => `level=error msg=${JSON.stringify(text)}`,
  (text) => `E0301 10:00:00.1 1 a.go:1] ${text}`,
];

/** A line that one of the records printed, in one of the formats. */
function printed(records: readonly CatalogueRecord[], seed: number): string {
  const random = createRandom(seed);
  const record = records[Math.floor(random() * records.length)]?.record;
  if (record === undefined) return "";
  const template = parseTemplate(record);
  const form = FORMS[Math.floor(random() * FORMS.length)] ?? String;
  return form(printTemplate(template, randomValues(template, random)));
}

const withLines = fc.record({
  records: arbRecords,
  seeds: fc.array(fc.nat(), { minLength: 1, maxLength: 6 }),
});

describe("matching", () => {
  it("loses nothing to the gate: all lines and marked lines give the same matches", () => {
    fc.assert(
      fc.property(withLines, ({ records, seeds }) => {
        const catalogue = catalogueOf(records);
        const excerpt = excerptOfLines(seeds.flatMap((seed) => printed(records, seed).split("\n")));
        const context = { labels: {}, threshold: 0, scopes: EMPTY_SCOPES };
        const all = matchExcerpt(catalogue, parseExcerpt(excerpt), context);
        const marked = matchExcerpt(
          catalogue,
          parseExcerpt(excerpt, markLines(catalogue, excerpt)),
          context,
        );
        expect(marked.filter(({ kind }) => kind !== "similar")).toEqual(
          all.filter(({ kind }) => kind !== "similar"),
        );
      }),
    );
  });

  it("does not depend on the order of the records", () => {
    fc.assert(
      fc.property(withLines, fc.nat(), ({ records, seeds }, turn) => {
        const lines = seeds
          .map((seed) => printed(records, seed))
          .flatMap((text) => text.split("\n"));
        const at = turn % records.length;
        const turned = [...records.slice(at), ...records.slice(0, at)].reverse();
        expect(matchLines(catalogueOf(turned), lines)).toEqual(
          matchLines(catalogueOf(records), lines),
        );
      }),
    );
  });

  it("does not depend on records that have nothing to do with the text", () => {
    const strangers = [
      "volcano {} erupted near {}",
      "the orchestra lost its bassoon {x}",
      "glacier melt rate {} above {}",
    ].map((message, i) =>
      buildTemplateRecord(900 + i, message, { filePath: "src/z.rs", repo: "other/thing" }),
    );
    fc.assert(
      fc.property(withLines, ({ records, seeds }) => {
        const lines = seeds.flatMap((seed) => printed(records, seed).split("\n"));
        expect(matchLines(catalogueOf([...records, ...strangers]), lines)).toEqual(
          matchLines(catalogueOf(records), lines),
        );
      }),
    );
  });

  it("does not depend on how the text is split into entries", () => {
    fc.assert(
      fc.property(withLines, ({ records, seeds }) => {
        const catalogue = catalogueOf(records);
        const lines = seeds.flatMap((seed) => printed(records, seed).split("\n"));
        const whole = excerptOfLines([lines.join("\n")]);
        const context = { labels: {}, threshold: 0, scopes: EMPTY_SCOPES };
        const matches = matchExcerpt(
          catalogue,
          parseExcerpt(whole, markLines(catalogue, whole)),
          context,
        );
        expect(matches).toEqual(matchLines(catalogue, lines));
      }),
    );
  });

  it("never throws on strange text and maps every view into the excerpt", () => {
    const catalogue = catalogueOf([
      buildTemplateRecord(1, "shelf {} rejected crate {}", { filePath: "a.rs" }),
    ]);
    const arbPiece = fc.oneof(
      fc.string({ unit: "binary", maxLength: 40 }),
      fc.constantFrom(
        '{"a":"',
        '\\"',
        "\u001b[31m",
        "\\u00",
        'msg="',
        "  1: ",
        "shelf ",
        " rejected crate ",
        "}",
        '{"log":"',
        "stdout P ",
        "#012",
        "\n",
      ),
    );
    fc.assert(
      fc.property(fc.array(arbPiece, { maxLength: 12 }), (pieces) => {
        const lines = pieces.join("").split("\n");
        for (const view of parseExcerpt(excerptOfLines(lines)).views) {
          expect(view.lines.every((line) => line >= 0 && line < lines.length)).toBe(true);
        }
        expect(matchLines(catalogue, lines).every(({ score }) => score >= 0 && score <= 1)).toBe(
          true,
        );
      }),
    );
  });
});
