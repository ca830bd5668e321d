import { z } from "zod";
import { matchJson } from "../episodes/episode-schemas.ts";
import { recommendationAnswer } from "../episodes/recommendation-schema.ts";

const labels = z.record(z.string(), z.string());

/** `POST /api/v1/match`. */
export const matchRequest = z.object({
  id: z.string().describe("Comes back in the answer"),
  excerpt: z.array(z.string()).describe("Lines in order"),
  labels: labels.optional(),
});

const { decision, max_attempts, backoff, steps, reason } = recommendationAnswer.shape;
const { recordId, repo, errorMessage, filePath, score, kind, confidence, role } = matchJson.shape;
const { captures, line, alternatives, evidence } = matchJson.shape;

/** What `POST /api/v1/match` answers. */
export const matchAnswer = z.object({
  id: z.string(),
  matches: z
    .array(
      z.object({
        ...{ id: recordId, repo, errorMessage, filePath, score, kind, confidence, role },
        ...{ captures, line, alternatives, evidence },
      }),
    )
    .describe("Best first"),
  recommendation: z.object({
    ...{ decision, max_attempts, backoff, steps, reason },
    valid_until: z.iso.datetime(),
    based_on: recommendationAnswer.shape.based_on.unwrap(),
  }),
});

/** `POST /webhook`: what is read of a notification; other keys are let be. */
export const notification = z
  .object({
    version: z.enum(["4", "1"]).describe("4: Alertmanager's, 1: of Grafana's contact points"),
    groupKey: z.string(),
    receiver: z.string(),
    status: z.enum(["firing", "resolved"]),
    alerts: z.array(
      z.looseObject({
        status: z.enum(["firing", "resolved"]),
        labels,
        annotations: labels,
        startsAt: z.string(),
        endsAt: z.string(),
        generatorURL: z.string(),
        fingerprint: z.string(),
      }),
    ),
  })
  .loose();

/** What `POST /webhook` may be asked. */
export const webhookQuery = z.object({
  respond: z.enum(["receipt", "enriched"]).optional().describe("receipt by default"),
  profile: z.enum(["compact", "full"]).optional().describe("Of the enriched answer"),
});

/** What `POST /webhook` answers: how many alerts met which fate, or the enriched notification. */
export const webhookAnswer = z.union([
  z.object({
    accepted: z.int(),
    duplicate: z.int(),
    rejected: z.int(),
    errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  }),
  notification,
]);
