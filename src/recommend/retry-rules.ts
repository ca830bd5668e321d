import type { ErrorType, HandlingStrategy, Severity } from "../record/known-error.ts";
import type { Confidence } from "../record/match.ts";
import type { Backoff, Decision } from "../record/recommendation.ts";

/**
 * When a rule fits: every key that is there must hold, and a key holds when one of its values does.
 * A rule without keys fits every match. In patterns `*` stands for any text, also none; all else is
 * compared exactly.
 */
export interface RuleMatchers {
  /** `none` stands for a record without strategy. */
  readonly strategy?: readonly (HandlingStrategy | "none")[];
  readonly errorType?: readonly ErrorType[];
  /** Patterns for the class as `classOf` gives it. */
  readonly errorClass?: readonly string[];
  /** Patterns for the record's `backgroundTag`; a record without one fits none of them. */
  readonly family?: readonly string[];
  readonly severity?: readonly Severity[];
  /** A status from 100 to 599, or a hundred as `5xx`; a record without status fits none of them. */
  readonly httpStatus?: readonly (number | `${number}xx`)[];
  /** Patterns, one of which one of the record's tags must fit. */
  readonly tags?: readonly string[];
  /** Patterns for `owner/name`. */
  readonly repository?: readonly string[];
  /** Record ids. */
  readonly record?: readonly string[];
  /** Label name to patterns; the alert must carry every label named, with a value that fits. */
  readonly labels?: Readonly<Record<string, readonly string[]>>;
  readonly confidence?: readonly Confidence[];
  readonly curated?: boolean;
}

/** One line of the retry table. */
export interface RetryRule {
  /** Lower-case words joined by hyphens; unique in the table. */
  readonly name: string;
  readonly match: RuleMatchers;
  readonly decision: Decision;
  /** 1 to 10; `undefined` unless the decision is `retry` or `retry_after_fix`. */
  readonly maxAttempts: number | undefined;
  /** `undefined` unless the decision is `retry` or `retry_after_fix`. */
  readonly backoff: Backoff | undefined;
  readonly validForMs: number;
  /** A sentence for the engineer on call. */
  readonly reason: string;
  /**
   * What a `retry` for records that nobody curated rests on, in words. Only a rule that says so may
   * give `retry` to them; `undefined` otherwise.
   */
  readonly restsOn: string | undefined;
}

/** The retry table in force; immutable. */
export interface RetryRules {
  /** First fit wins. */
  readonly rules: readonly RetryRule[];
  /** How long advice holds that no rule gave. */
  readonly validForMs: number;
  /** From this many open episodes of one record or class on, the advice is `investigate`; at least 2. */
  readonly widespreadFrom: number;
  /** How long a `retry` is remembered: the same error on equal labels within it is `investigate`. */
  readonly retryWindowMs: number;
}
