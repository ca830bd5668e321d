import type { Annotations, Labels, TimestampNs } from "../alert/alert.ts";
import type { AnnotationProfile } from "../alert/annotation-profile.ts";
import { type CatalogueRecord, classOf } from "../record/known-error.ts";
import type { Match } from "../record/match.ts";
import type { Recommendation } from "../record/recommendation.ts";
import { cutToBytes, utf8Bytes } from "./cut-text.ts";
import { plainLine, plainText } from "./plain-text.ts";
import { spellRetry } from "./spell-retry.ts";
import { summarize } from "./summarize.ts";

/** What became of the alert, in the words of `error_outcome`; `skipped` renders nothing. */
export type AnnotatedOutcome =
  "matched" | "no_match" | "no_logs" | "logs_failed" | "deadline" | "skipped";

/** Settings of the operator. */
export interface AnnotationSettings {
  /** Put before every key; letters, digits and `_`, starting with a letter, at most 32 characters. */
  readonly prefix: string;
  /** Whether `error_outcome` is written when nothing was recognised. */
  readonly outcomeWithoutMatch: boolean;
}

/** What holds where the operator says nothing. */
export const ANNOTATION_DEFAULTS: AnnotationSettings = {
  prefix: "error_",
  outcomeWithoutMatch: false,
};

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
  /** Redacted lines that show the primary match, in order; may be empty. */
  readonly logLines: readonly string[];
  /** Time of the last of these lines; `undefined` when the lines came without a time. */
  readonly lastSeenNs: TimestampNs | undefined;
  readonly links: AnnotationLinks;
  readonly settings: AnnotationSettings;
}

/** Bytes of UTF-8 that each value may take; a link that does not fit is left out, not cut. */
export const ANNOTATION_BYTES_MAX = {
  retry: 120,
  record: 160,
  url: 400,
  class: 128,
  confidence: 64,
  repo: 160,
  explanation: 1200,
  solutions: 2000,
  retry_reason: 600,
  log: 2000,
  source_url: 512,
  logs_url: 2048,
} as const;

/** Bytes of all keys and values of the profile `compact` together. */
export const COMPACT_BYTES_MAX = 1024;

const LOG_LINE_BYTES_MAX = 700;
const SOLUTION_BYTES_MAX = 500;
const NOTHING: Readonly<Record<AnnotationProfile, Annotations>> = { compact: {}, full: {} };

type Values = readonly (readonly [key: string, value: string])[];

/**
 * Renders the annotations of one firing alert for every profile, keys with the prefix. A key with
 * nothing to say is not there. Pure; never throws.
 */
export function renderAnnotations(
  input: AnnotationInput,
): Readonly<Record<AnnotationProfile, Annotations>> {
  const { outcome, matches, settings } = input;
  const match = matches[0];
  if (outcome === "skipped") return NOTHING;
  if (match === undefined) {
    if (!settings.outcomeWithoutMatch || outcome === "matched") return NOTHING;
    return { compact: {}, full: named([["outcome", outcome]], settings.prefix) };
  }
  const entry = input.recordOf(match.recordId);
  const compact = compactValues(input, match, entry);
  const full = [...compact, ...fullValues(input, match, entry)];
  return {
    compact: withinTotal(named(compact, settings.prefix), `${settings.prefix}url`),
    full: named(full, settings.prefix),
  };
}

function compactValues(
  input: AnnotationInput,
  match: Match,
  entry: CatalogueRecord | undefined,
): Values {
  const { recommendation, labels, lastSeenNs } = input;
  const id = plainLine(match.recordId).slice(0, 16);
  const repoBytesMax = ANNOTATION_BYTES_MAX.record - utf8Bytes(id) - 1;
  return [
    ["summary", summarize({ match, entry, recommendation, labels, lastSeenNs })],
    ["retry", retryOf(recommendation)],
    ["record", `${cutToBytes(plainLine(match.repo), repoBytesMax)} ${id}`],
    ["url", linkOf(input.links.page, ANNOTATION_BYTES_MAX.url)],
  ];
}

function fullValues(
  input: AnnotationInput,
  match: Match,
  entry: CatalogueRecord | undefined,
): Values {
  const reason = plainLine(input.recommendation?.reason ?? "");
  return [
    ["confidence", confidenceOf(match)],
    ...(entry === undefined ? [] : recordValues(entry)),
    ["retry_reason", cutToBytes(reason, ANNOTATION_BYTES_MAX.retry_reason)],
    ["log", logOf(input.logLines)],
    ["logs_url", linkOf(input.links.logs, ANNOTATION_BYTES_MAX.logs_url)],
    ["outcome", input.outcome],
  ];
}

function recordValues({ record }: CatalogueRecord): Values {
  const max = ANNOTATION_BYTES_MAX;
  const sha = plainLine(record.analyzedSha).slice(0, 7);
  const source = linkOf(record.githubUrl, max.source_url);
  return [
    ["class", cutToBytes(plainLine(classOf(record)), max.class)],
    ["repo", `${cutToBytes(plainLine(record.repo), max.repo - 1 - utf8Bytes(sha))}@${sha}`],
    ["explanation", cutToBytes(plainLine(record.documentation), max.explanation)],
    ["solutions", solutionsOf(record.solutions)],
    ["source_url", /^https?:\/\/github\.com\//.test(source) ? source : ""],
  ];
}

function retryOf(recommendation: Recommendation | undefined): string {
  if (recommendation === undefined) return "";
  return cutToBytes(spellRetry(recommendation), ANNOTATION_BYTES_MAX.retry);
}

/** The band first, for programs; then what it rests on. */
function confidenceOf(match: Match): string {
  const score = Math.min(Math.max(match.score, 0), 1).toFixed(2);
  return `${match.confidence} (${match.kind}, score ${score})`;
}

function solutionsOf(solutions: readonly string[]): string {
  const lines = solutions
    .map((solution) => cutToBytes(plainLine(solution), SOLUTION_BYTES_MAX))
    .filter(Boolean)
    .map((solution, index) => `${index + 1}. ${solution}`);
  return cutToBytes(lines.join("\n"), ANNOTATION_BYTES_MAX.solutions);
}

function logOf(lines: readonly string[]): string {
  const shown = lines
    .flatMap((line) => plainText(line).split("\n"))
    .map((line) => cutToBytes(line.trimEnd(), LOG_LINE_BYTES_MAX))
    .filter(Boolean);
  return cutToBytes(shown.join("\n"), ANNOTATION_BYTES_MAX.log);
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

/** Leaves the link out when a long prefix leaves no room for it; the rest always fits. */
function withinTotal(annotations: Annotations, urlKey: string): Annotations {
  const bytes = Object.entries(annotations).reduce(
    (sum, [key, value]) => sum + utf8Bytes(key) + utf8Bytes(value),
    0,
  );
  if (bytes <= COMPACT_BYTES_MAX) return annotations;
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => key !== urlKey));
}
