import { fitsWildcard } from "./fit-wildcard.ts";
import { CONFIDENCES, ERROR_TYPES, SEVERITIES, STRATEGIES } from "./read-matchers.ts";
import type { RuleMatchers } from "./retry-rules.ts";

type Comparison = (one: RuleMatchers, other: RuleMatchers) => boolean;

/** A class and a repository are always there, so a matcher that is absent is as good as `*`. */
const ANY_TEXT: readonly string[] = ["*"];

/** For each matcher: whether whatever fits `inner` fits `outer` too. */
const COVERS: readonly Comparison[] = [
  (outer, inner) => hasAll(outer.strategy, inner.strategy ?? STRATEGIES),
  (outer, inner) => hasAll(outer.errorType, inner.errorType ?? ERROR_TYPES),
  (outer, inner) => coversPatterns(outer.errorClass, inner.errorClass ?? ANY_TEXT),
  (outer, inner) => coversPatterns(outer.family, inner.family),
  (outer, inner) => hasAll(outer.severity, inner.severity ?? SEVERITIES),
  (outer, inner) => coversStatuses(outer.httpStatus, inner.httpStatus),
  (outer, inner) => coversPatterns(outer.tags, inner.tags),
  (outer, inner) => coversPatterns(outer.repository, inner.repository ?? ANY_TEXT),
  (outer, inner) => hasAll(outer.record, inner.record),
  (outer, inner) => coversLabels(outer.labels, inner.labels),
  (outer, inner) => hasAll(outer.confidence, inner.confidence ?? CONFIDENCES),
  (outer, inner) => outer.curated === undefined || outer.curated === inner.curated,
];

/** For each matcher: whether one value can fit both. Tags are missing: a record has any number of them. */
const MEETS: readonly Comparison[] = [
  (one, other) => shareValue(one.strategy, other.strategy),
  (one, other) => shareValue(one.errorType, other.errorType),
  (one, other) => shareText(one.errorClass, other.errorClass),
  (one, other) => shareText(one.family, other.family),
  (one, other) => shareValue(one.severity, other.severity),
  (one, other) =>
    coversSomeStatus(one.httpStatus, other.httpStatus) ||
    coversSomeStatus(other.httpStatus, one.httpStatus),
  (one, other) => shareText(one.repository, other.repository),
  (one, other) => shareValue(one.record, other.record),
  (one, other) => shareLabels(one.labels, other.labels),
  (one, other) => shareValue(one.confidence, other.confidence),
  (one, other) =>
    one.curated === undefined || other.curated === undefined || one.curated === other.curated,
];

/**
 * Says whether every match that fits `inner` is sure to fit `outer`. `false` may also mean that it
 * could not be shown: each matcher is compared by itself, each pattern with one other.
 */
export function coversMatchers(outer: RuleMatchers, inner: RuleMatchers): boolean {
  return COVERS.every((covers) => covers(outer, inner));
}

/**
 * Says whether some match may fit both. `false` is certain; `true` may name a match that no catalogue
 * holds, for the matchers are compared one by one.
 */
export function matchersMeet(one: RuleMatchers, other: RuleMatchers): boolean {
  return MEETS.every((meets) => meets(one, other));
}

function hasAll<T>(outer: readonly T[] | undefined, inner: readonly T[] | undefined): boolean {
  if (outer === undefined) return true;
  return inner?.every((value) => outer.includes(value)) ?? false;
}

function coversPatterns(
  outer: readonly string[] | undefined,
  inner: readonly string[] | undefined,
): boolean {
  if (outer === undefined) return true;
  // Read as a text, the star of the inner pattern is a character that only a star of the outer takes,
  // and that star takes whatever the inner one stands for.
  return inner?.every((text) => outer.some((pattern) => fitsWildcard(pattern, text))) ?? false;
}

type Statuses = RuleMatchers["httpStatus"];

function coversStatuses(outer: Statuses, inner: Statuses): boolean {
  if (outer === undefined) return true;
  return inner?.every((status) => coversStatus(outer, status)) ?? false;
}

function coversSomeStatus(outer: Statuses, inner: Statuses): boolean {
  if (outer === undefined || inner === undefined) return true;
  return inner.some((status) => coversStatus(outer, status));
}

function coversStatus(outer: NonNullable<Statuses>, status: number | `${number}xx`): boolean {
  if (outer.includes(status)) return true;
  return typeof status === "number" && outer.includes(`${Math.floor(status / 100)}xx`);
}

function coversLabels(outer: RuleMatchers["labels"], inner: RuleMatchers["labels"]): boolean {
  const named = new Map(Object.entries(inner ?? {}));
  return Object.entries(outer ?? {}).every(([name, patterns]) =>
    coversPatterns(patterns, named.get(name)),
  );
}

function shareValue<T>(one: readonly T[] | undefined, other: readonly T[] | undefined): boolean {
  if (one === undefined || other === undefined) return true;
  return one.some((value) => other.includes(value));
}

function shareText(
  one: readonly string[] | undefined,
  other: readonly string[] | undefined,
): boolean {
  if (one === undefined || other === undefined) return true;
  return one.some((first) => other.some((second) => patternsMeet(first, second)));
}

function shareLabels(one: RuleMatchers["labels"], other: RuleMatchers["labels"]): boolean {
  const named = new Map(Object.entries(other ?? {}));
  return Object.entries(one ?? {}).every(([name, patterns]) =>
    shareText(patterns, named.get(name)),
  );
}

/** Says whether some text fits both patterns. */
function patternsMeet(one: string, other: string): boolean {
  if (!one.includes("*")) return fitsWildcard(other, one);
  if (!other.includes("*")) return fitsWildcard(one, other);
  // What lies between first and last star can stand side by side in one text, so only the ends count.
  const starts = [one, other].map((pattern) => pattern.slice(0, pattern.indexOf("*")));
  const ends = [one, other].map((pattern) => pattern.slice(pattern.lastIndexOf("*") + 1));
  const [start = "", otherStart = ""] = starts;
  const [end = "", otherEnd = ""] = ends;
  return (
    (start.startsWith(otherStart) || otherStart.startsWith(start)) &&
    (end.endsWith(otherEnd) || otherEnd.endsWith(end))
  );
}
