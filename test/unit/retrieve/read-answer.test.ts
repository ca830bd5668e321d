import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readLabelNames, readLogAnswer } from "../../../src/retrieve/read-answer.ts";
import { requireShared } from "../../support/shared.ts";

const answerOf = (result: unknown) =>
  JSON.stringify({ status: "success", data: { resultType: "streams", result } });

describe("log answers", () => {
  it("keeps nanoseconds exact and merges streams, equal times in the order of their stream", () => {
    const text = answerOf([
      {
        stream: { pod: "b" },
        values: [
          ["1773480461120331003", "late"],
          ["1773480461120331001", "b"],
        ],
      },
      {
        stream: { pod: "a" },
        values: [
          ["1773480461120331001", "a second"],
          ["1773480461120331001", "a first"],
        ],
      },
    ]);
    const { entries, cut } = readLogAnswer(text, 5);
    expect(entries.map((entry) => entry.text)).toEqual(["b", "a first", "a second", "late"]);
    expect(entries[3]?.timestampNs).toBe(1_773_480_461_120_331_003n);
    expect(cut).toBe(false);
    expect(readLogAnswer(text, 4).cut).toBe(true);
  });

  it("takes the level that Loki guesses line by line for no part of the stream", () => {
    const stream = (level: string) => ({
      stream: { pod: "a", detected_level: level },
      values: [["1", level]],
    });
    const { entries } = readLogAnswer(answerOf([stream("error"), stream("unknown")]), 5);
    expect(new Set(entries.map((entry) => entry.stream)).size).toBe(1);
  });

  it("takes values of three elements in any form", () => {
    const values = [
      ["3", "c", { structuredMetadata: { a: "b" } }],
      ["2", "b", { trace_id: "x" }],
      ["1", "a", {}],
    ];
    const { entries } = readLogAnswer(answerOf([{ stream: {}, values }]), 5);
    expect(entries.map((entry) => entry.text)).toEqual(["a", "b", "c"]);
  });

  it("reads Loki's sample answers", (context) => {
    const read = (name: string) =>
      readLogAnswer(
        readFileSync(requireShared(context, `contracts/samples/${name}.json`), "utf8"),
        5000,
      );
    const categorized = read("loki-query-range-categorized").entries;
    expect(categorized).toHaveLength(4);
    expect(new Set(categorized.map((entry) => entry.stream)).size).toBe(1);
    expect(read("loki-query-range-streams").entries.length).toBeGreaterThan(0);
    expect(read("loki-query-range-empty").entries).toEqual([]);
    expect(() => read("loki-query-range-matrix")).toThrow("no answer to a log query");
  });

  it.each([
    ["", "nothing"],
    ["<html></html>", "a page"],
    ["null", "null"],
    ['{"status":"success"}', "no data"],
    [answerOf({}), "a result that is no list"],
    [answerOf([{ stream: {}, values: [[1773480461120331001, "x"]] }]), "a time that is a number"],
    [answerOf([{ stream: {}, values: [["1", 5]] }]), "a line that is a number"],
    [answerOf([{ stream: null, values: [] }]), "a stream without labels"],
    [answerOf([null]), "a result without streams"],
  ])("refuses %s: %s", (text) => {
    expect(() => readLogAnswer(text, 5)).toThrow(
      expect.objectContaining({ reason: "server" }) as Error,
    );
  });
});

describe("label names", () => {
  it("are none when Loki sends no data", () => {
    expect(readLabelNames('{"status":"success"}')).toEqual(new Set());
    expect(readLabelNames('{"status":"success","data":["pod","app"]}')).toEqual(
      new Set(["pod", "app"]),
    );
    expect(() => readLabelNames('{"status":"error"}')).toThrow("no answer");
  });
});
