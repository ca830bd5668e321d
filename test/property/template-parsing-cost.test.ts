import { describe, expect, it } from "vitest";
import { parseTemplate } from "../../src/match/parse-template.ts";

/** Code units that `work` looks at or copies through the methods of strings that scanners use. */
function countReads(work: () => void): number {
  const prototype = String.prototype;
  const { charAt, charCodeAt, indexOf, slice, includes, startsWith } = prototype;
  let reads = 0;
  prototype.charAt = function (this: string, at) {
    reads += 1;
    return charAt.call(this, at);
  };
  prototype.charCodeAt = function (this: string, at) {
    reads += 1;
    return charCodeAt.call(this, at);
  };
  prototype.indexOf = function (this: string, text, from = 0) {
    const found = indexOf.call(this, text, from);
    reads += (found < 0 ? this.length : found) - Math.min(from, this.length) + 1;
    return found;
  };
  prototype.slice = function (this: string, from, to) {
    const copy = slice.call(this, from, to);
    reads += copy.length + 1;
    return copy;
  };
  prototype.includes = function (this: string, text, from) {
    reads += Math.min(this.length, 16);
    return includes.call(this, text, from);
  };
  prototype.startsWith = function (this: string, text, from) {
    reads += 1;
    return startsWith.call(this, text, from);
  };
  try {
    work();
  } finally {
    Object.assign(prototype, { charAt, charCodeAt, indexOf, slice, includes, startsWith });
  }
  return reads;
}

const EXTENSIONS = ["rs", "go", "c", "cpp", "py", "java", "scala", "cs", "ts", "rb", "php", ""];

const UNITS = [
  ...["{", "{{", "{a", "{a(", "{a[", "{(", "{'", '{"', "{a + ", "{a.", "{a:", "{0,choice", "{ "],
  ...["%", "%(", "%(a", "%5", "%-", "%[1", "%d%", "% ", "%Y", "%{", "%<a", '%"', '%" A', "%1$"],
  ...["${", "${a", "${'", "${\\'}", '${"}\\', "${{}", "$a[", "#{a", "#{'", "{$a", "{$'"],
  ...["'", '"', "' + ", '" + a', '" + (', '" << a', "'.$a", "'.$a(", "' +\n", "`", "\\", "\\(a"],
  ...["<a", "a", "(", "[", "[a", ".*", "(a", "x{", "\\d", " ", "\n", "1", "ü"],
];

describe("the work of parsing a template", () => {
  it.each(EXTENSIONS)("grows in step with a hostile message of a .%s file", (extension) => {
    const costs = UNITS.map((unit) => {
      const reads = [6_000, 12_000].map((length) => {
        const errorMessage = unit.repeat(Math.ceil(length / unit.length));
        const input = { errorMessage, messagePattern: errorMessage, filePath: `a.${extension}` };
        return countReads(() => parseTemplate(input));
      });
      return { unit, ratio: (reads[1] ?? 0) / (reads[0] ?? 1) };
    });
    expect(costs.filter(({ ratio }) => ratio > 2.3)).toEqual([]);
  });

  it("reads an ordinary message only a few times over", () => {
    const errorMessage = "failed to open %s for {user}: ${reason} (#{code}) after 5 tries ".repeat(
      20,
    );
    for (const extension of EXTENSIONS) {
      const input = { errorMessage, messagePattern: errorMessage, filePath: `a.${extension}` };
      const reads = countReads(() => parseTemplate(input));
      expect(reads / errorMessage.length, extension).toBeLessThan(30);
    }
  });
});
