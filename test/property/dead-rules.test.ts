import fc from "fast-check";
import { expect, test } from "vitest";
import type { KnownError } from "../../src/record/known-error.ts";
import { findRule, fitsRule } from "../../src/recommend/find-rule.ts";
import type { RuleSubject } from "../../src/recommend/find-rule.ts";
import {
  CONFIDENCES,
  ERROR_TYPES,
  SEVERITIES,
  STRATEGIES,
} from "../../src/recommend/read-matchers.ts";
import type { RetryRule } from "../../src/recommend/retry-rules.ts";
import { reviewRules } from "../../src/recommend/review-rules.ts";
import { buildEntry, buildRules } from "../support/advice-builders.ts";

/** Few letters, so that texts and patterns meet. */
const text = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 3 });
const pattern = fc.string({ unit: fc.constantFrom("a", "b", "*"), minLength: 1, maxLength: 3 });
const patterns = fc.array(pattern, { minLength: 1, maxLength: 3 });
const some = <T>(values: readonly T[]) => fc.subarray([...values], { minLength: 1 });

const matchers = fc.record(
  {
    strategy: some(STRATEGIES),
    error_type: some(ERROR_TYPES),
    class: patterns,
    family: patterns,
    severity: some(SEVERITIES),
    http_status: some([404, 503, "4xx", "5xx"]),
    tags: patterns,
    repository: patterns,
    labels: fc.record({ a: patterns, b: patterns }, { requiredKeys: [] }),
    confidence: some(CONFIDENCES),
    curated: fc.boolean(),
  },
  { requiredKeys: [] },
);

/** Few keys each, for rules with many cover nothing. */
const match = fc
  .tuple(matchers, fc.array(fc.nat(10), { minLength: 1, maxLength: 2 }))
  .map(([all, kept]) => {
    const entries = Object.entries(all).filter(([key]) => key !== "labels" || hasKeys(all.labels));
    return Object.fromEntries(entries.filter((_, index) => kept.includes(index)));
  });

const rules = fc
  .array(fc.tuple(match, fc.constantFrom("investigate", "do_not_retry")), {
    minLength: 2,
    maxLength: 6,
  })
  .map((all) => {
    const listed = all.map(([one, decision], index) => {
      return { name: `rule-${index}`, match: one, decision, reason: "Because." };
    });
    return buildRules({ rules: listed }).rules;
  });

const subject: fc.Arbitrary<RuleSubject> = fc
  .record({
    handlingStrategy: fc.constantFrom(...STRATEGIES),
    errorType: fc.constantFrom(...ERROR_TYPES),
    errorClass: fc.option(text),
    backgroundTag: fc.option(text),
    severity: fc.constantFrom(...SEVERITIES),
    httpStatus: fc.constantFrom(null, 404, 410, 503, 599),
    tags: fc.array(text, { maxLength: 2 }),
    repo: text,
    labels: fc.dictionary(fc.constantFrom("a", "b"), text),
    confidence: fc.constantFrom(...CONFIDENCES),
    origin: fc.constantFrom("dataset" as const, "starter" as const),
  })
  .map(({ labels, confidence, origin, handlingStrategy: strategy, ...rest }) => {
    const handlingStrategy = strategy === "none" ? null : strategy;
    const record: Partial<KnownError> = { ...rest, handlingStrategy };
    return { match: { confidence }, entry: buildEntry(record, origin), labels };
  });

const subjects = fc.array(subject, { minLength: 20, maxLength: 20 });

test("a rule that is called dead decides on no match, whatever the rules and matches are", () => {
  let dead = 0;
  fc.assert(
    fc.property(rules, subjects, (table, matches) => {
      const names = namesOf(table, reviewRules(table).dead);
      dead += names.size;
      for (const one of matches) {
        const { name } = findRule(table, one) ?? { name: "" };
        expect(names.has(name)).toBe(false);
      }
    }),
    { numRuns: 500 },
  );
  expect(dead).toBeGreaterThan(20);
});

test("rules that fit one match and decide otherwise are told of, or one of them covers the other", () => {
  fc.assert(
    fc.property(rules, subjects, (table, matches) => {
      const [one, other] = table;
      if (one === undefined || other === undefined || one.decision === other.decision) return;
      const { dead, overlaps } = reviewRules([one, other]);
      if (dead.length > 0 || overlaps.length > 0) return;
      const exception = reviewRules([other, one]).dead.length > 0;
      const met = matches.some((each) => [one, other].every((rule) => fitsRule(rule.match, each)));
      expect(met && !exception).toBe(false);
    }),
    { numRuns: 500 },
  );
});

function namesOf(table: readonly RetryRule[], found: readonly { readonly path: string }[]) {
  const paths = new Set(found.map(({ path }) => path));
  return new Set(table.filter((_, index) => paths.has(`rules[${index}]`)).map(({ name }) => name));
}

function hasKeys(value: object | undefined): boolean {
  return value !== undefined && Object.keys(value).length > 0;
}
