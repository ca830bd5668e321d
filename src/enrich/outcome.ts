/**
 * What became of one alert. `skipped`: not chosen by `enrich.match` / `enrich.skip`, mode `off`, or a
 * resolve of an episode that was never seen. `failed`: a fault of our own, named in the log; the alert
 * went on bare.
 */
export type Outcome =
  "matched" | "no_match" | "no_logs" | "logs_failed" | "deadline" | "skipped" | "failed";

/** Every outcome once. */
export const OUTCOMES: readonly Outcome[] = [
  "matched",
  "no_match",
  "no_logs",
  "logs_failed",
  "deadline",
  "skipped",
  "failed",
];

/** Why a call to another system failed: a closed list, so that it may be a metric label. */
export type UpstreamReason =
  | "bad_query"
  | "throttled"
  | "too_large"
  | "unauthorized"
  | "no_tenant"
  | "timeout"
  | "unreachable"
  | "refused"
  | "server";

/** Every reason once. */
export const UPSTREAM_REASONS: readonly UpstreamReason[] = [
  "bad_query",
  "throttled",
  "too_large",
  "unauthorized",
  "no_tenant",
  "timeout",
  "unreachable",
  "refused",
  "server",
];

/** Thrown by edges when another system did not do its part; `enrich/` turns it into an outcome. */
export class UpstreamError extends Error {
  readonly reason: UpstreamReason;

  constructor(reason: UpstreamReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "UpstreamError";
    this.reason = reason;
  }
}
