import { describe, expect, it } from "vitest";
import { parseTemplate } from "../../src/match/parse-template.ts";

/** What one call of a method of strings looks at or copies, in code units. */
const COSTS: Readonly<Record<string, (text: string, found: unknown, from: unknown) => number>> = {
  charAt: () => 1,
  charCodeAt: () => 1,
  startsWith: () => 1,
  includes: (text) => Math.min(text.length, 16),
  slice: (_text, copy) => (copy as string).length + 1,
  indexOf: (text, found, from) => {
    const start = Math.min((from as number | undefined) ?? 0, text.length);
    return (found === -1 ? text.length : (found as number)) - start + 1;
  },
};

/** Code units that `work` looks at or copies through the methods of strings that scanners use. */
function countReads(work: () => void): number {
  const prototype = String.prototype as unknown as Record<string, unknown>;
  const originals = Object.keys(COSTS).map((name) => [name, prototype[name]] as const);
  let reads = 0;
  for (const [name, original] of originals) {
    const cost = COSTS[name] ?? (() => 0);
    prototype[name] = function (this: string, ...given: unknown[]): unknown {
      const result: unknown = Reflect.apply(original as () => unknown, this, given);
      reads += cost(this, result, given[1]);
      return result;
    };
  }
  try {
    work();
  } finally {
    for (const [name, original] of originals) prototype[name] = original;
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
      const reads = [3_000, 6_000].map((length) => {
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
