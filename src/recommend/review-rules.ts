import { coversMatchers, matchersMeet } from "./compare-matchers.ts";
import { CONFIDENCES, ERROR_TYPES, SEVERITIES, STRATEGIES } from "./read-matchers.ts";
import type { RetryRule, RuleMatchers } from "./retry-rules.ts";
import type { RuleFault } from "./rule-fields.ts";

const NAMES_SHOWN_MAX = 5;

/** What can be said about sound rules beside one another. */
export interface RulesReview {
  /** One for each rule that can never decide. Such a rule does no harm, but somebody relies on it. */
  readonly dead: readonly RuleFault[];
  /** One for each rule that overlaps with earlier ones which decide otherwise. Often meant so. */
  readonly overlaps: readonly RuleFault[];
  /** How many pairs of rules `overlaps` tells of. */
  readonly overlapping: number;
}

/**
 * Finds the rules that earlier ones leave nothing to, and those that share matches with earlier ones
 * while neither covers the other, so that the order of the file decides.
 *
 * A rule that is called dead is. Not every dead rule is found: the matches that it fits are split by
 * the values of one matcher at a time, and an earlier rule must cover each part as a whole.
 *
 * @param rules - As `validateRetryRules` gives them: paths count them as the file does.
 */
export function reviewRules(rules: readonly RetryRule[]): RulesReview {
  const dead = new Map(
    rules.flatMap((rule, index) => {
      const cover = findCover(rule.match, rules.slice(0, index));
      return cover.length === 0 ? [] : [[index, cover] as const];
    }),
  );
  const overlaps = rules.map((rule, index) =>
    dead.has(index) ? [] : rules.slice(0, index).filter((earlier) => overlap(earlier, rule)),
  );
  return {
    dead: [...dead].map(([index, cover]) => ({
      path: `rules[${index}]`,
      message: tellCover(cover),
    })),
    overlaps: overlaps.flatMap((earlier, index) =>
      earlier.length === 0 ? [] : [{ path: `rules[${index}]`, message: tellOverlap(earlier) }],
    ),
    overlapping: overlaps.reduce((sum, earlier) => sum + earlier.length, 0),
  };
}

/** The earlier rules that between them fit whatever fits the matchers; empty when they do not. */
function findCover(match: RuleMatchers, earlier: readonly RetryRule[]): readonly RetryRule[] {
  for (const parts of [[match], ...waysToSplit(match)]) {
    const covering = new Set<RetryRule>();
    const covered = parts.every((part) => {
      const rule = earlier.find((one) => coversMatchers(one.match, part));
      if (rule !== undefined) covering.add(rule);
      return rule !== undefined;
    });
    if (covered) return [...covering];
  }
  return [];
}

/** Each way: matchers that between them fit exactly what the given ones fit. */
function waysToSplit(match: RuleMatchers): readonly (readonly RuleMatchers[])[] {
  const { errorClass, family, httpStatus, tags, repository, record, curated } = match;
  return [
    split(match, "strategy", match.strategy ?? STRATEGIES),
    split(match, "errorType", match.errorType ?? ERROR_TYPES),
    split(match, "severity", match.severity ?? SEVERITIES),
    split(match, "confidence", match.confidence ?? CONFIDENCES),
    curated === undefined ? [true, false].map((value) => ({ ...match, curated: value })) : [],
    ...[split(match, "errorClass", errorClass), split(match, "family", family)],
    ...[split(match, "httpStatus", httpStatus), split(match, "tags", tags)],
    ...[split(match, "repository", repository), split(match, "record", record)],
  ].filter((parts) => parts.length > 1);
}

function split(
  match: RuleMatchers,
  key: keyof RuleMatchers,
  values: readonly unknown[] | undefined,
): readonly RuleMatchers[] {
  return values?.map((value) => ({ ...match, [key]: [value] })) ?? [];
}

function overlap(earlier: RetryRule, later: RetryRule): boolean {
  if (earlier.decision === later.decision) return false;
  // An exception before its general rule is what the order is for.
  if (coversMatchers(later.match, earlier.match)) return false;
  return matchersMeet(earlier.match, later.match);
}

function tellCover(cover: readonly RetryRule[]): string {
  const [only, ...more] = cover;
  if (only !== undefined && more.length === 0) {
    return `can never decide: ${only.name}, which comes before it, fits everything that it fits`;
  }
  return `can never decide: ${list(cover)}, which come before it, fit everything that it fits`;
}

function tellOverlap(earlier: readonly RetryRule[]): string {
  return `shares matches with ${list(earlier)}, which ${earlier.length === 1 ? "decides" : "decide"} otherwise and before it`;
}

function list(rules: readonly RetryRule[]): string {
  const names = rules.slice(0, NAMES_SHOWN_MAX).map(({ name }) => name);
  const left = rules.length - names.length;
  if (left > 0) return `${names.join(", ")} and ${left} more`;
  const last = names.pop() ?? "";
  return names.length === 0 ? last : `${names.join(", ")} and ${last}`;
}
