import fc from "fast-check";
import { expect, test } from "vitest";
import { markLine } from "../../../src/web/episodes/mark-line.ts";
import { buildMatch } from "../../support/build-match.ts";

const line = (text: string, column = 0) => ({ line: 0, column, timeMs: undefined, text });
const spans = (...places: readonly (readonly [number, number])[]) =>
  places.map(([start, end]) => ({ line: 0, start, end }));

test("literals and what stands before, between and behind them are told apart", () => {
  const match = buildMatch({ spans: spans([9, 15], [16, 20]), captures: ["7", "2", "full"] });
  const marked = markLine(line("ERROR 7: of 20 2 is full!"), [
    { ...match, spans: spans([8, 15], [16, 20]), captures: ["7:", "2", "full"] },
  ]);
  expect(marked.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    "plain ERROR ",
    "capture 7:",
    "literal  of 20 ",
    "capture 2",
    "literal  is ",
    "capture full",
    "plain !",
  ]);
});

test("a line that is cut to a window is marked where the window shows it", () => {
  const match = buildMatch({ spans: spans([98, 103], [105, 400]), captures: [] });
  expect(markLine(line("abcdefgh", 100), [match])).toEqual([
    { kind: "literal", text: "abc" },
    { kind: "capture", text: "de" },
    { kind: "literal", text: "fgh" },
  ]);
});

test("segments joined are the line, whatever is marked", () => {
  const place = fc
    .tuple(fc.nat(60), fc.nat(60))
    .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
  fc.assert(
    fc.property(
      fc.string({ maxLength: 50 }),
      fc.array(place),
      fc.array(fc.string()),
      (text, places, captures) => {
        const marked = markLine(line(text, 3), [buildMatch({ spans: spans(...places), captures })]);
        expect(marked.map((segment) => segment.text).join("")).toBe(text);
      },
    ),
  );
});
