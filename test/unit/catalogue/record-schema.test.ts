import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { checkRecord } from "../../../src/catalogue/record-schema.ts";
import { buildRecord } from "../../support/build-record.ts";
import { requireShared } from "../../support/shared.ts";

const { record } = buildRecord(1);
const withField = (field: string, value: unknown) => ({ ...record, [field]: value });

describe("checkRecord", () => {
  it("accepts a record and hands it out unchanged", () => {
    expect(checkRecord(record)).toEqual({ record, faults: [] });
  });

  it("accepts the recorded sample of the dataset's documentation", (context) => {
    const file = requireShared(context, "contracts/samples/errlookup-record.json");
    expect(checkRecord(JSON.parse(readFileSync(file, "utf8"))).faults).toEqual([]);
  });

  it("leaves out keys it does not know, `__proto__` too", () => {
    const text = JSON.stringify({ ...record, lang: "rust" }).replace("{", '{"__proto__":{"x":1},');
    const checked = checkRecord(JSON.parse(text)).record;
    expect(checked).toEqual(record);
    expect(Object.getPrototypeOf(checked)).toBe(Object.prototype);
    expect(checkRecord({ ...record, lang: "rust" }).record).toStrictEqual(record);
  });

  it("takes a missing background tag for none", () => {
    const { backgroundTag, ...old } = record;
    expect(backgroundTag).toBeNull();
    expect(checkRecord(old).record).toEqual(record);
  });

  it.each([
    ["errorCode", null],
    ["errorCode", "42P01"],
    ["errorType", "panic"],
    ["errorClass", null],
    ["httpStatus", 503],
    ["severity", "info"],
    ["filePath", "unknown"],
    ["lineNumber", null],
    ["sourceCode", ""],
    ["sourceCode", "x\n".repeat(40)],
    ["githubUrl", "http://git.internal.test:8080/a/b?x=1#L1-L2"],
    ["solutions", []],
    ["handlingStrategy", null],
    ["handlingStrategy", "try-catch"],
    ["exampleFix", ""],
    ["tags", ["a", "a1-b2"]],
    ["backgroundTag", "disk-full"],
    ["analyzedAt", "2026-08-02T00:00:00Z"],
    ["analyzedAt", "2026-08-02T23:59:59.123456Z"],
  ])("accepts %s %j", (field, value) => {
    expect(checkRecord(withField(field, value)).faults).toEqual([]);
  });

  it.each([
    ["id", "0123456789ABCDEF", "must be 16 lower-case hex digits"],
    ["id", "0123456789abcde", "must be 16 lower-case hex digits"],
    ["id", "0123456789abcdef\n", "must be 16 lower-case hex digits"],
    ["id", 1234567890123456, "must be 16 lower-case hex digits"],
    ["repo", "engine", "must be owner/name"],
    ["repo", "a/b/c", "must be owner/name"],
    ["repo", "a /b", "must be owner/name"],
    ["slug", "-a", "must be a slug"],
    ["slug", "A", "must be a slug"],
    ["errorCode", "", "must be text of 1 to 16384 characters, or null"],
    ["errorMessage", "", "must be text of 1 to 16384 characters"],
    ["errorMessage", null, "must be text of 1 to 16384 characters"],
    ["errorMessage", "x".repeat(16_385), "must be text of 1 to 16384 characters"],
    ["messagePattern", "", "must be text"],
    [
      "errorType",
      "error",
      "must be one of: exception, error_code, console, http, validation, panic",
    ],
    ["errorType", null, "must be one of"],
    ["errorClass", "", "must be text"],
    ["httpStatus", 99, "must be a whole number from 100 to 599, or null"],
    ["httpStatus", 600, "must be a whole number from 100 to 599, or null"],
    ["httpStatus", "503", "must be a whole number from 100 to 599, or null"],
    ["severity", "fatal", "must be one of: critical, error, warning, info"],
    ["filePath", "", "must be text"],
    ["lineNumber", 0, "must be a whole number of at least 1, or null"],
    ["lineNumber", 1.5, "must be a whole number of at least 1, or null"],
    ["sourceCode", "x\n".repeat(41), "must have at most 40 lines"],
    ["githubUrl", "javascript:alert(1)", "must be an http(s) URL"],
    ["githubUrl", "ftp://x.test/", "must be an http(s) URL"],
    ["githubUrl", 'https://x.test/"onclick', "must be an http(s) URL"],
    ["githubUrl", "https://x.test/a b", "must be an http(s) URL"],
    ["githubUrl", "https://", "must be an http(s) URL"],
    ["documentation", "", "must be text of 1 to 262144 characters"],
    ["documentation", "x".repeat(262_145), "must be text of 1 to 262144 characters"],
    ["solutions", null, "must be a list of at most 100"],
    ["solutions", [""], "must be a list of at most 100, each text of 1 to 262144 characters"],
    ["solutions", Array.from({ length: 101 }, () => "x"), "must be a list of at most 100"],
    ["solutions", { 0: "x", length: 1 }, "must be a list of at most 100"],
    [
      "handlingStrategy",
      "ignore",
      "must be one of: try-catch, type-guard, validation, retry, fallback, or null",
    ],
    ["tags", ["Disk"], "must be a list of at most 100, each a tag"],
    ["backgroundTag", "disk_full", "must be a tag (lower-case words joined by hyphens), or null"],
    ["analyzedSha", "abc", "must be 40 lower-case hex digits"],
    ["analyzedAt", "2026-08-02T00:00:00+00:00", "must be an ISO 8601 time that ends in Z"],
    ["analyzedAt", "2026-13-02T00:00:00Z", "must be an ISO 8601 time that ends in Z"],
    ["schemaVersion", 1, "must be 2"],
    ["schemaVersion", "2", "must be 2"],
  ])("refuses %s %j", (field, value, message) => {
    const { record: refused, faults } = checkRecord(withField(field, value));
    expect(refused).toBeUndefined();
    expect(faults).toEqual([{ field, message: expect.stringContaining(message) as unknown }]);
  });

  it.each([
    [{ sourceCodeStart: 5, sourceCodeEnd: 4 }, "sourceCodeEnd"],
    [{ sourceCodeStart: 9, sourceCodeEnd: 12, lineNumber: 8 }, "lineNumber"],
  ])("refuses numbers that disagree: %j", (changes, field) => {
    expect(checkRecord({ ...record, ...changes }).faults.map((fault) => fault.field)).toEqual([
      field,
    ]);
  });

  it("names every field that is missing, and every fault of a record", () => {
    const { severity, ...rest } = record;
    expect(severity).toBe("error");
    expect(checkRecord({ ...rest, id: "x" }).faults).toEqual([
      { field: "id", message: "must be 16 lower-case hex digits" },
      { field: "severity", message: "is required" },
    ]);
    expect(checkRecord({}).faults).toHaveLength(30);
  });

  it.each([null, undefined, 1, "x", [], [record]])("refuses %j, which is no object", (value) => {
    expect(checkRecord(value).faults).toEqual([{ field: "", message: "must be an object" }]);
  });

  it("repeats nothing of a record in its faults", () => {
    const hostile = "\u001b[31mhunter2\n";
    const faults = Object.keys(record).flatMap(
      (field) => checkRecord(withField(field, [hostile, 1])).faults,
    );
    expect(faults.length).toBeGreaterThan(30);
    expect(JSON.stringify(faults)).not.toContain("hunter2");
  });
});
