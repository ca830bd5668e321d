import { describe, expect, it } from "vitest";
import { fitsRule } from "../../../src/recommend/find-rule.ts";
import { buildEntry, buildRules } from "../../support/advice-builders.ts";
import type { KnownError } from "../../../src/record/known-error.ts";

const RULE = { name: "rule", decision: "investigate", reason: "Because." };

interface Case {
  readonly says: string;
  readonly match: object;
  readonly record?: Partial<KnownError>;
  readonly fits: boolean;
}

const CASES: readonly Case[] = [
  { says: "no matcher fits all", match: {}, fits: true },
  {
    says: "strategy fits one of its values",
    match: { strategy: ["retry", "fallback"] },
    record: { handlingStrategy: "fallback" },
    fits: true,
  },
  {
    says: "strategy none fits a record without",
    match: { strategy: "none" },
    record: { handlingStrategy: null },
    fits: true,
  },
  {
    says: "strategy none does not fit another",
    match: { strategy: "none" },
    record: { handlingStrategy: "retry" },
    fits: false,
  },
  {
    says: "error type fits",
    match: { error_type: "panic" },
    record: { errorType: "panic" },
    fits: true,
  },
  {
    says: "class falls back on the family",
    match: { class: "io-failure" },
    record: { backgroundTag: "io-failure" },
    fits: true,
  },
  {
    says: "class prefers the record's class",
    match: { class: "io-failure" },
    record: { errorClass: "IOError", backgroundTag: "io-failure" },
    fits: false,
  },
  {
    says: "family does not fit a record without one",
    match: { family: "*" },
    record: { backgroundTag: null },
    fits: false,
  },
  {
    says: "family takes a wildcard",
    match: { family: "*-memory-limit" },
    record: { backgroundTag: "query-memory-limit" },
    fits: true,
  },
  {
    says: "severity fits",
    match: { severity: ["critical"] },
    record: { severity: "error" },
    fits: false,
  },
  {
    says: "status fits exactly",
    match: { http_status: 503 },
    record: { httpStatus: 503 },
    fits: true,
  },
  {
    says: "status fits its hundred",
    match: { http_status: "5xx" },
    record: { httpStatus: 599 },
    fits: true,
  },
  {
    says: "status does not fit a record without one",
    match: { http_status: ["1xx", "2xx", "3xx", "4xx", "5xx"] },
    record: { httpStatus: null },
    fits: false,
  },
  {
    says: "one tag is enough",
    match: { tags: ["a", "network"] },
    record: { tags: ["x", "network"] },
    fits: true,
  },
  { says: "no tag is not enough", match: { tags: ["a"] }, record: { tags: [] }, fits: false },
  { says: "repository takes an owner", match: { repository: "acme/*" }, fits: true },
  {
    says: "repository keeps its owner",
    match: { repository: "acme/*" },
    record: { repo: "acme2/engine" },
    fits: false,
  },
  { says: "record id fits", match: { record: "00000000000000aa" }, fits: true },
  { says: "label value fits", match: { labels: { namespace: "prod-*" } }, fits: true },
  {
    says: "every label named must be there",
    match: { labels: { namespace: "prod-*", team: "*" } },
    fits: false,
  },
  {
    says: "a label is not looked up on the prototype",
    match: { labels: { constructor: "*" } },
    fits: false,
  },
  { says: "confidence fits", match: { confidence: ["medium", "low"] }, fits: false },
  { says: "curated must be as asked", match: { curated: true }, fits: false },
  { says: "not curated must be as asked", match: { curated: false }, fits: true },
  {
    says: "every key must hold",
    match: { error_type: "exception", severity: "info" },
    fits: false,
  },
];

describe("fitsRule", () => {
  it.each(CASES)("$says", ({ match, record, fits }) => {
    const [rule] = buildRules({ rules: [{ ...RULE, match }] }).rules;
    const subject = {
      match: { confidence: "high" as const },
      entry: buildEntry(record),
      labels: { namespace: "prod-1" },
    };
    expect(fitsRule(rule?.match ?? { severity: [] }, subject)).toBe(fits);
  });
});
