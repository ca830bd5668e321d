import { UpstreamError } from "../enrich/outcome.ts";
import type { UpstreamReason } from "../enrich/outcome.ts";

/** What a failed try means for the next one. */
export interface DeliveryVerdict {
  /** Whether the same body would be refused again. */
  readonly permanent?: boolean;
  /** How long the destination asked to be left alone. */
  readonly retryAfterMs?: number | undefined;
  /** Whether the destination may have taken the body nevertheless. */
  readonly maybeTaken?: boolean;
  readonly cause?: unknown;
}

/** Thrown by a destination that did not take what it was sent. Its message holds no text of an alert and no URL. */
export class DeliveryError extends UpstreamError {
  readonly permanent: boolean;
  readonly retryAfterMs: number | undefined;
  readonly maybeTaken: boolean;

  constructor(reason: UpstreamReason, message: string, verdict: DeliveryVerdict = {}) {
    super(reason, message, verdict.cause === undefined ? undefined : { cause: verdict.cause });
    this.name = "DeliveryError";
    this.permanent = verdict.permanent ?? false;
    this.retryAfterMs = verdict.retryAfterMs;
    this.maybeTaken = verdict.maybeTaken ?? false;
  }
}
