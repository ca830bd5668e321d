import { z } from "zod";
import { deadLettersJson, resentJson } from "../deliveries/delivery-schemas.ts";
import { episodeJson, episodePageJson } from "../episodes/episode-schemas.ts";
import { episodeQuery } from "../episodes/read-filter.ts";
import { recommendationAnswer } from "../episodes/recommendation-schema.ts";
import { explainAnswer, explainQuery, explainRequest } from "../explain/explain-schemas.ts";
import { problemJson } from "../json/problem-schema.ts";
import { recordAnswer, recordId, recordPageJson, recordQuery } from "../records/record-schemas.ts";
import { statusJson } from "../status/status-schemas.ts";
import { unmatchedJson, unmatchedQuery } from "../unmatched/unmatched-schemas.ts";
import {
  matchAnswer,
  matchRequest,
  notification,
  webhookAnswer,
  webhookQuery,
} from "./ingest-schemas.ts";
import type { Answer, Operation } from "./operation.ts";

const episodeId = z.string().describe("64 hex digits");
const anyObject = z.looseObject({});

function problem(description: string): Answer {
  return { description, schema: problemJson, mediaType: "application/problem+json" };
}

const notFound = { 404: problem("It is not there (any more)") };
const notUnderstood = { 400: problem("A parameter or field is not understood") };
const notKnown = { 401: problem("Credentials are missing or wrong") };
const tooLarge = { 413: problem("The body is too large") };

/** What Alertlore itself answers in JSON. */
export const OPERATIONS: readonly Operation[] = [
  {
    ...operation("get", "/api/v1/episodes", "listEpisodes"),
    summary: "Episodes, the latest first",
    query: episodeQuery,
    answers: { 200: found(episodePageJson), ...notUnderstood },
  },
  {
    ...operation("get", "/api/v1/episodes/{id}", "getEpisode"),
    summary: "One episode with its excerpt, matches, advice and deliveries",
    parameters: { id: episodeId },
    answers: { 200: found(episodeJson), ...notFound },
  },
  {
    ...operation("get", "/api/v1/episodes/{id}/recommendation", "getRecommendation"),
    summary: "What may be done about the failed operation, as it holds now",
    parameters: { id: episodeId },
    answers: { 200: found(recommendationAnswer), ...notFound },
  },
  {
    ...operation("get", "/api/v1/unmatched", "listUnmatched"),
    summary: "Shapes of texts in which nothing was recognised",
    query: unmatchedQuery,
    answers: { 200: found(unmatchedJson), ...notUnderstood },
  },
  {
    ...operation("get", "/api/v1/records", "listRecords"),
    summary: "Loaded records by words and facets",
    query: recordQuery,
    answers: { 200: found(recordPageJson), ...notUnderstood },
  },
  {
    ...operation("get", "/api/v1/records/{id}", "getRecord"),
    summary: "One record",
    parameters: { id: recordId },
    answers: { 200: found(recordAnswer), ...notFound },
  },
  {
    ...operation("get", "/api/v1/explain", "explainText"),
    summary: "What is recognised in a text, and why or why not",
    query: explainQuery,
    answers: { 200: found(explainAnswer), ...notUnderstood },
  },
  {
    ...operation("post", "/api/v1/explain", "explainLines"),
    summary: "The same for lines with labels",
    body: explainRequest,
    answers: { 200: found(explainAnswer), ...notUnderstood, ...tooLarge },
  },
  {
    ...operation("post", "/api/v1/match", "matchCase"),
    summary: "What is recognised in one case of `alertlore match --cases`",
    body: matchRequest,
    isGuarded: true,
    answers: { 200: found(matchAnswer), ...notUnderstood, ...notKnown, ...tooLarge },
  },
  {
    ...operation("get", "/api/v1/deliveries", "listDeadLetters"),
    summary: "Notifications that could not be delivered and were given up",
    isGuarded: true,
    answers: { 200: found(deadLettersJson), ...notKnown },
  },
  {
    ...operation("post", "/api/v1/deliveries/{id}/resend", "resendDeadLetter"),
    summary: "Sends one of them again",
    parameters: { id: z.string() },
    isGuarded: true,
    answers: {
      202: { description: "It is due again", schema: resentJson },
      ...{ ...notKnown, ...notFound },
      403: problem("A browser asked on behalf of another site"),
    },
  },
  {
    ...operation("get", "/api/v1/status", "getStatus"),
    summary: "What is in force: versions, sources and the configuration without its secrets",
    answers: { 200: found(statusJson) },
  },
  {
    ...operation("get", "/api/v1/schemas/recommendation.json", "getRecommendationSchema"),
    summary: "JSON Schema of a recommendation",
    answers: { 200: { ...found(anyObject), mediaType: "application/schema+json" } },
  },
  {
    ...operation("get", "/api/v1/openapi.json", "getOpenapi"),
    summary: "This document",
    answers: { 200: found(anyObject) },
  },
  webhook("post"),
  webhook("put"),
];

function operation(method: Operation["method"], path: string, id: string) {
  return { method, path, id, tag: "Alertlore" as const };
}

function found(schema: z.ZodType): Answer {
  return { description: "What was asked for", schema };
}

/** Alertmanager posts; contact points of Grafana may be set to put. */
function webhook(method: "post" | "put"): Operation {
  return {
    ...operation(method, "/webhook", `${method}Notification`),
    summary: "Takes a notification of Alertmanager or Grafana",
    query: webhookQuery,
    body: notification,
    isGuarded: true,
    answers: {
      200: { description: "It is durable", schema: webhookAnswer },
      ...{ ...notUnderstood, ...notKnown, ...tooLarge },
      503: problem("It could not be accepted; it must be sent again"),
    },
  };
}
