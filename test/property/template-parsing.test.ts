import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseTemplate } from "../../src/match/parse-template.ts";
import { undoSourceEscapes } from "../../src/match/templates/undo-source-escapes.ts";
import type { Template } from "../../src/record/template.ts";
import { printTemplate } from "../support/print-template.ts";

const EXTENSIONS = [
  "rs",
  "go",
  "c",
  "cpp",
  "py",
  "java",
  "kt",
  "scala",
  "groovy",
  "cs",
  "ts",
].concat(["rb", "php", "zig", ""]);

/** Pieces of every grammar, whole and broken, that hostile and odd messages are put together from. */
const SCRAPS = [
  ...["{", "}", "{{", "}}", "{}", "{a", "{a(", "{a[", "{(", "{a:", "{a:>", "{a.", "{a + ", "{a,"],
  ...["{0,choice,", "{'", '{"a', "{$", "{$a", "{@", "{ ", "{0}", "{x:?}", "{a.b(c)!r:>5}"],
  ...["%", "%%", "%(", "%(a", "%5", "%-", "%[1", "%[1]", "%d", "% ", "%s", "%Y-", "%H:%M", "%'"],
  ...['%"', '%" PRI', "%PRIu64", "%*", "%.", "%{", "%{a}", "%<", "%<a", "%1$", "%I64", "%p"],
  ...["$", "${", "${a", "${a}", "${'", '${"', "${`", "${'}\\", "${{", "$a", "$a[", "$a->", "$$"],
  ...[
    "#{",
    "#{a",
    "#{a}",
    "#@a",
    "#",
    "\\(",
    "\\(a",
    "\\",
    "\\n",
    '\\"',
    "\\r\n",
    "<",
    "<a",
    "<a>",
  ],
  ...[
    "'",
    "''",
    '"',
    '"" ',
    "' + ",
    '" + a',
    '" + a + "',
    "' +\n'",
    "'.$",
    "'.$a.'",
    '" << a',
    "`",
  ],
  ...["(", ")", "[", "]", "a", "Z", "0", " ", "\n", ".", ":", "!", "?", ",", "ü", "😀", "\u0000"],
];

function templateOf(
  errorMessage: string,
  extension: string,
  messagePattern = errorMessage,
): Template {
  return parseTemplate({ errorMessage, messagePattern, filePath: `src/a.${extension}` });
}

function printSources(template: Template): string {
  const placeholders = template.parts.filter((part) => part.type === "placeholder");
  return printTemplate(
    template,
    placeholders.map((part) => part.source),
  );
}

function isSubsequence(inner: string, outer: string): boolean {
  let at = 0;
  for (let i = 0; i < inner.length; i += 1) {
    at = outer.indexOf(inner.charAt(i), at) + 1;
    if (at === 0) return false;
  }
  return true;
}

const arbMessage = fc
  .array(fc.oneof(fc.constantFrom(...SCRAPS), fc.string({ unit: "binary", maxLength: 3 })), {
    maxLength: 30,
  })
  .map((scraps) => scraps.join(""));
const arbExtension = fc.constantFrom(...EXTENSIONS);

describe("parsing a template", () => {
  it("never throws, and gives merged, non-empty literals in the same way each time", () => {
    fc.assert(
      fc.property(arbMessage, arbMessage, arbExtension, (message, pattern, extension) => {
        const template = templateOf(message, extension, pattern);
        expect(templateOf(message, extension, pattern)).toEqual(template);
        template.parts.forEach((part, index) => {
          expect(part.type === "placeholder" ? part.source : part.text).not.toBe("");
          if (part.type === "literal") expect(template.parts[index + 1]?.type).not.toBe("literal");
        });
      }),
      { numRuns: 3000 },
    );
  });

  it("loses nothing but the escapes: printed with its own sources it is the message without them", () => {
    fc.assert(
      fc.property(arbMessage, arbExtension, (message, extension) => {
        // `%n` of Java's prints a line break that its source does not hold.
        const printable = message.replaceAll("%n", "%s");
        const undone = undoSourceEscapes(printable);
        const printed = printSources(templateOf(printable, extension, ""));
        expect(isSubsequence(printed, undone)).toBe(true);
        // Each escape and each joint of a sum drops at least one of these characters.
        if (!/[%{}$'"\\]/.test(undone)) expect(printed).toBe(undone);
      }),
      { numRuns: 3000 },
    );
  });

  it("keeps a message without any sign of a placeholder as one literal", () => {
    const arbPlain = fc
      .string({ unit: "binary", minLength: 1, maxLength: 60 })
      .filter((text) => !/[%{}$#\\<'"`]/.test(text));
    fc.assert(
      fc.property(arbPlain, arbExtension, (message, extension) => {
        expect(templateOf(message, extension, "").parts).toEqual([
          { type: "literal", text: message },
        ]);
      }),
    );
  });

  it("finds the fields of a Rust message whatever text stands between", () => {
    const arbText = fc.string({ unit: "binary", maxLength: 12 });
    const arbField = fc.constantFrom("{}", "{0}", "{name}", "{x:?}", "{:#?}", "{a.b:>8.2}");
    fc.assert(
      fc.property(fc.array(fc.tuple(arbText, arbField), { maxLength: 6 }), (pairs) => {
        const escape = (text: string): string =>
          text.replaceAll("{", "{{").replaceAll("}", "}}").replaceAll("\\", "/");
        const message = pairs.map(([text, field]) => escape(text) + field).join("");
        const printed = pairs.map(([text, field]) => text.replaceAll("\\", "/") + field).join("");
        const template = templateOf(message, "rs", "");
        expect(printSources(template)).toBe(printed);
        expect(template.parts.filter((part) => part.type === "placeholder")).toHaveLength(
          pairs.length,
        );
      }),
    );
  });
});
