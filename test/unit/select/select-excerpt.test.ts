import { describe, expect, it } from "vitest";
import { selectExcerpt } from "../../../src/select/select-excerpt.ts";
import type { SelectOptions } from "../../../src/select/select-excerpt.ts";
import { buildAlert } from "../../support/build-alert.ts";

const OPTIONS: SelectOptions = {
  logAnnotations: ["log_excerpt", "logs", "log"],
  proseAnnotations: ["message", "description", "summary"],
  excerptBytesMax: 1000,
  excerptLinesMax: 100,
};

function select(
  annotations: Readonly<Record<string, string>>,
  options: Partial<SelectOptions> = {},
) {
  const excerpt = selectExcerpt(buildAlert({ annotations }), { ...OPTIONS, ...options });
  return (
    excerpt && { ...excerpt, entries: excerpt.entries.map(({ text, stream }) => [stream, text]) }
  );
}

describe("selectExcerpt", () => {
  it("takes the lines of the first log annotation that says something, as one stream", () => {
    expect(select({ log: "other", logs: "a\nb", log_excerpt: " \n\t", summary: "prose" })).toEqual({
      entries: [
        ["logs", "a"],
        ["logs", "b"],
      ],
      provenance: "excerpt",
      cut: false,
    });
  });

  it("takes every prose annotation where there are no log lines, each a stream of its own", () => {
    expect(select({ summary: "s", description: "d1\nd2", message: "", runbook_url: "r" })).toEqual({
      entries: [
        ["description", "d1"],
        ["description", "d2"],
        ["summary", "s"],
      ],
      provenance: "prose",
      cut: false,
    });
  });

  it("reads a sentence under two names once", () => {
    expect(select({ summary: "same", description: "same" })?.entries).toEqual([
      ["description", "same"],
    ]);
  });

  it.each([[{}], [{ log: "" }], [{ summary: " \n " }], [{ runbook_url: "x" }]])(
    "gives nothing where no annotation says anything: %j",
    (annotations) => {
      expect(select(annotations)).toBeUndefined();
    },
  );

  it("does not take what objects inherit for an annotation", () => {
    expect(select({}, { logAnnotations: ["constructor", "__proto__"] })).toBeUndefined();
  });

  it.each([
    ["a\r\nb\r\n", ["a", "b"]],
    ["a\n\nb", ["a", "", "b"]],
    ["a\rb", ["a\rb"]],
    ["a\r\r\nb", ["a\r", "b"]],
    ["\na", ["", "a"]],
    ["\r\na", ["", "a"]],
    ["a\n", ["a"]],
    ["a\u2028b", ["a\u2028b"]],
  ])("splits %j at line feeds, with or without a carriage return", (log, texts) => {
    expect(select({ log })?.entries.map(([, text]) => text)).toEqual(texts);
  });

  it.each([
    ["a\nb\nc", { excerptLinesMax: 2 }, ["a", "b"], true],
    ["a\nb\n", { excerptLinesMax: 2 }, ["a", "b"], false],
    ["abc\ndef\nghi", { excerptBytesMax: 7 }, ["abc", "def", "g"], true],
    ["abc\ndef", { excerptBytesMax: 3 }, ["abc"], true],
    ["abc\ndef", { excerptBytesMax: 6 }, ["abc", "def"], false],
    ["aé😀", { excerptBytesMax: 6 }, ["aé"], true],
  ])("keeps the start of %j within %j", (log, options, texts, cut) => {
    const excerpt = select({ log }, options);
    expect(excerpt?.entries.map(([, text]) => text)).toEqual(texts);
    expect(excerpt?.cut).toBe(cut);
  });

  it("counts lines and bytes over all prose annotations together", () => {
    const prose = { message: "a\nb", description: "c\nd", summary: "e" };
    expect(select(prose, { excerptLinesMax: 3 })?.entries.map(([, text]) => text)).toEqual([
      "a",
      "b",
      "c",
    ]);
    expect(select(prose, { excerptBytesMax: 3 })).toMatchObject({ cut: true });
  });

  it("gives entries without a time", () => {
    const excerpt = selectExcerpt(buildAlert({ annotations: { log: "a" } }), OPTIONS);
    expect(excerpt?.entries[0]?.timestampNs).toBeUndefined();
  });
});
