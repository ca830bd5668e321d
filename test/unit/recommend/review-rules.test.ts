import { describe, expect, it } from "vitest";
import { reviewRules } from "../../../src/recommend/review-rules.ts";
import { buildRules } from "../../support/advice-builders.ts";

/** Reviews rules with these matchers, named a, b, c …; the decisions alternate so that all differ. */
function review(...matches: readonly object[]) {
  const decisions = ["investigate", "do_not_retry", "retry_after_fix"];
  const rules = matches.map((match, index) => ({
    name: "abc"[index],
    match,
    decision: decisions[index],
    reason: "Because.",
  }));
  return reviewRules(buildRules({ rules }).rules);
}

const EVERY_STRATEGY = ["try-catch", "type-guard", "validation", "retry", "fallback", "none"];

interface Case {
  readonly says: string;
  readonly matches: readonly object[];
  readonly dead: boolean;
}

/** The last rule is looked at. */
const CASES: readonly Case[] = [
  { says: "after one without matchers", matches: [{}, { severity: "info" }], dead: true },
  { says: "that is the only one", matches: [{}], dead: false },
  { says: "before the one that covers it", matches: [{ severity: "info" }, {}], dead: false },
  { says: "like an earlier one", matches: [{ family: "a" }, { family: "a" }], dead: true },
  { says: "under a wildcard", matches: [{ family: "*-io" }, { family: "disk-io" }], dead: true },
  { says: "under a wider one", matches: [{ family: "a*" }, { family: "a*b*c" }], dead: true },
  { says: "over a narrower one", matches: [{ family: "a*b" }, { family: "a*" }], dead: false },
  {
    says: "narrowed by another key",
    matches: [{ family: "a" }, { family: "a", tags: "b" }],
    dead: true,
  },
  {
    says: "after one that asks for more",
    matches: [{ family: "a", tags: "b" }, { family: "a" }],
    dead: false,
  },
  {
    says: "without family after any family, for a record may have none",
    matches: [{ family: "*" }, { severity: "info" }],
    dead: false,
  },
  {
    says: "after any class, which every record has",
    matches: [{ class: "*" }, { severity: "info" }],
    dead: true,
  },
  {
    says: "after any repository, which every record has",
    matches: [{ repository: "*" }, { severity: "info" }],
    dead: true,
  },
  {
    says: "after every strategy by name",
    matches: [{ strategy: EVERY_STRATEGY }, {}],
    dead: true,
  },
  {
    says: "after all strategies but one",
    matches: [{ strategy: EVERY_STRATEGY.slice(1) }, {}],
    dead: false,
  },
  { says: "within a hundred", matches: [{ http_status: "5xx" }, { http_status: 503 }], dead: true },
  { says: "over a status", matches: [{ http_status: 503 }, { http_status: "5xx" }], dead: false },
  {
    says: "for any status after all hundreds, for a record may have none",
    matches: [{ http_status: ["1xx", "2xx", "3xx", "4xx", "5xx"] }, {}],
    dead: false,
  },
  {
    says: "between two that share its families",
    matches: [{ family: "a" }, { family: "b" }, { family: ["a", "b"] }],
    dead: true,
  },
  {
    says: "between curated and not",
    matches: [{ curated: true }, { curated: false }, { tags: "a" }],
    dead: true,
  },
  {
    says: "with a family left over",
    matches: [{ family: "a" }, { family: "b" }, { family: ["a", "b", "c"] }],
    dead: false,
  },
  {
    says: "with more labels",
    matches: [{ labels: { job: "*" } }, { labels: { job: "a", pod: "b" } }],
    dead: true,
  },
  {
    says: "with another label",
    matches: [{ labels: { job: "*" } }, { labels: { pod: "b" } }],
    dead: false,
  },
  {
    says: "with a label named like a property of every object",
    matches: [{ labels: { constructor: "*" } }, { labels: { pod: "b" } }],
    dead: false,
  },
];

describe("reviewRules", () => {
  it.each(CASES)("calls a rule $says dead: $dead", ({ matches, dead }) => {
    const paths = review(...matches).dead.map(({ path }) => path);
    expect(paths).toEqual(dead ? [`rules[${matches.length - 1}]`] : []);
  });

  it("names the rules that leave nothing to a dead one", () => {
    expect(review({ family: "a" }, { family: "b" }, { family: ["a", "b"] }).dead).toEqual([
      {
        path: "rules[2]",
        message: "can never decide: a and b, which come before it, fit everything that it fits",
      },
    ]);
  });

  it.each<readonly [string, object, object, boolean]>([
    ["different keys", { family: "a" }, { severity: "info" }, true],
    ["tags, of which a record has many", { tags: "a" }, { tags: "b" }, true],
    ["wildcards with a text in common", { family: "a*" }, { family: "*b" }, true],
    ["wildcards without one", { family: "a*" }, { family: "b*" }, false],
    ["wildcards with different ends", { family: "*a" }, { family: "*b" }, false],
    ["different families", { family: "a", tags: "x" }, { family: "b", severity: "info" }, false],
    ["different labels", { labels: { a: "1" } }, { labels: { b: "2" } }, true],
    ["different values of a label", { labels: { a: "1" } }, { labels: { a: "2" } }, false],
    ["a status and its hundred", { http_status: 503, tags: "x" }, { http_status: "5xx" }, false],
    ["a status in a hundred", { http_status: 503 }, { http_status: "5xx", tags: "x" }, true],
    ["curated and not", { curated: true }, { curated: false }, false],
    ["an exception before its general rule", { family: "a" }, {}, false],
    ["a dead rule", {}, { family: "a" }, false],
  ])("on %s: tells of an overlap when there is one", (_, one, other, overlaps) => {
    const found = review(one, other);
    expect(found.overlapping).toBe(overlaps ? 1 : 0);
    expect(found.overlaps.map(({ path }) => path)).toEqual(overlaps ? ["rules[1]"] : []);
  });

  it("tells of no overlap between rules that decide alike", () => {
    const alike = { decision: "investigate", reason: "Because." };
    const { rules } = buildRules({
      rules: [
        { name: "a", match: { family: "a" }, ...alike },
        { name: "b", match: { severity: "info" }, ...alike },
      ],
    });
    expect(reviewRules(rules).overlaps).toEqual([]);
  });
});
