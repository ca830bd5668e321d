import { describe, expect, it } from "vitest";
import { EMPTY_SCOPES } from "../../../src/match/scope-table.ts";
import { buildTemplateRecord, catalogueOf, matchLines } from "../../support/match-lines.ts";

const rust = { filePath: "src/store/reader.rs", repo: "acme/depot" };
const go = { filePath: "pkg/pull/pull.go", repo: "acme/hauler" };

const RECORDS = [
  buildTemplateRecord(1, "shelf {shelf} rejected crate {:?}: {reason}", rust),
  buildTemplateRecord(2, "conveyor belt {0} jammed unexpectedly: {source}", rust),
  buildTemplateRecord(3, "Inventory ledger {:#?} lost its checksum page", rust),
  buildTemplateRecord(4, "failed to fetch pallet %q: %w", go),
  buildTemplateRecord(5, "wrong parcel weight = %d for depot Rotterdam", go),
  buildTemplateRecord(
    6,
    "forklift battery is empty\nHINT: plug the forklift into charger {charger}",
    rust,
  ),
  buildTemplateRecord(
    7,
    "quota exceeded for tenant %s (limit: %d crates/hour) while storing '%d' pallets",
    go,
  ),
  buildTemplateRecord(
    8,
    "no loading dock is open between the hours of {from} and {to} in warehouse district",
    rust,
  ),
];
const CATALOGUE = catalogueOf(RECORDS);
const idOf = (number: number): string => RECORDS[number - 1]?.record.id ?? "";

interface Case {
  readonly title: string;
  readonly lines: readonly string[];
  readonly record: number;
  readonly captures: readonly string[];
  readonly line?: number;
  readonly kind?: string;
}

const CASES: readonly Case[] = [
  {
    title: "a tracing line with fields behind the message",
    lines: [
      '2026-03-01T10:00:00.000001Z ERROR depot::reader: store failed error=shelf 12 rejected crate "blue": too heavy shelf_id=12',
    ],
    record: 1,
    captures: ["12", '"blue"', "too heavy"],
  },
  {
    title: "a JSON field with escapes",
    lines: [
      String.raw`{"level":"ERROR","fields":{"message":"x","error":"shelf 7 rejected crate \"a \\\"b\\\"\": no\nroom"}}`,
    ],
    record: 1,
    captures: ["7", String.raw`"a \"b\""`, "no\nroom"],
  },
  {
    title: "JSON in a JSON string of a container's log file",
    lines: [
      String.raw`{"log":"{\"level\":\"error\",\"err\":\"shelf 9 rejected crate Crate { id: 3 }: wet\"}\n","stream":"stderr","time":"2026-03-01T10:00:00Z"}`,
    ],
    record: 1,
    captures: ["9", "Crate { id: 3 }", "wet"],
  },
  {
    title: "a value over three lines, each with its own CRI prefix",
    lines: [
      "2026-03-01T10:00:00.000000001Z stdout F 2026-03-01T10:00:00Z ERROR depot: Inventory ledger Ledger(",
      "2026-03-01T10:00:00.000000002Z stdout F     4,",
      "2026-03-01T10:00:00.000000003Z stdout F ) lost its checksum page",
    ],
    record: 3,
    captures: ["Ledger(\n    4,\n)"],
  },
  {
    title: "a message broken in a word by CRI parts",
    lines: [
      "2026-03-01T10:00:00.000000001Z stdout P 2026-03-01T10:00:00Z ERROR depot: Inventory led",
      "2026-03-01T10:00:00.000000002Z stdout F ger Ledger(5) lost its checksum page",
    ],
    record: 3,
    captures: ["Ledger(5)"],
  },
  {
    title: "colours between words of a line",
    lines: [
      "\u001b[2m2026-03-01T10:00:00Z\u001b[0m \u001b[31mERROR\u001b[0m depot: shelf\u001b[1m 3 rejected\u001b[0m crate 8: wet",
    ],
    record: 1,
    captures: ["3", "8", "wet"],
  },
  {
    title: "a quoted logfmt value with escaped quotes",
    lines: [
      String.raw`level=error ts=2026-03-01T10:00:00Z msg="sync" err="failed to fetch pallet \"eu/7\": dock closed" attempt=3`,
    ],
    record: 4,
    captures: ['"eu/7"', "dock closed"],
  },
  {
    title: "a klog line",
    lines: [
      "E0301 10:00:00.000000       1 pull.go:33] wrong parcel weight = -7 for depot Rotterdam",
    ],
    record: 5,
    captures: ["-7"],
  },
  {
    title: "a wrapper whose tail is the next numbered cause",
    lines: [
      "ERROR:  failed",
      "",
      "Caused by:",
      "  1: conveyor belt 4 jammed unexpectedly",
      "  2: motor stalled",
    ],
    record: 2,
    captures: ["4"],
    line: 3,
  },
  {
    title: "a template of two lines behind an indented report",
    lines: [
      "job failed",
      "    forklift battery is empty",
      "    HINT: plug the forklift into charger 9",
    ],
    record: 6,
    captures: ["9"],
    line: 1,
  },
  {
    title: "another letter case at the beginning",
    lines: [
      `level=warn err="Quota exceeded for tenant blue (limit: 5 crates/hour) while storing '12' pallets"`,
    ],
    record: 7,
    captures: ["blue", "5", "12"],
  },
  {
    title: "a text cut off inside the template",
    lines: [
      "2026-03-01T10:00:00Z ERROR depot: no loading dock is open between the hours of Time { hour: 4",
    ],
    record: 8,
    captures: ["Time { hour: 4"],
    kind: "truncated",
  },
];

