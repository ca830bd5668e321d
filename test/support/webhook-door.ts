import type { Express } from "express";
import request from "supertest";
import type { AlertGroup } from "../../src/alert/alert.ts";
import { requireCredentials } from "../../src/ingest/authentication.ts";
import type { Credentials } from "../../src/ingest/authentication.ts";
import { createApp } from "../../src/ingest/create-app.ts";
import { postWebhook } from "../../src/ingest/post-webhook.ts";
import type { TakenGroup } from "../../src/ingest/post-webhook.ts";
import { readJson } from "../../src/ingest/read-json.ts";
import { createRecordingCounters } from "./recording-counters.ts";
import type { RecordingCounters } from "./recording-counters.ts";
import { createRecordingLogger } from "./recording-logger.ts";
import type { RecordingLogger } from "./recording-logger.ts";

/** Largest body that the door takes. */
export const BODY_BYTES_MAX = 4096;

/** The webhook with nothing behind it but a list. */
export interface Door {
  readonly app: Express;
  readonly groups: AlertGroup[];
  readonly counters: RecordingCounters;
  readonly logger: RecordingLogger;
}

/** What a test wants to be different. */
export interface DoorWishes {
  readonly credentials?: Credentials;
  readonly take?: (group: AlertGroup) => Promise<TakenGroup>;
}

/** Creates a webhook that takes every group unless told otherwise. */
export function createDoor(wishes: DoorWishes = {}): Door {
  const groups: AlertGroup[] = [];
  const counters = createRecordingCounters();
  const logger = createRecordingLogger();
  const take = (group: AlertGroup): Promise<TakenGroup> => {
    groups.push(group);
    return Promise.resolve({
      enriched: () => Promise.resolve({ group, enrichments: [] }),
      duplicates: 0,
    });
  };
  const webhook = postWebhook({
    sources: { alertmanager: "alertmanager", grafana: "grafana" },
    tenantHeader: undefined,
    prefix: "error_",
    profile: "full",
    counters,
    logger,
    take: wishes.take ?? take,
    renderEnriched: (enriched, profile) =>
      JSON.stringify({ profile, alerts: enriched.group.alerts.length }),
  });
  const readBody = readJson(BODY_BYTES_MAX, (fault) => {
    counters.alertRejected(fault === "too_large" ? "too_large" : "invalid_group");
  });
  const authenticate = requireCredentials(wishes.credentials ?? {}, counters);
  const handlers = [authenticate, ...readBody, webhook];
  const app = createApp([{ method: "post", path: "/webhook", handlers }], logger);
  return { app, groups, counters, logger };
}

/** Posts a body: text as it is, all else as JSON. */
export async function post(door: Door, body: unknown, path = "/webhook") {
  return request(door.app)
    .post(path)
    .set("Content-Type", "application/json")
    .send(typeof body === "string" ? body : JSON.stringify(body));
}
