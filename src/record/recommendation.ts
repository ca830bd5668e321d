/**
 * What may be done about a failed operation. `retry`: transient, the caller must know that its
 * operation is idempotent. `retry_after_fix`: first do the steps. `do_not_retry`: will fail again.
 * `investigate`: not known well enough, widespread, or retried too often.
 */
export type Decision = "retry" | "retry_after_fix" | "do_not_retry" | "investigate";

/** All decisions, each once; a metric label takes no other value. */
export const DECISIONS: readonly Decision[] = [
  "retry",
  "retry_after_fix",
  "do_not_retry",
  "investigate",
];

/** How long to wait between attempts. */
export interface Backoff {
  readonly initialMs: number;
  readonly factor: number;
  readonly maxMs: number;
  /** Share of the wait that is random, 0 to 1. */
  readonly jitter: number;
}

/** The retry advice for one episode. */
export interface Recommendation {
  readonly decision: Decision;
  /** `undefined` unless the decision is `retry` or `retry_after_fix`. */
  readonly maxAttempts: number | undefined;
  readonly backoff: Backoff | undefined;
  /** The record's solutions, best first. */
  readonly steps: readonly string[];
  readonly reason: string;
  /** Milliseconds since the Unix epoch after which the advice must not be used. */
  readonly validUntilMs: number;
  readonly basedOn: {
    /** `undefined` when no record was matched. */
    readonly recordId: string | undefined;
    /** Name of the rule of `rules/retry.yaml`, or of the built-in safeguard, that decided. */
    readonly rule: string;
    readonly curated: boolean;
  };
}
