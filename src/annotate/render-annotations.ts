import type { Annotations, Labels, TimestampNs } from "../alert/alert.ts";
import type { AnnotationProfile } from "../alert/annotation-profile.ts";
import { type CatalogueRecord, classOf } from "../record/known-error.ts";
import type { Match } from "../record/match.ts";
import type { Recommendation } from "../record/recommendation.ts";
import type { AnnotationBudgets, AnnotationSettings } from "./annotation-settings.ts";
import { cutToBytes, utf8Bytes } from "./cut-text.ts";
import { fitCompact } from "./fit-compact.ts";
import { plainLine, plainText } from "./plain-text.ts";
import { spellRetry } from "./spell-retry.ts";
import { summarize } from "./summarize.ts";

/** What became of the alert, in the words of `error_outcome`; `skipped` renders nothing. */
export type AnnotatedOutcome =
  "matched" | "no_match" | "no_logs" | "logs_failed" | "deadline" | "skipped";

/** Links that exist; absent ones write no key. */
export interface AnnotationLinks {
  /** The episode's or record's page of Alertlore, absolute. */
  readonly page?: string;
  /** Explore link to the log lines, absolute. */
  readonly logs?: string;
}

/** All that annotations are made from. Texts of records and logs are taken for hostile. */
export interface AnnotationInput {
  readonly outcome: AnnotatedOutcome;
  /** Best first; the first is the primary match. */
  readonly matches: readonly Match[];
  readonly recordOf: (id: string) => CatalogueRecord | undefined;
  readonly recommendation: Recommendation | undefined;
  /** The alert's labels: they say where the error was seen. */
  readonly labels: Labels;
  /** The alert's own annotations, none of which is ever written over. */
  readonly annotations: Annotations;
  /** Redacted lines that show the primary match, in order; may be empty. */
  readonly logLines: readonly string[];
  /** Time of the last of these lines; `undefined` when the lines came without a time. */
  readonly lastSeenNs: TimestampNs | undefined;
  readonly links: AnnotationLinks;
  readonly settings: AnnotationSettings;
}

/** The alert's own name for a link to what to do, in the words of Prometheus' rules. */
const RUNBOOK_KEY = "runbook_url";

const ID_CHARS = 16;
const SHA_CHARS = 7;
const LOG_LINE_BYTES_MAX = 700;
const SOLUTION_BYTES_MAX = 500;
const NOTHING: Readonly<Record<AnnotationProfile, Annotations>> = { compact: {}, full: {} };

type Values = readonly (readonly [key: string, value: string])[];

/**
 * Renders the annotations of one firing alert for every profile, keys with the prefix. A key with
 * nothing to say is not there. `runbook_url`, without prefix, is there when someone who answers for the
 * record gave a link and the alert has none. Pure; never throws.
 */
export function renderAnnotations(
  input: AnnotationInput,
): Readonly<Record<AnnotationProfile, Annotations>> {
  const { outcome, matches, settings } = input;
  const { prefix, budgets, compactBytesMax } = settings;
  const match = matches[0];
  if (outcome === "skipped") return NOTHING;
  if (match === undefined) {
    if (!settings.outcomeWithoutMatch || outcome === "matched") return NOTHING;
    const said = cutToBytes(outcome, budgets.outcome);
    return { compact: {}, full: named([["outcome", said]], prefix) };
  }
  const entry = input.recordOf(match.recordId);
  const compact = compactValues(input, match, entry);
  const full = [...compact, ...fullValues(input, match, entry)];
  const runbook = runbookOf(input, entry);
  const keys = {
    summary: `${prefix}summary`,
    spare: [RUNBOOK_KEY, `${prefix}url`, `${prefix}record`, `${prefix}retry`],
  };
  return {
    compact: fitCompact({ ...named(compact, prefix), ...runbook }, keys, compactBytesMax),
    full: { ...named(full, prefix), ...runbook },
  };
}

/** The record's link where the alert has none of its own. */
function runbookOf(
  { annotations, settings }: AnnotationInput,
  entry: CatalogueRecord | undefined,
): Annotations {
  if (Object.hasOwn(annotations, RUNBOOK_KEY)) return {};
  const link = linkOf(entry?.runbookUrl ?? undefined, settings.budgets.runbookUrl);
  return link === "" ? {} : { [RUNBOOK_KEY]: link };
}

