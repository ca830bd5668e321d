import { type Backoff, type Decision, DECISIONS } from "../record/recommendation.ts";
import { namesAnError, readMatchers } from "./read-matchers.ts";
import type { RetryRule, RetryRules } from "./retry-rules.ts";
import {
  fault,
  type Field,
  readDuration,
  readList,
  readMapping,
  readNumber,
  readOneOf,
  readText,
  type RuleFault,
  shown,
} from "./rule-fields.ts";

export type { RuleFault };

/** Either the table, or every fault that keeps the file from being used. */
export type RetryRulesCheck =
  | { readonly rules: RetryRules; readonly faults: readonly [] }
  | { readonly rules: undefined; readonly faults: readonly RuleFault[] };

/** What a rule that may lead to a repetition falls back on. */
interface RuleDefaults {
  readonly maxAttempts: number;
  readonly backoff: Backoff;
  readonly validForMs: number;
}

const BUILT_IN: RuleDefaults = {
  maxAttempts: 2,
  backoff: { initialMs: 30_000, factor: 2, maxMs: 300_000, jitter: 0.2 },
  validForMs: 900_000,
};
const WIDESPREAD_FROM = 20;
const RETRY_WINDOW_MS = 21_600_000;

const ATTEMPTS = { min: 1, max: 10, whole: true };

const RULE_KEYS = [
  ...["name", "match", "decision", "reason"],
  ...["max_attempts", "backoff", "valid_for", "rests_on"],
];

/**
 * Checks a parsed rule file and gives the table, or all its faults at once. Never throws.
 *
 * A fault keeps the whole file from being used: a table with a rule missing may let a later, bolder
 * one decide.
 *
 * @param parsed - What the YAML reader gave: plain objects, arrays, strings, numbers, booleans.
 */
export function validateRetryRules(parsed: unknown): RetryRulesCheck {
  const faults: RuleFault[] = [];
  const at = readMapping({ value: parsed, path: "", faults }, [
    ...["defaults", "widespread_from", "retry_window", "rules"],
  ]);
  if (at === undefined) return { rules: undefined, faults };
  const defaults = readDefaults(at("defaults"));
  const widespread = at("widespread_from");
  const widespreadFrom =
    widespread.value === undefined
      ? WIDESPREAD_FROM
      : readNumber(widespread, { min: 2, max: 1_000_000, whole: true });
  const window = at("retry_window");
  const retryWindowMs =
    (window.value === undefined ? undefined : readDuration(window, "1m", "7d")) ?? RETRY_WINDOW_MS;
  const rules = readRules(at("rules"), defaults);
  if (faults.length > 0 || widespreadFrom === undefined) return { rules: undefined, faults };
  const { validForMs } = defaults;
  return { rules: { rules, widespreadFrom, retryWindowMs, validForMs }, faults: [] };
}

function readDefaults(field: Field): RuleDefaults {
  if (field.value === undefined) return BUILT_IN;
  const at = readMapping(field, ["max_attempts", "backoff", "valid_for"]);
  return at === undefined ? BUILT_IN : readRepetition(at, BUILT_IN);
}

function readRepetition(at: (key: string) => Field, defaults: RuleDefaults): RuleDefaults {
  const attempts = at("max_attempts");
  const validFor = at("valid_for");
  return {
    maxAttempts:
      (attempts.value === undefined ? undefined : readNumber(attempts, ATTEMPTS)) ??
      defaults.maxAttempts,
    backoff: readBackoff(at("backoff"), defaults.backoff),
    validForMs:
      (validFor.value === undefined ? undefined : readDuration(validFor, "1m", "1d")) ??
      defaults.validForMs,
  };
}

function readBackoff(field: Field, defaults: Backoff): Backoff {
  if (field.value === undefined) return defaults;
  const at = readMapping(field, ["initial", "factor", "max", "jitter"]);
  if (at === undefined) return defaults;
  const given = <T>(key: string, read: (one: Field) => T | undefined, fallback: T): T => {
    const one = at(key);
    return one.value === undefined ? fallback : (read(one) ?? fallback);
  };
  const backoff: Backoff = {
    initialMs: given("initial", (one) => readDuration(one, "1s", "1d"), defaults.initialMs),
    factor: given(
      "factor",
      (one) => readNumber(one, { min: 1, max: 10, whole: false }),
      defaults.factor,
    ),
    maxMs: given("max", (one) => readDuration(one, "1s", "1d"), defaults.maxMs),
    jitter: given(
      "jitter",
      (one) => readNumber(one, { min: 0, max: 1, whole: false }),
      defaults.jitter,
    ),
  };
  if (backoff.maxMs < backoff.initialMs) {
    fault(field, "max must not be below initial; one that is left out comes from the defaults");
  }
  return backoff;
}

function readRules(field: Field, defaults: RuleDefaults): readonly RetryRule[] {
  if (!Array.isArray(field.value)) {
    fault(field, `expected a list of rules, got ${shown(field.value)}`);
    return [];
  }
  const rules: RetryRule[] = [];
  const places = new Map<string, string>();
  for (const one of field.value.length === 0 ? [] : (readList(field) ?? [])) {
    const rule = readRule(one, defaults);
    if (rule === undefined) continue;
    const earlier = places.get(rule.name);
    if (earlier !== undefined) {
      fault(
        { ...one, path: `${one.path}.name` },
        `the name ${shown(rule.name)} is taken by ${earlier}`,
      );
    }
    places.set(rule.name, one.path);
    rules.push(rule);
  }
  return rules;
}

function readRule(field: Field, defaults: RuleDefaults): RetryRule | undefined {
  const at = readMapping(field, RULE_KEYS);
  if (at === undefined) return undefined;
  const name = readName(at("name"));
  const match = readMatchers(at("match"));
  const decision = readOneOf(at("decision"), DECISIONS);
  const reason = readText(at("reason"), "a sentence for the engineer on call");
  const restsOn = readRestsOn(at("rests_on"));
  const { validForMs, maxAttempts, backoff } = readRepetition(at, defaults);
  if (name === undefined || decision === undefined || reason === undefined) return undefined;
  checkTogether(at, decision);
  if (restsOn !== undefined && !namesAnError(match)) {
    fault(
      at("rests_on"),
      "needs a matcher on record, class, family, tags or http_status beside it",
    );
  }
  const repeats = decision === "retry" || decision === "retry_after_fix";
  return {
    ...{ name, match, decision, reason, restsOn, validForMs },
    maxAttempts: repeats ? maxAttempts : undefined,
    backoff: repeats ? backoff : undefined,
  };
}

function readName(field: Field): string | undefined {
  const { value } = field;
  // Colons are kept for the names of built-in safeguards, which no rule may pass itself off as.
  if (typeof value === "string" && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(value) && value.length <= 64) {
    return value;
  }
  fault(
    field,
    `expected lower-case words joined by hyphens, at most 64 characters, got ${shown(value)}`,
  );
  return undefined;
}

function readRestsOn(field: Field): string | undefined {
  if (field.value === undefined) return undefined;
  return readText(field, "a sentence on why a bare retry is known to be safe here");
}

/** Finds fault with keys that say nothing under the rule's decision. */
function checkTogether(at: (key: string) => Field, decision: Decision): void {
  if (decision !== "retry" && at("rests_on").value !== undefined) {
    fault(at("rests_on"), `goes with the decision retry only, not with ${decision}`);
  }
  if (decision === "retry" || decision === "retry_after_fix") return;
  for (const key of ["max_attempts", "backoff"]) {
    if (at(key).value === undefined) continue;
    fault(at(key), `goes with the decisions retry and retry_after_fix, not with ${decision}`);
  }
}
