import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseTemplate } from "../../../src/match/parse-template.ts";
import type { Template } from "../../../src/record/template.ts";
import { showMessage, showTemplate } from "../../support/show-template.ts";
import { requireShared } from "../../support/shared.ts";

function parse(errorMessage: string, messagePattern: string, filePath = "src/a.go"): string {
  return showTemplate(parseTemplate({ errorMessage, messagePattern, filePath }));
}

/** Whether the literals stand in the text in order, with something for each placeholder between. */
function couldPrint(template: Template, text: string): boolean {
  let at = 0;
  let open = false;
  for (const part of template.parts) {
    if (part.type === "placeholder") {
      if (open) at += 1;
      open = true;
      continue;
    }
    const found = open ? text.indexOf(part.text, at + 1) : text.indexOf(part.text, at);
    if (found < 0 || (!open && found !== at)) return false;
    at = found + part.text.length;
    open = false;
  }
  return open ? at < text.length : at === text.length;
}

describe("parseTemplate", () => {
  it.each([
    ["src/a.rs", "{x:?}", "‹debug›"],
    ["cmd/main.go", "%q", "‹quoted›"],
    ["src/db.C", "%m", "‹any›"],
    ["src/db.hpp", "{:d}", "‹integer›"],
    ["a/b.c/views.py", "%(n)d", "‹integer›"],
    ["A.java", "%,d", "‹number›"],
    ["A.kt", "$x", "‹any›"],
    ["A.scala", "$x", "‹any›"],
    ["A.groovy", "$x", "‹any›"],
    ["A.cs", "{x:N2}", "‹number›"],
    ["a.test.ts", "${x}", "‹any›"],
    ["a.rb", "%<n>d", "‹integer›"],
    ["a.php", "$x", "‹any›"],
    ["a.swift", "\\(x)", "‹any›"],
    ["unknown", "{x}", "‹any›"],
    ["Makefile", "$x", "$x"],
    [".rs", "{x:?}", "‹debug›"],
    ["", "%v", "‹any›"],
  ])("picks the grammar of %s", (filePath, message, shown) => {
    expect(parse(message, message, filePath)).toBe(shown);
  });

  it.each([
    ["rs", "{err:?} {0} {} {a.b}", "‹debug err› ‹any 0› ‹any› ‹any a.b›"],
    ["go", "%s %[2]q %[2]*[1]d %[2]*d", "‹any› ‹quoted 2› ‹integer 1› ‹integer›"],
    ["py", "%(n)d", "‹integer n›"],
    ["py", "{a.b!r} {f(x)}", "‹debug a.b› ‹any›"],
    ["java", "{0,number} {e.x} %2$s", "‹number 0› ‹any e.x› ‹any 2›"],
    ["kt", "$x ${a.b} ${f(x)}", "‹any x› ‹any a.b› ‹any›"],
    ["js", "no ' + name + ' here", "no ‹any name› here"],
    ["rb", "#{x} %<n>d %{m}", "‹any x› ‹integer n› ‹any m›"],
    ["php", "$u->name {$a}", "‹any u› ‹any a›"],
  ])("names the placeholders of .%s %j", (extension, errorMessage, shown) => {
    const filePath = `a.${extension}`;
    const template = parseTemplate({ errorMessage, messagePattern: "x", filePath });
    expect(showTemplate(template, { names: true })).toBe(shown);
  });

  it.each([
    ["'%s'\\r\\n", "'‹any›'\r\n"],
    ["pair %f\\r\n", "pair ‹number›\r\n"],
    ['no \\"%s\\" here', 'no "‹any›" here'],
    ["first.\\nSecond \\'%s\\'", "first.\nSecond '‹any›'"],
    ["a tab\\t and an end\\n", "a tab\t and an end\n"],
    ["unrecognized \\flag %s", "unrecognized \\flag ‹any›"],
    ["expected '\\n' or '\\t'", "expected '\\n' or '\\t'"],
    ["C:\\new\\text", "C:\\new\\text"],
    ["C:\\Name\\New", "C:\\Name\\New"],
    ["regex \\1 backref", "regex \\1 backref"],
    ["ends with \\", "ends with \\"],
    ['mixed \\"a\\" and \\d', 'mixed \\"a\\" and \\d'],
  ])("undoes escapes only where %j is surely source text", (message, shown) => {
    expect(showMessage(message, "c")).toBe(shown);
  });

  it.each([
    ["could not open /a/b", "could not open (.+?)", "could not open ‹any›"],
    ["took 5 ms", "took (\\d+) ms\\.", "took ‹any› ms."],
    ["took 5 ms (x)", "^took \\d+ ms \\((?:a|b)\\)$", "took ‹integer› ms (‹any›)"],
    ["a b", "a\\s+b .* c", "a b ‹any› c"],
    ["x", "see [a-z]{2,5}? of e.g. (.+)", "see ‹any› of e.g. ‹any›"],
    ["no group", "no\\.group", "no group"],
    ["either", "(a)|b", "either"],
    ["back", "(a)\\1", "back"],
    ["open", "(open", "open"],
    ["wild", "wild)(.+)", "wild"],
    ["plain", "plain [a-z]", "plain"],
  ])(
    "takes %j from the pattern %j where the message has no placeholder",
    (message, pattern, shown) => {
      expect(parse(message, pattern)).toBe(shown);
    },
  );

  it.each([
    ["resolve ${A} in {b}", "resolve (.+?) in (.+?)", "resolve ${A} in {b}"],
    ["expected {, got }", "expected (.+?)", "expected {, got }"],
    ["{{a}} or {b}{c}", "(.+?)\\} or (.+?)(.+?)", "{{a}} or {b}{c}"],
  ])("keeps the text of %j although upstream made groups of it", (message, pattern, shown) => {
    expect(parse(message, pattern)).toBe(shown);
  });

  it("prefers the message's own placeholders to the pattern", () => {
    expect(parse("open %s: %w", "open (.+?): %w")).toBe("open ‹any›: ‹any›");
  });

  it("merges neighbouring literals and never makes an empty one", () => {
    const { parts } = parseTemplate({
      errorMessage: "100%% of {{ %s%%",
      messagePattern: "x",
      filePath: "a.go",
    });
    expect(parts.map((part) => part.type)).toEqual(["literal", "placeholder", "literal"]);
    expect(parts.every((part) => part.type === "placeholder" || part.text !== "")).toBe(true);
  });

  it("has no parts for an empty message", () => {
    expect(parse("", "")).toBe("");
  });
});

interface KnownCase {
  readonly language: string;
  readonly errorMessage: string;
  readonly liveText: string;
  readonly published: string;
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  rust: "rs",
  python: "py",
  csharp: "cs",
  ruby: "rb",
  kotlin: "kt",
  any: "",
};

describe("parseTemplate on the known cases", () => {
  it("makes a template that prints the live text of every case", (context) => {
    const file = requireShared(context, "contracts/samples/errlookup-pattern-cases.json");
    const { cases } = JSON.parse(readFileSync(file, "utf8")) as { cases: readonly KnownCase[] };
    expect(cases.length).toBeGreaterThanOrEqual(40);
    const missed = cases.filter(({ language, errorMessage, liveText, published }) => {
      const filePath = `src/a.${EXTENSIONS[language] ?? language}`;
      const template = parseTemplate({ errorMessage, messagePattern: published, filePath });
      return !couldPrint(template, liveText);
    });
    expect(missed).toEqual([]);
  });
});
