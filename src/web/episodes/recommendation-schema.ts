import { z } from "zod";
import type { Recommendation } from "../../record/recommendation.ts";
import { DECISIONS } from "../../record/recommendation.ts";

const DURATION = /^(?:\d+(?:d|h|m|s|ms))+$/u;

/** `GET /api/v1/episodes/:id/recommendation`. A client acts on `retry` alone and ignores keys it does not know. */
export const recommendationAnswer = z.object({
  episode: z.string().regex(/^[0-9a-f]{64}$/u),
  decision: z
    .enum([...DECISIONS, "pending"])
    .describe(
      "What may be done about the failed operation. `pending`, and every value that a client does not know, mean: do not retry",
    ),
  max_attempts: z.int().min(1).nullable(),
  wait_seconds: z.number().min(0).nullable().describe("Before the first attempt"),
  backoff: z
    .object({
      initial: z.string().regex(DURATION),
      factor: z.number().min(1),
      max: z.string().regex(DURATION),
      jitter: z.number().min(0).max(1),
    })
    .nullable(),
  steps: z.array(z.string()).describe("What to do first, best first"),
  reason: z.string(),
  valid_until: z.iso
    .datetime()
    .nullable()
    .describe("RFC 3339, UTC; after it the advice must not be used"),
  based_on: z
    .object({
      record: z.string().nullable(),
      rule: z.string().describe("Of the retry table, or `safeguard:` and a name"),
      curated: z.boolean(),
    })
    .nullable(),
});

/** Shape of the answer. */
export type RecommendationAnswer = z.infer<typeof recommendationAnswer>;

/** The published JSON Schema of the answer; `docs/recommendation.schema.json` holds the same. */
export function recommendationSchema(): object {
  const schema = z.toJSONSchema(recommendationAnswer, { target: "draft-2020-12", io: "input" });
  return { ...schema, title: "Retry recommendation of one episode" };
}

/** What is answered while nothing is known. */
export function pendingAnswer(episode: string): RecommendationAnswer {
  return {
    episode,
    decision: "pending",
    max_attempts: null,
    wait_seconds: null,
    backoff: null,
    steps: [],
    reason: "It is not known yet what happened. Do not retry; ask again later.",
    valid_until: null,
    based_on: null,
  };
}

/** Seconds to wait before the first attempt. */
export function waitSecondsOf({ backoff }: Recommendation): number | null {
  return backoff === undefined ? null : backoff.initialMs / 1000;
}
