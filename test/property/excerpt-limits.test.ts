import fc from "fast-check";
import { expect, test } from "vitest";
import { cutUtf8 } from "../../src/log/cut-utf8.ts";
import { selectExcerpt } from "../../src/select/select-excerpt.ts";
import { buildAlert } from "../support/build-alert.ts";

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom("a", "é", "語", "😀", "\n", "\r\n", "\ud83d"), maxLength: 60 }),
);
const bytesOf = (text: string) => Buffer.byteLength(text, "utf8");

test("a cut text is the longest start within its bytes that ends on a code point", () => {
  fc.assert(
    fc.property(anyText, fc.nat(100), (text, bytesMax) => {
      const cut = cutUtf8(text, bytesMax);
      expect(text.startsWith(cut.text)).toBe(true);
      expect(cut.bytes).toBe(bytesOf(cut.text));
      expect(cut.bytes).toBeLessThanOrEqual(bytesMax);
      const next = String.fromCodePoint(
        ...Array.from(text.slice(cut.text.length), (c) => c.codePointAt(0) ?? 0).slice(0, 1),
      );
      if (next !== "") expect(cut.bytes + bytesOf(next)).toBeGreaterThan(bytesMax);
    }),
  );
});

test("an excerpt keeps its limits and the start of the text, and says when it is cut", () => {
  fc.assert(
    fc.property(
      anyText,
      fc.integer({ min: 4, max: 60 }),
      fc.integer({ min: 1, max: 8 }),
      (log, excerptBytesMax, excerptLinesMax) => {
        const alert = buildAlert({ annotations: { log } });
        const options = {
          logAnnotations: ["log"],
          proseAnnotations: [],
          excerptBytesMax,
          excerptLinesMax,
        };
        const excerpt = selectExcerpt(alert, options);
        const lines = log.split("\n").map((line) => line.replace(/\r$/u, ""));
        if (lines.at(-1) === "") lines.pop();
        if (excerpt === undefined) {
          expect(log.trim()).toBe("");
          return;
        }
        const texts = excerpt.entries.map(({ text }) => text);
        expect(texts.length).toBeLessThanOrEqual(excerptLinesMax);
        expect(texts.reduce((sum, text) => sum + bytesOf(text), 0)).toBeLessThanOrEqual(
          excerptBytesMax,
        );
        const isWhole = texts.length === lines.length && texts.at(-1) === lines.at(-1);
        expect(excerpt.cut).toBe(!isWhole);
        for (const [index, text] of texts.entries()) {
          const isLast = index === texts.length - 1;
          expect(isLast ? lines[index]?.startsWith(text) : lines[index] === text).toBe(true);
        }
      },
    ),
  );
});
