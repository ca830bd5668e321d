import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileKernel } from "../../../bench/tools/compile-kernel.ts";
import { ScanKernel } from "../../../src/match/kernel/scan-kernel.ts";
import { stringAt } from "../../../src/match/string-table.ts";
import { buildTemplateRecord, catalogueOf } from "../../support/match-lines.ts";

const COMMITTED = join(import.meta.dirname, "../../../src/match/kernel/kernel-bytes.ts");
const MESSAGES = [
  "cannot write checkpoint {} of shard {}: lease expired",
  "Storage quota exceeded for tenant {}",
  "upload aborted after {} parts",
];
const catalogue = catalogueOf(MESSAGES.map((text, i) => buildTemplateRecord(i, text)));
const kernel = new ScanKernel(catalogue);

/** Places of a text where the kernel claims a literal, with the literal's text. */
function claimsOf(text: string): readonly string[] {
  const claims: string[] = [];
  kernel.scan(text, (literal, start) => {
    claims.push(`${start} ${stringAt(catalogue.literals, literal)}`);
  });
  return claims;
}

describe("the scan kernel", () => {
  test("is what its source compiles to", { timeout: 60_000 }, () => {
    expect(compileKernel()).toBe(readFileSync(COMMITTED, "utf8"));
  });

  test("claims a message wherever it stands, in any letter case, whatever stands around it", () => {
    const around = fc.string({ maxLength: 40, unit: "binary" });
    const message = fc.constantFrom(
      ["upload aborted after ", "3 parts"],
      ["Storage quota exceeded for tenant ", "a"],
    );
    fc.assert(
      fc.property(around, message, around, fc.boolean(), (before, parts, after, isLoud) => {
        const [text = "", rest = ""] = parts;
        const printed = isLoud ? `${text}${rest}`.toUpperCase() : `${text}${rest}`;
        // Nothing is glued to a message's front.
        fc.pre(!/[A-Za-z0-9_]$/.test(before));
        const claims = claimsOf(`${before}${printed}${after}`);
        expect(claims).toContain(`${before.length} ${text}`);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ["a message with a word glued to its front", "reupload aborted after 3 parts", 0],
    ["a message right behind a Chinese character", "\u8bf3upload aborted after 3 parts", 1],
  ])("claims %s as it should", (_, text, claims) => {
    expect(claimsOf(text)).toHaveLength(claims);
  });

  test("claims nothing in a text without any fragment", () => {
    expect(claimsOf("the quick brown fox jumps over the lazy dog ".repeat(100))).toEqual([]);
  });

  test("gives every claim of a text that has more of them than fit at once", () => {
    expect(claimsOf("upload aborted after 7 parts\n".repeat(5000))).toHaveLength(5000);
  });

  test("takes texts longer than any before", () => {
    const filler = "x".repeat(300_000);
    expect(claimsOf(`${filler} upload aborted after 3 parts`)).toEqual([
      "300001 upload aborted after ",
    ]);
    expect(claimsOf("upload aborted after 3 parts")).toEqual(["0 upload aborted after "]);
  });

  test.each([
    ["a line with a record", "upload aborted after 3 parts", 1],
    ["a line without one", "upload finished after 3 parts", 0],
    ["a literal whose next one never comes", "Storage quotas exceed for tenant 3", 0],
    ["a word glued to a literal's front", "INFO reupload aborted after 3 parts", 0],
    ["a Chinese character before a literal", "\u8bf3upload aborted after 3 parts", 1],
    ["an escape before a literal", String.raw`\nupload aborted after 3 parts`, 1],
    ["colours", "\u001b[31mno record\u001b[0m", 1],
    ["an escaped slash", String.raw`{"path":"a\/b"}`, 1],
    ["a part of a CRI line", "2026-01-01T00:00:00Z stdout P no record", 1],
    ["octal escapes of syslog", "no record#012here", 1],
    ["records in changed words", "ERROR cannot write checkpoints of shard 7: lease expired", 1],
    ["the same at a quiet level", "INFO can't write checkpoint on shard 7: a lease expired", 0],
  ])("marks %s as it should", (_, line, mark) => {
    expect([...kernel.mark(`first line\n${line}\nlast line`)]).toEqual([0, mark, 0]);
  });

  test("marks as many lines as there are line feeds and one", () => {
    const lines = fc.array(fc.string({ maxLength: 20 }), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(lines, (some) => {
        const text = some.join("\n");
        expect(kernel.mark(text)).toHaveLength(text.split("\n").length);
      }),
    );
  });
});
