import { describe, expect, it } from "vitest";
import { createLogger } from "../../../src/app/create-logger.ts";
import { renderLogfmt } from "../../../src/app/logfmt.ts";
import { UpstreamError } from "../../../src/enrich/outcome.ts";

const values: readonly { readonly name: string; readonly value: unknown; readonly line: string }[] =
  [
    { name: "leaves a plain word alone", value: "word-1", line: "k=word-1" },
    { name: "writes a number as it is", value: 1.5, line: "k=1.5" },
    { name: "quotes blanks", value: "a b", line: 'k="a b"' },
    { name: "quotes an empty value", value: "", line: 'k=""' },
    { name: "quotes an equals sign", value: "a=b", line: 'k="a=b"' },
    { name: "escapes quotes and backslashes", value: 'a"b\\c', line: String.raw`k="a\"b\\c"` },
    {
      name: "escapes line breaks",
      value: "a\r\nlevel=error",
      line: String.raw`k="a\r\nlevel=error"`,
    },
    {
      name: "escapes terminal controls",
      value: "\u001b[31m\u009b2J",
      line: String.raw`k="\u001b[31m\u009b2J"`,
    },
    { name: "escapes line separators", value: "a\u2028b", line: String.raw`k="a\u2028b"` },
    {
      name: "escapes marks that turn the direction",
      value: "\u202eabc",
      line: String.raw`k="\u202eabc"`,
    },
    { name: "escapes half a surrogate pair", value: "a\ud83d", line: String.raw`k="a\ud83d"` },
    { name: "keeps letters of any script", value: "größe 🔥", line: 'k="größe 🔥"' },
    {
      name: "writes an object as JSON",
      value: { a: 'x"' },
      line: String.raw`k="{\"a\":\"x\\\"\"}"`,
    },
    { name: "leaves out what is undefined", value: undefined, line: "" },
  ];

describe("renderLogfmt", () => {
  it.each(values)("$name", ({ value, line }) => {
    expect(renderLogfmt({ k: value })).toBe(line);
  });

  it("replaces what does not belong in a key", () => {
    expect(renderLogfmt({ 'a b="': 1, "": 2 })).toBe("a_b__=1 _=2");
  });
});

describe("createLogger", () => {
  it("writes time, level and message first", () => {
    expect(written("logfmt", { a: 1 })).toMatch(
      /^time=\d{4}-\d\d-\d\dT\S+Z level=info msg="it is" a=1\n$/u,
    );
  });

  it("writes one line whatever the value holds", () => {
    for (const format of ["logfmt", "json"] as const) {
      const line = written(format, { value: "a\nb\u2028c\u009bd" });
      expect(line.indexOf("\n")).toBe(line.length - 1);
      expect(line).not.toMatch(/[\u0080-\u009f\u2028]/u);
    }
  });

  it("keeps JSON readable as JSON", () => {
    const line = written("json", { value: "a\u2028\u009b\ud83d" });
    expect(JSON.parse(line)).toMatchObject({ msg: "it is", value: "a\u2028\u009b\ud83d" });
  });

  it("does not repeat the message of a foreign error, for it may quote a log line", () => {
    const secret = "password=hunter2";
    const line = written("logfmt", { error: new SyntaxError(`unexpected ${secret}`) });
    expect(line).toContain("SyntaxError at ");
    expect(line).not.toContain(secret);
  });

  it("tells the message of our own errors", () => {
    const line = written("logfmt", { error: new UpstreamError("timeout", "no answer in 5 ms") });
    expect(line).toContain('error="UpstreamError: no answer in 5 ms"');
  });

  it("changes level and format when told to", () => {
    const lines: string[] = [];
    const logger = createLogger({
      level: "error",
      format: "logfmt",
      write: (line) => lines.push(line),
    });
    logger.warn({}, "not yet");
    logger.adjust({ level: "warn", format: "json" });
    logger.warn({}, "now");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ msg: "now" }]);
  });
});

function written(format: "logfmt" | "json", fields: Readonly<Record<string, unknown>>): string {
  const lines: string[] = [];
  createLogger({ level: "info", format, write: (line) => lines.push(line) }).info(fields, "it is");
  return lines.join("");
}
