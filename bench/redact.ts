import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Excerpt } from "../src/log/excerpt.ts";
import { redactExcerpt } from "../src/redact/redact-excerpt.ts";
import { REDACT_DEFAULTS } from "../src/redact/redact-options.ts";
import { redactText } from "../src/redact/redact-text.ts";

// Throughput on ordinary log text beside one expression for all that is looked for, and the growth of
// the time when hostile text is doubled. Exits 1 when doubling takes more than 2.5 times.

const MEGABYTE = 1_000_000;
const TEXT_BYTES = 64 * MEGABYTE;
const HOSTILE_LENGTH = 65_536;
const GROWTH_MAX = 2.5;
const RUNS = 3;
const EXCERPT_LINES = 20;

const PLAIN_LINES = [
  "2026-03-11T08:14:22.918273645Z  INFO risingwave_meta::barrier: new barrier enqueued epoch=7891234567891234",
  "level=info ts=2026-03-11T08:14:22.918Z caller=metrics.go:159 component=querier latency=fast query_hash=3185838123 status=200 duration=12.3ms",
  "I0311 08:14:22.918273   12345 controller.go:116] Reconciling pod default/payments-7d9f8b6c5d-x2x4z, requeue in 30s",
  '{"level":"error","ts":1773230580.123,"logger":"raft","msg":"failed to send","peer":"10.0.12.7:2380","error":"dial tcp: connection refused"}',
  "[2026-03-11 08:14:22,918] WARN [Consumer clientId=c-1, groupId=g] Offset commit failed on partition t-3 at offset 182736: timed out",
  "GET https://api.example.com/v1/items/550e8400-e29b-41d4-a716-446655440000?page=2 200 12ms trace=4bf92f3577b34da6a3ce929d0e0e4736",
];

/** One secret in about a hundred lines, as ordinary logs have them at worst. */
const SECRET_LINE =
  "level=debug user=bob@example.com token=abc123def456 dsn=postgres://u:p@db:5432/x";

const HOSTILE: Readonly<Record<string, (length: number) => string>> = {
  "one letter": (length) => "a".repeat(length),
  "one digit": (length) => "4".repeat(length),
  ...repeated("=", ":", "@", '"', "\\", ".", "-", " ", "\n"),
  ...repeated("password=", 'password="', "password: ", "a token: ", "token:", "tokentoken"),
  ...repeated("cookie: ", "cookie:", "authorization:", "authorization: ", "secret=/"),
  ...repeated("pwd=/", "Bearer ", "basic a", "eyJ", "eyJ.", "sk-", "sk-a", "ghp_", "npm_a"),
  ...repeated("AKIA", "://", "://a:b/", "a:b@", "a@b.", "@", "://a@", "4111 ", "4111-1111-"),
  ...repeated("-----BEGIN PRIVATE KEY-----", "-----BEGIN ", "-----BEGIN PRIVATE KEY-----\nMII\n"),
  ...repeated(
    "identified by '\n",
    'token: "',
    'a token: "b ',
    '\\"password\\":\\"',
    "key=",
    "password=",
  ),
  ...repeated(
    "AKIAIOSFODNN7EXAMPLE ",
    "xoxb-",
    "password={",
    "password=(",
    "token=,a",
    'cookie: a="',
  ),
};

function repeated(...parts: readonly string[]): Record<string, (length: number) => string> {
  return Object.fromEntries(
    parts.map((part) => [
      JSON.stringify(part),
      (length: number) => part.repeat(Math.ceil(length / part.length)).slice(0, length),
    ]),
  );
}

function ordinaryLines(): readonly string[] {
  const shared =
    process.env["ALERTLORE_SHARED"] ?? path.resolve(import.meta.dirname, "../../shared");
  const corpus = path.join(shared, "corpus/cases.jsonl");
  const extra = existsSync(corpus)
    ? readFileSync(corpus, "utf8")
        .trim()
        .split("\n")
        .flatMap((line) => (JSON.parse(line) as { excerpt: string[] }).excerpt)
    : [];
  const base = [...PLAIN_LINES, ...extra];
  const lines: string[] = [];
  let bytes = 0;
  for (let at = 0; bytes < TEXT_BYTES; at += 1) {
    const line = at % 100 === 99 ? SECRET_LINE : (base[at % base.length] ?? "");
    // A line of its own, as a log source hands it over, and not a shared one that is already flat.
    lines.push(Buffer.from(line).toString());
    bytes += line.length + 1;
  }
  return lines;
}