function compactValues(
  input: AnnotationInput,
  match: Match,
  entry: CatalogueRecord | undefined,
): Values {
  const { recommendation, labels, lastSeenNs } = input;
  const { budgets } = input.settings;
  return [
    [
      "summary",
      summarize({ match, entry, recommendation, labels, lastSeenNs, bytesMax: budgets.summary }),
    ],
    ["retry", retryOf(recommendation, budgets.retry)],
    ["record", recordOf(match, budgets.record)],
    ["url", linkOf(input.links.page, budgets.url)],
  ];
}

/** The id is kept whole: it is what the record is found by. */
function recordOf(match: Match, bytesMax: number): string {
  const id = plainLine(match.recordId).slice(0, ID_CHARS);
  const repo = cutToBytes(plainLine(match.repo), bytesMax - utf8Bytes(id) - 1);
  return repo === "" ? id : `${repo} ${id}`;
}

function fullValues(
  input: AnnotationInput,
  match: Match,
  entry: CatalogueRecord | undefined,
): Values {
  const { budgets } = input.settings;
  const reason = plainLine(input.recommendation?.reason ?? "");
  return [
    ["confidence", cutToBytes(confidenceOf(match), budgets.confidence)],
    ...(entry === undefined ? [] : recordValues(entry, budgets)),
    ["retry_reason", cutToBytes(reason, budgets.retryReason)],
    ["log", logOf(input.logLines, budgets.log)],
    ["logs_url", linkOf(input.links.logs, budgets.logsUrl)],
    ["outcome", cutToBytes(input.outcome, budgets.outcome)],
  ];
}

function recordValues({ record }: CatalogueRecord, max: AnnotationBudgets): Values {
  const sha = plainLine(record.analyzedSha).slice(0, SHA_CHARS);
  const source = linkOf(record.githubUrl, max.sourceUrl);
  return [
    ["class", cutToBytes(plainLine(classOf(record)), max.class)],
    ["repo", `${cutToBytes(plainLine(record.repo), max.repo - 1 - utf8Bytes(sha))}@${sha}`],
    ["explanation", cutToBytes(plainLine(record.documentation), max.explanation)],
    ["solutions", solutionsOf(record.solutions, max.solutions)],
    ["source_url", /^https?:\/\/github\.com\//.test(source) ? source : ""],
  ];
}

function retryOf(recommendation: Recommendation | undefined, bytesMax: number): string {
  return recommendation === undefined ? "" : cutToBytes(spellRetry(recommendation), bytesMax);
}

/** The band first, for programs; then what it rests on. */
function confidenceOf(match: Match): string {
  const score = Math.min(Math.max(match.score, 0), 1).toFixed(2);
  return `${match.confidence} (${match.kind}, score ${score})`;
}

function solutionsOf(solutions: readonly string[], bytesMax: number): string {
  const lines = solutions
    .map((solution) => cutToBytes(plainLine(solution), SOLUTION_BYTES_MAX))
    .filter(Boolean)
    .map((solution, index) => `${index + 1}. ${solution}`);
  return cutToBytes(lines.join("\n"), bytesMax);
}

function logOf(lines: readonly string[], bytesMax: number): string {
  const shown = lines
    .flatMap((line) => plainText(line).split("\n"))
    .map((line) => cutToBytes(line.trimEnd(), LOG_LINE_BYTES_MAX))
    .filter(Boolean);
  return cutToBytes(shown.join("\n"), bytesMax);
}

/** Host without credentials, then printable ASCII without what would end or hide a link in some text. */
const LINK = /^https?:\/\/[\w.[\]:-]+(?:[/?#][!#-;=?-[\]_a-z{|}~]*)?$/i;

function linkOf(url: string | undefined, bytesMax: number): string {
  if (url === undefined || url.length > bytesMax || url.includes("](")) return "";
  return LINK.test(url) ? url : "";
}

function named(values: Values, prefix: string): Annotations {
  return Object.fromEntries(
    values.filter(([, value]) => value !== "").map(([key, value]) => [prefix + key, value]),
  );
}
