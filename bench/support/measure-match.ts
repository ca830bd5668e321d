import { excerptOfLines } from "../../src/enrich/explain-case.ts";
import { type Catalogue, compileCatalogue } from "../../src/match/compile-catalogue.ts";
import { parseExcerpt } from "../../src/parse/parse-excerpt.ts";
import type { CatalogueRecord, KnownError } from "../../src/record/known-error.ts";
import type { Match } from "../../src/record/match.ts";
import { createRandom } from "../../test/support/seeded-random.ts";
import { LOG_FORMATS } from "./log-formats.ts";
import { matchLines } from "./match-lines.ts";
import { makeExcerpts, printRecord } from "./make-log.ts";
import { measureHostile } from "./measure-hostile.ts";
import { growRecords, readDataset, sampleRecords } from "./read-records.ts";

/** Figures of one catalogue size. */
export interface MatchRow {
  readonly records: number;
  readonly build_s: number;
  readonly rss_mib: number;
  readonly log_mb: number;
  readonly mb_per_s: number;
  readonly linear_mb_per_s: number;
  readonly linear_records: number;
  readonly recall: number;
  readonly recall_reported: number;
  readonly printed: number;
  readonly vague: number;
  readonly missed_by_format: Readonly<Record<string, number>>;
  readonly hostile_doubling: number;
  readonly hostile_per_byte: number;
  readonly hostile_worst: string;
}

const LINEAR_BYTES = 200_000;
const LINEAR_RECORDS_MAX = 25_836;
/** Records whose lines are printed for the recall of one row. */
const PRINTED_RECORDS_MAX = 30_000;

function wrap(record: KnownError): CatalogueRecord {
  return {
    record,
    origin: "dataset",
    loadedFrom: "bench",
    overlays: [],
    overrides: [],
    runbookUrl: null,
  };
}

function secondsOf(work: () => void): number {
  const start = performance.now();
  work();
  return (performance.now() - start) / 1000;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Measures one catalogue size; to be called in a fresh process. */
export function measureMatch(size: number, logMb: number): MatchRow {
  const dataset = readDataset();
  if (dataset.length === 0) throw new Error("no dataset beside the repository: nothing to measure");
  const records = size > dataset.length ? growRecords(dataset, size) : sampleRecords(dataset, size);
  const wrapped = records.map(wrap);
  let catalogue: Catalogue | undefined;
  const build_s = secondsOf(() => {
    catalogue = compileCatalogue(wrapped, "bench");
  });
  if (catalogue === undefined) throw new Error("nothing was built");
  const rss_mib = process.memoryUsage.rss() / 2 ** 20;
  const vague = new Set(catalogue.vague.map((each) => each.recordId));
  const usable = records.filter((each) => !vague.has(each.id));
  const mb_per_s = measureThroughput(catalogue, usable, logMb);
  const recall = measureRecall(catalogue, usable.slice(0, PRINTED_RECORDS_MAX));
  const hostile = measureHostile(catalogue, usable);
  return {
    records: size,
    build_s,
    rss_mib,
    log_mb: logMb,
    ...mb_per_s,
    ...recall,
    vague: vague.size,
    ...hostile,
  };
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

type Throughput = Pick<MatchRow, "mb_per_s" | "linear_mb_per_s" | "linear_records">;

function measureThroughput(
  catalogue: Catalogue,
  usable: readonly KnownError[],
  logMb: number,
): Throughput {
  const excerpts = makeExcerpts(usable, logMb * 1_000_000, 7);
  const bytes = excerpts.reduce((sum, lines) => sum + lengthOf(lines), 0);
  excerpts.slice(0, 50).forEach((lines) => matchLines(catalogue, lines, 0.5));
  const runs = [1, 2, 3].map(
    () =>
      bytes /
      1e6 /
      secondsOf(() => {
        for (const lines of excerpts) matchLines(catalogue, lines, 0.5);
      }),
  );
  const linear = measureLinear(usable, excerpts);
  return { mb_per_s: median(runs), ...linear };
}

/** Every published pattern compiled once, tried on every view of a seeded sample: what a loop over patterns has to do for the same answer. */
function measureLinear(
  records: readonly KnownError[],
  excerpts: readonly (readonly string[])[],
): Pick<Throughput, "linear_mb_per_s" | "linear_records"> {
  const patterns = records
    .slice(0, LINEAR_RECORDS_MAX)
    .map((each) => new RegExp(each.messagePattern));
  const views: string[] = [];
  let bytes = 0;
  for (const lines of excerpts) {
    if (bytes >= LINEAR_BYTES) break;
    bytes += lengthOf(lines);
    views.push(...parseExcerpt(excerptOfLines(lines)).views.map((each) => each.text));
  }
  let hits = 0;
  const seconds = secondsOf(() => {
    for (const view of views) for (const pattern of patterns) if (pattern.test(view)) hits += 1;
  });
  if (hits === 0) throw new Error("the linear scan found nothing at all");
  return { linear_mb_per_s: bytes / 1e6 / seconds, linear_records: patterns.length };
}

type Recall = Pick<MatchRow, "recall" | "recall_reported" | "printed" | "missed_by_format">;

/** Prints each record in each format on a line of its own and looks for it or an alternative. */
function measureRecall(catalogue: Catalogue, records: readonly KnownError[]): Recall {
  const random = createRandom(11);
  const missed: Record<string, number> = {};
  let printed = 0;
  let found = 0;
  let reported = 0;
  records.forEach((record, number) => {
    for (const [name, format] of Object.entries(LOG_FORMATS)) {
      const line = format({ level: "ERROR", text: printRecord(record, random), number });
      const match = matchLines(catalogue, line.split("\n"), 0).find((each) => isOf(each, record));
      printed += 1;
      if (match === undefined) {
        missed[name] = (missed[name] ?? 0) + 1;
        if (process.env["BENCH_MISSES"] === "1")
          console.error(
            `missed ${name} ${record.repo} ${JSON.stringify(record.errorMessage)} in ${JSON.stringify(line)}`,
          );
      } else {
        found += 1;
        if (match.score >= 0.5) reported += 1;
      }
    }
  });
  return {
    recall: found / printed,
    recall_reported: reported / printed,
    printed,
    missed_by_format: missed,
  };
}

function isOf(match: Match, record: KnownError): boolean {
  return match.recordId === record.id || match.alternatives.some((each) => each.id === record.id);
}
