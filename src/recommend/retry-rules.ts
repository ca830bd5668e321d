import type { Labels } from "../alert/alert.ts";
import type { ErrorType, HandlingStrategy, Severity } from "../record/known-error.ts";
import type { Confidence } from "../record/match.ts";
import type { Backoff, Decision } from "../record/recommendation.ts";

/**
 * When a rule fits: every key that is there must hold, and a key holds when one of its values does.
 * A rule without keys fits every match.
 */
export interface RuleMatchers {
  /** `none` stands for a record without strategy. */
  readonly strategy?: readonly (HandlingStrategy | "none")[];
  readonly errorType?: readonly ErrorType[];
  /** Class as `classOf` gives it; `*` stands for any text, here and where noted. */
  readonly errorClass?: readonly string[];
  /** The record's `backgroundTag`; `*` stands for any text. */
  readonly family?: readonly string[];
  readonly severity?: readonly Severity[];
  /** 100 to 599, or a hundred as `5xx`. */
  readonly httpStatus?: readonly (number | string)[];
  /** One of the record's tags; `*` stands for any text. */
  readonly tags?: readonly string[];
  /** `owner/name`; `*` stands for any text. */
  readonly repository?: readonly string[];
  readonly record?: readonly string[];
  /** Label name to values, one of which the alert must carry; `*` stands for any text. */
  readonly labels?: Readonly<Record<string, readonly string[]>>;
  readonly confidence?: readonly Confidence[];
  readonly curated?: boolean;
}

/** One line of the retry table. */
export interface RetryRule {
  /** Lower-case words joined by hyphens; unique in the file. */
  readonly name: string;
  readonly match: RuleMatchers;
  readonly decision: Decision;
  /** `undefined` unless the decision is `retry` or `retry_after_fix`. */
  readonly maxAttempts: number | undefined;
  readonly backoff: Backoff | undefined;
  readonly validForMs: number;
  /** A sentence for the engineer on call. */
  readonly reason: string;
  /** What a `retry` for records that nobody curated rests on, in words; `undefined` when the rule names nothing. */
  readonly restsOn: string | undefined;
}

/** The retry table in force; immutable. */
export interface RetryRules {
  /** First fit wins. */
  readonly rules: readonly RetryRule[];
  /** How long advice holds that no rule gave. */
  readonly validForMs: number;
  /** From this many open episodes of one record or class on, advice is `investigate`. */
  readonly widespreadFrom: number;
}

/** One fault of a rule file. */
export interface RuleFault {
  /** Where in the parsed file, e.g. `rules[3].match.family`; empty for the whole. */
  readonly path: string;
  readonly message: string;
}

/** Either the table, or every fault that keeps the file from being used. */
export type RetryRulesCheck =
  | { readonly rules: RetryRules; readonly faults: readonly [] }
  | { readonly rules: undefined; readonly faults: readonly RuleFault[] };

/**
 * Checks a parsed rule file and gives the table, or all faults at once. Never throws.
 *
 * @param parsed - What the YAML reader gave: plain objects, arrays, strings, numbers, booleans.
 */
export function validateRetryRules(_parsed: unknown): RetryRulesCheck {
  return { rules: undefined, faults: [{ path: "", message: "not yet" }] };
}
export type { Labels };
