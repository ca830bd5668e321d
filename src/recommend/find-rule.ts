import type { Labels } from "../alert/alert.ts";
import { type CatalogueRecord, classOf, isCurated } from "../record/known-error.ts";
import type { Match } from "../record/match.ts";
import { fitsWildcard } from "./fit-wildcard.ts";
import type { RetryRule, RuleMatchers } from "./retry-rules.ts";

/** What a rule looks at: one match, its record, and the labels of the alert. */
export interface RuleSubject {
  readonly match: Pick<Match, "confidence">;
  readonly entry: CatalogueRecord;
  readonly labels: Labels;
}

type Test = (matchers: RuleMatchers, subject: RuleSubject) => boolean;

/** One test for each matcher; a matcher that is absent holds. */
const TESTS: readonly Test[] = [
  (m, s) => isOneOf(m.strategy, s.entry.record.handlingStrategy ?? "none"),
  (m, s) => isOneOf(m.errorType, s.entry.record.errorType),
  (m, s) => fitsOneOf(m.errorClass, [classOf(s.entry.record)]),
  (m, s) => fitsOneOf(m.family, optional(s.entry.record.backgroundTag)),
  (m, s) => isOneOf(m.severity, s.entry.record.severity),
  (m, s) => hasStatus(m.httpStatus, s.entry.record.httpStatus),
  (m, s) => fitsOneOf(m.tags, s.entry.record.tags),
  (m, s) => fitsOneOf(m.repository, [s.entry.record.repo]),
  (m, s) => isOneOf(m.record, s.entry.record.id),
  (m, s) => hasLabels(m.labels, s.labels),
  (m, s) => isOneOf(m.confidence, s.match.confidence),
  (m, s) => m.curated === undefined || m.curated === isCurated(s.entry),
];

/** Finds the first rule that fits, or `undefined` when none does. */
export function findRule(rules: readonly RetryRule[], subject: RuleSubject): RetryRule | undefined {
  return rules.find((rule) => fitsRule(rule.match, subject));
}

/** Says whether every matcher that is there holds. */
export function fitsRule(matchers: RuleMatchers, subject: RuleSubject): boolean {
  return TESTS.every((test) => test(matchers, subject));
}

function isOneOf<T>(wanted: readonly T[] | undefined, value: T): boolean {
  return wanted === undefined || wanted.includes(value);
}

function fitsOneOf(patterns: readonly string[] | undefined, values: readonly string[]): boolean {
  if (patterns === undefined) return true;
  return patterns.some((pattern) => values.some((value) => fitsWildcard(pattern, value)));
}

function hasStatus(wanted: RuleMatchers["httpStatus"], status: number | null): boolean {
  if (wanted === undefined) return true;
  if (status === null) return false;
  return wanted.includes(status) || wanted.includes(`${Math.floor(status / 100)}xx`);
}

function hasLabels(wanted: RuleMatchers["labels"], labels: Labels): boolean {
  if (wanted === undefined) return true;
  return Object.entries(wanted).every(([name, patterns]) => {
    if (!Object.hasOwn(labels, name)) return false;
    return fitsOneOf(patterns, optional(labels[name]));
  });
}

function optional(value: string | null | undefined): readonly string[] {
  return value === null || value === undefined ? [] : [value];
}
