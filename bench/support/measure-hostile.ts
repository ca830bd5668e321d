import type { Catalogue } from "../../src/match/compile-catalogue.ts";
import type { KnownError } from "../../src/record/known-error.ts";
import { makeExcerpts } from "./make-log.ts";
import { matchLines } from "./match-lines.ts";

const SIZE = 64 * 1024;

/** Texts that would be dear to a careless matcher, each of about `size` characters. */
function hostileTexts(
  records: readonly KnownError[],
  size: number,
): Readonly<Record<string, string>> {
  const long =
    records.map((each) => each.errorMessage).sort((a, b) => b.length - a.length)[40] ?? "failed";
  const repeat = (text: string): string =>
    text.repeat(Math.ceil(size / text.length)).slice(0, size);
  const gapped =
    records.find((each) => (each.errorMessage.match(/\{\}|%s/g) ?? []).length >= 3)?.errorMessage ??
    "a";
  return {
    "one letter": repeat("a"),
    "one bracket": repeat("{"),
    quotes: repeat('"'),
    backslashes: repeat("\\"),
    "deep json": `${'{"a":'.repeat(Math.floor(size / 6))}1`,
    "escaped quotes": `msg="${repeat('\\"')}"`,
    "broken unicode": repeat("\ud800\ufffd"),
    "literal without its end": repeat(`${long.slice(0, Math.floor(long.length * 0.7))} `),
    "first literal only": repeat(gapped.slice(0, Math.max(8, gapped.search(/\{\}|%s/)))),
    "common words": repeat("failed to get not found invalid error: "),
    "key value": repeat("error=failed to "),
    "numbered list": repeat("1: failed: \n"),
    escapes: repeat("\u001b[3"),
  };
}

/** Fastest of several runs: a floor is steadier than a mean on a shared machine. */
function fastestMs(catalogue: Catalogue, text: string): number {
  const lines = text.split("\n");
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 5; i += 1) {
    const start = performance.now();
    matchLines(catalogue, lines, 0.5);
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

export interface HostileFigures {
  /** Worst factor in time when the text is doubled. */
  readonly hostile_doubling: number;
  /** Worst time a byte, in times of ordinary log text. */
  readonly hostile_per_byte: number;
  readonly hostile_worst: string;
}

/** Measures hostile texts of 64 KiB and of twice that beside ordinary text of the bench's log. */
export function measureHostile(
  catalogue: Catalogue,
  records: readonly KnownError[],
): HostileFigures {
  const ordinary = makeExcerpts(records, 1_000_000, 3).flat().join("\n");
  const ordinaryPerByte = fastestMs(catalogue, ordinary) / ordinary.length;
  const once = hostileTexts(records, SIZE);
  const twice = hostileTexts(records, SIZE * 2);
  let doubling = 0;
  let perByte = 0;
  let worst = "";
  for (const [name, text] of Object.entries(once)) {
    const first = fastestMs(catalogue, text);
    const second = fastestMs(catalogue, twice[name] ?? "");
    doubling = Math.max(doubling, second / first);
    const relative = second / (SIZE * 2) / ordinaryPerByte;
    if (process.env["BENCH_MISSES"] === "1")
      console.error(
        `hostile ${name}: ${first.toFixed(2)} ms, doubled ${second.toFixed(2)} ms, ${relative.toFixed(1)} times ordinary`,
      );
    if (relative > perByte) [perByte, worst] = [relative, name];
  }
  return { hostile_doubling: doubling, hostile_per_byte: perByte, hostile_worst: worst };
}
