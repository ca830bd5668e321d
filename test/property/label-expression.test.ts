import fc from "fast-check";
import { expect, test } from "vitest";
import { compileExpression } from "../../src/alert/anchored-expression.ts";
import { matchesAll, parseLabelMatchers } from "../../src/alert/label-matcher.ts";
import { ExpressionError } from "../../src/alert/parse-expression.ts";

const texts = fc.string({ unit: fc.constantFrom(...Array.from("abAB1_- \n.😀")), maxLength: 8 });

/** Expressions that mean the same to RE2 and to JavaScript with flag `u`. */
const { source: sources } = fc.letrec<{ source: string; atom: string }>((tie) => ({
  atom: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom("a", "b", "A", "1", ".", "[ab]", "[^a]", "[A-b]", "\\d", "\\w", "\\W", "\\."),
    fc.constantFrom("^", "$", "\\b", "\\B", "-", "😀"),
    tie("source").map((source) => `(?:${source})`),
  ),
  source: fc
    .array(fc.tuple(tie("atom"), fc.constantFrom("", "", "*", "+", "?", "{2}", "{1,2}", "|")), {
      minLength: 1,
      maxLength: 4,
    })
    .map((parts) => parts.map(([atom, suffix]) => withSuffix(atom, suffix)).join("")),
}));

/** JavaScript repeats no assertion. */
function withSuffix(atom: string, suffix: string): string {
  const isAssertion = ["^", "$", "\\b", "\\B"].includes(atom);
  return isAssertion && suffix !== "|" ? atom : `${atom}${suffix}`;
}

test("an expression fits the texts that JavaScript's engine says it fits", () => {
  fc.assert(
    fc.property(sources, texts, (source, text) => {
      const reference = new RegExp(`^(?:${source})$`, "u");
      expect(compileExpression(source).matches(text)).toBe(reference.test(text));
    }),
    { numRuns: 2000 },
  );
});

test("any source is compiled or refused with the place, never thrown at otherwise", () => {
  const anySource = fc.string({
    unit: fc.constantFrom(...Array.from("ab\\()[]{}?*+|^$.,-:<=P!ix12")),
    maxLength: 20,
  });
  fc.assert(
    fc.property(anySource, (source) => {
      try {
        expect(typeof compileExpression(source).matches("ab")).toBe("boolean");
      } catch (error) {
        expect(error).toBeInstanceOf(ExpressionError);
      }
    }),
    { numRuns: 2000 },
  );
});

test("any label value that is quoted is matched by itself and by nothing else", () => {
  const quote = (value: string) =>
    `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string(), (value, other) => {
      const matchers = parseLabelMatchers(`name=${quote(value)}`);
      expect(matchesAll(matchers, { name: value })).toBe(true);
      expect(matchesAll(matchers, { name: other })).toBe(other === value);
    }),
  );
});
