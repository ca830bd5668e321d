/**
 * Match throughput, build time, resident memory and recall of printed records, beside a linear scan of
 * all published patterns. usage: npm run -s bench -- match [--json] [--mb 64] [--sizes 1000,10000,25836,150000]
 *
 * Each size runs in a process of its own. The log is made here, seeded: 95 % noise lines in several
 * formats and levels, 5 % printed from records with random values.
 */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { type MatchRow, measureMatch } from "./support/measure-match.ts";

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    mb: { type: "string", default: "64" },
    sizes: { type: "string", default: "1000,10000,25836,150000" },
    row: { type: "string" },
  },
});

function runRow(size: number): MatchRow {
  const child = spawnSync(
    process.execPath,
    [
      "--expose-gc",
      "--import",
      "tsx",
      import.meta.filename,
      "--row",
      String(size),
      "--mb",
      values.mb,
    ],
    { encoding: "utf8", maxBuffer: 64 * 1024 * 1024, stdio: ["ignore", "pipe", "inherit"] },
  );
  if (child.status !== 0)
    throw new Error(`bench of ${size} records ended with status ${child.status ?? "none"}`);
  return JSON.parse(child.stdout) as MatchRow;
}

function printRow(row: MatchRow): void {
  const ratio = row.mb_per_s / row.linear_mb_per_s;
  console.log(
    [
      `${row.records} records: built in ${row.build_s.toFixed(2)} s, ${row.rss_mib.toFixed(0)} MiB resident`,
      `  ${row.mb_per_s.toFixed(1)} MB/s over ${row.log_mb.toFixed(0)} MB (linear scan of ${row.linear_records} patterns ${row.linear_mb_per_s.toFixed(4)} MB/s, ratio ${ratio.toFixed(0)})`,
      `  recall ${row.recall.toFixed(5)} at any score, ${row.recall_reported.toFixed(5)} at 0.5 or more, of ${row.printed} printed lines; ${row.vague} vague`,
      `  missed by format ${JSON.stringify(row.missed_by_format)}`,
      `  hostile text: worst doubling ${row.hostile_doubling.toFixed(2)}, worst ${row.hostile_per_byte.toFixed(1)} times ordinary text (${row.hostile_worst})`,
    ].join("\n"),
  );
}

if (values.row !== undefined) {
  console.log(JSON.stringify(measureMatch(Number(values.row), Number(values.mb))));
} else {
  const rows = values.sizes.split(",").map((size) => runRow(Number(size)));
  // With --json the object is all that stands on the standard output.
  if (values.json) console.log(JSON.stringify({ match: rows }));
  else rows.forEach(printRow);
}