/** Processor time, so that what else runs on the machine does not count. */
function secondsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000_000;
}

function medianOf(measure: () => number): number {
  const figures = Array.from({ length: RUNS }, measure).sort((one, other) => one - other);
  return figures[Math.floor(RUNS / 2)] ?? 0;
}

const ALL_IN_ONE =
  /(?:pass(?:word|wd)?|pwd|secret|token|api_?key)["']?\s*[=:]\s*\S+|bearer \S+|:\/\/[^\s:]+:[^\s@]+@|eyJ[\w-]+\.|A[KS]IA[A-Z0-9]{16}|gh[a-z]_\w{20,}|-----BEGIN|[\w.+-]+@[\w-]+\.[\w.-]+|\b\d{4}[ -]?\d{4}[ -]?\d{4}[ -]?\d{4}\b/gi;

function benchThroughput(): void {
  const lines = ordinaryLines();
  const excerpts = excerptsOf(lines);
  const speedOf = (work: () => void) => TEXT_BYTES / MEGABYTE / medianOf(() => secondsOf(work));
  const byExcerpt = speedOf(() => {
    for (const excerpt of excerpts) redactExcerpt(excerpt, REDACT_DEFAULTS);
  });
  const byLine = speedOf(() => {
    for (const line of lines) redactText(line);
  });
  const base = speedOf(() => {
    for (const line of lines) line.replaceAll(ALL_IN_ONE, "***");
  });
  console.log(`excerpts of ${EXCERPT_LINES} lines   ${byExcerpt.toFixed(1)} MB/s`);
  console.log(`single lines           ${byLine.toFixed(1)} MB/s`);
  console.log(`one expression         ${base.toFixed(1)} MB/s`);
  console.log(`excerpts to expression ${(byExcerpt / base).toFixed(2)}`);
}

function excerptsOf(lines: readonly string[]): readonly Excerpt[] {
  const excerpts: Excerpt[] = [];
  for (let at = 0; at < lines.length; at += EXCERPT_LINES) {
    const entries = lines
      .slice(at, at + EXCERPT_LINES)
      .map((text) => ({ timestampNs: undefined, text, stream: "" }));
    excerpts.push({ entries, provenance: "pinned", cut: false });
  }
  return excerpts;
}

/** Four doublings at once, and enough rounds that a clock tick does not matter. */
function growthOf(make: (length: number) => string): { growth: number; speed: number } {
  const measure = (text: string, rounds: number) =>
    secondsOf(() => {
      for (let round = 0; round < rounds; round += 1) redactText(text);
    }) / rounds;
  const small = make(HOSTILE_LENGTH);
  const large = make(16 * HOSTILE_LENGTH);
  const once = Math.max(measure(small, 4), 1e-6);
  const rounds = Math.min(Math.max(Math.ceil(0.05 / once), 4), 2000);
  const before = medianOf(() => measure(small, rounds));
  const after = medianOf(() => measure(large, Math.ceil(rounds / 16)));
  return { growth: (after / before) ** 0.25, speed: HOSTILE_LENGTH / MEGABYTE / before };
}

function benchGrowth(): void {
  let worst = 0;
  for (const [name, make] of Object.entries(HOSTILE)) {
    const { growth, speed } = growthOf(make);
    if (growth > GROWTH_MAX) process.exitCode = 1;
    worst = Math.max(worst, growth);
    const figures = `${speed.toFixed(1).padStart(8)} MB/s   doubling takes ${growth.toFixed(2)}`;
    console.log(`${name.padEnd(36)} ${figures}`);
  }
  console.log(`worst growth      ${worst.toFixed(2)} (at most ${GROWTH_MAX})`);
}

benchThroughput();
benchGrowth();
