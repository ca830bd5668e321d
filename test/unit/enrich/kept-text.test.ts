import { describe, expect, it } from "vitest";
import { keepExcerpt } from "../../../src/enrich/keep-excerpt.ts";
import { findUnmatchedText } from "../../../src/enrich/unmatched-text.ts";
import type { Excerpt } from "../../../src/log/excerpt.ts";
import { buildMatch } from "../../support/build-match.ts";

function excerptOf(...texts: readonly string[]): Excerpt {
  const entries = texts.map((text, index) => ({
    timestampNs: BigInt(index) * 1_000_000_000n,
    text,
    stream: "s",
  }));
  return { entries, provenance: "pinned", cut: false };
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`);
const matchAt = (line: number, start = 0) =>
  buildMatch({ line, spans: [{ line, start, end: start + 4 }] });

describe("what is kept of an excerpt", () => {
  it("is the lines of matches with three lines round them", () => {
    const kept = keepExcerpt(excerptOf(...numbered(100)), [matchAt(50), matchAt(2)]);
    expect(kept.lines.map(({ line }) => line)).toEqual([
      0, 1, 2, 3, 4, 5, 47, 48, 49, 50, 51, 52, 53,
    ]);
    expect(kept.linesTotal).toBe(100);
    expect(kept.lines[0]).toEqual({ line: 0, column: 0, timeMs: 0, text: "line 0" });
  });

  it("is the newest lines when nothing was recognised", () => {
    const kept = keepExcerpt(excerptOf("a\nb", ...numbered(20)), []);
    expect(kept.lines).toHaveLength(12);
    expect(kept.lines.at(-1)).toMatchObject({ line: 21, timeMs: 20_000, text: "line 19" });
  });

  it("stays small, and shows the match of a line of a megabyte", () => {
    const long = "x".repeat(500_000) + "here it is" + "y".repeat(500_000);
    const kept = keepExcerpt(excerptOf(long, ...Array<string>(300).fill("z".repeat(3000))), [
      matchAt(0, 500_000),
    ]);
    expect(kept.lines[0]?.column).toBe(499_800);
    expect(kept.lines[0]?.text).toContain("here it is");
    expect(JSON.stringify(kept).length).toBeLessThan(16_000);
  });
});

describe("the shape of a text without a match", () => {
  it.each([
    [
      "2026-12-01T12:00:01Z ERROR app::db: pool 7 exhausted after 30s for 'orders'",
      "pool {} exhausted after {} for '{}'",
    ],
    [
      '{"level":"error","ts":1,"msg":"dial tcp 10.1.2.3:5432: connection refused","n":{"a":1}}',
      "dial tcp {}: connection refused",
    ],
    [
      'level=error msg="cannot open /var/lib/x/y.db: id 5f3a9c1e77 is gone" component=db',
      "cannot open {}: id {} is gone",
    ],
    [
      "E1201 12:00:01.123456   17 leader.go:42] lost lease 3fa85f64-5717-4562-b3fc-2c963f66afa6",
      "lost lease {}",
    ],
    ["panicked with {braces} and ${more}", "panicked with braces and $ more"],
    ["GET https://x.test/a?b=1 failed", "GET {} failed"],
  ])("of %j is %j", (line, shape) => {
    expect(findUnmatchedText(excerptOf("INFO all is well here", line, "INFO bye bye"))).toEqual({
      shape,
      sample: line,
    });
  });

  it("is nothing where there are no words", () => {
    expect(findUnmatchedText(excerptOf("", "12 34", "--"))).toBeUndefined();
  });

  it("is bounded and found in time linear in the text", () => {
    const hostile = [
      "a.".repeat(500_000),
      "'".repeat(500_000),
      "a:".repeat(500_000),
      "0".repeat(500_000),
    ];
    for (const text of hostile) {
      const found = findUnmatchedText(excerptOf(`ERROR failed ${text}`));
      expect(found?.shape.length ?? 0).toBeLessThanOrEqual(300);
      expect(found?.sample.length ?? 0).toBeLessThanOrEqual(600);
    }
  });
});