describe("matchExcerpt", () => {
  it.each(CASES)("finds the record in $title", ({ lines, record, captures, line, kind }) => {
    const [first] = matchLines(CATALOGUE, lines);
    expect(first).toMatchObject({
      recordId: idOf(record),
      captures,
      line: line ?? 0,
      kind: kind ?? "exact",
    });
  });

  it.each([
    ["a quoted query", "2026-03-01 ERROR db: slow sql=SELECT 'shelf 1 rejected crate 2: x' FROM t"],
    [
      "a source line of a traceback",
      '  File "/app/a.py", line 3, in f\n    raise Crash("failed to fetch pallet \\"x\\": y")\nValueError: other',
    ],
    ["words inside longer words", "2026-03-01T10:00:00Z ERROR x: bookshelf 3 rejected crate 4: x"],
    [
      "a wrapper that stands as a heading only",
      "ERROR: conveyor belt 4 jammed unexpectedly\n\nplease call",
    ],
  ])("does not report %s", (_, text) => {
    expect(matchLines(CATALOGUE, text.split("\n"), { threshold: 0.5 })).toEqual([]);
  });

  it("is never sure of a message on an INFO line that stands in no error field", () => {
    const line = "2026-03-01T10:00:00Z  INFO depot: wrong parcel weight = 3 for depot Rotterdam";
    expect(matchLines(CATALOGUE, [line])[0]?.confidence).not.toBe("high");
  });

  it("takes a text for reworded where an integer placeholder prints none", () => {
    const line = "2026-03-01T10:00:00Z ERROR x: wrong parcel weight = heavy for depot Rotterdam";
    expect(matchLines(CATALOGUE, [line])[0]?.kind).toBe("similar");
  });

  it("ranks the innermost cause before its wrapper and names both roles", () => {
    const line =
      "2026-03-01T10:00:00Z ERROR depot: conveyor belt 4 jammed unexpectedly: shelf 2 rejected crate 1: wet";
    const matches = matchLines(CATALOGUE, [line], { threshold: 0.5 });
    expect(matches.map(({ recordId, role }) => [recordId, role])).toEqual([
      [idOf(1), "cause"],
      [idOf(2), "wrapper"],
    ]);
  });

  it("counts other places of a record as occurrences", () => {
    const line = (n: number): string =>
      `2026-03-01T10:00:0${n}Z ERROR depot: shelf ${n} rejected crate 1: wet`;
    expect(matchLines(CATALOGUE, [line(1), line(2), line(3)])[0]).toMatchObject({
      occurrences: 3,
      line: 0,
    });
  });

  it("reports records that share a template once, with alternatives", () => {
    const twin = buildTemplateRecord(9, "shelf {a} rejected crate {b}: {c}", {
      ...rust,
      repo: "acme/attic",
      filePath: "src/attic.rs",
    });
    const matches = matchLines(catalogueOf([...RECORDS, twin]), [
      "2026-03-01T10:00:00Z ERROR x: shelf 1 rejected crate 2: wet",
    ]);
    expect(matches).toHaveLength(1);
    expect(
      [matches[0]?.recordId, ...(matches[0]?.alternatives ?? []).map(({ id }) => id)].sort(),
    ).toEqual([idOf(1), twin.record.id].sort());
  });

  it("tells twins apart by the labels' scope", () => {
    const twin = buildTemplateRecord(9, "shelf {a} rejected crate {b}: {c}", {
      ...rust,
      repo: "acme/attic",
      filePath: "src/attic.rs",
    });
    const line = ["2026-03-01T10:00:00Z ERROR x: shelf 1 rejected crate 2: wet"];
    const found = (app: string): string | undefined =>
      matchLines(catalogueOf([...RECORDS, twin]), line, {
        labels: { app },
        scopes: EMPTY_SCOPES,
      })[0]?.repo;
    expect([found("attic"), found("depot")]).toEqual(["acme/attic", "acme/depot"]);
  });

  it("names a match that lies inside a longer one in its evidence only", () => {
    const inner = buildTemplateRecord(9, "fetch pallet %q", { ...go });
    const matches = matchLines(catalogueOf([...RECORDS, inner]), [
      'E0301 10:00:00.000000 1 a.go:1] failed to fetch pallet "x": gone',
    ]);
    expect(matches.map(({ recordId }) => recordId)).toEqual([idOf(4)]);
    expect(matches[0]?.evidence).toContainEqual(
      expect.objectContaining({ name: "subsumes", points: 0 }),
    );
  });

  it("finds changed wording as similar, from 0.5 to 0.7, and never where the meaning changed", () => {
    const reworded =
      "2026-03-01T10:00:00Z WARN depot: no loading dock is open between hours 4 and 5 in the warehouse district";
    const other =
      "2026-03-01T10:00:00Z WARN depot: loading dock is open between the hours of 4 and 5 in warehouse district";
    expect(matchLines(CATALOGUE, [reworded])[0]).toMatchObject({
      recordId: idOf(8),
      kind: "similar",
    });
    expect(matchLines(CATALOGUE, [reworded])[0]?.score).toBeLessThanOrEqual(0.7);
    expect(matchLines(CATALOGUE, [other])).toEqual([]);
  });
});
