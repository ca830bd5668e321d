import { z } from "zod";
import { isoTime } from "../frame/time-words.ts";
import type { SyncState } from "./records-health.ts";
import type { ServiceStatus } from "./service-status.ts";

const syncJson = z.object({
  url: z.string().describe("Without its query, which can hold a token"),
  askedAt: z.iso.datetime().optional().describe("When it was asked last; absent: not yet"),
  failure: z
    .object({
      reason: z.string(),
      message: z.string(),
      hasCopy: z.boolean().describe("Whether an earlier copy is used instead"),
    })
    .optional()
    .describe("Why it gave nothing new; absent when it answered well"),
});

const settingJson = z.object({
  path: z.string().describe("Such as `web.listen_address` or `destinations[0].name`"),
  value: z
    .union([z.string(), z.array(z.string()), z.null()])
    .describe("As written in the file, or the default; null: not set; secrets are `<secret>`"),
  isChanged: z.boolean().describe("Whether it means something else than the default"),
});

/** `GET /api/v1/status`. */
export const statusJson = z.object({
  version: z.string(),
  revision: z.string(),
  node: z.string(),
  mode: z.enum(["on", "shadow", "off"]),
  store: z.enum(["memory", "sqlite", "postgres"]),
  records: z.object({
    count: z.int(),
    counts: z.object({
      used: z.int().describe("Found in lines"),
      vague: z.int().describe("Loaded, but too vague to be looked for"),
      muted: z.int(),
      overridden: z.int().describe("A later source has a record of the same id"),
      skipped: z.int().describe("Not valid"),
    }),
    datasetVersion: z.string().describe("Empty when the records come from no dataset"),
    digest: z.string(),
    sources: z.array(
      z.object({
        place: z.string().describe("Empty for the records that come with Alertlore"),
        origin: z.enum(["starter", "dataset", "operator"]),
      }),
    ),
    health: z.object({
      faults: z.array(z.string()).describe("Why files are not in force as they lie there"),
      syncs: z.array(syncJson),
    }),
  }),
  loki: z.enum(["available", "unavailable"]).nullable().describe("null: none is configured"),
  destinations: z.array(z.string()).describe("Names"),
  configuration: z.array(settingJson).describe("Every key of the configuration in force"),
});

/** The status with the keys and times of the outside format. */
export function statusAsJson(status: ServiceStatus): object {
  const { records, loki = null, ...rest } = status;
  const { faults, syncs } = records.health;
  return { ...rest, loki, records: { ...records, health: { faults, syncs: syncs.map(syncOf) } } };
}

function syncOf({ url, askedMs, failure }: SyncState): z.infer<typeof syncJson> {
  return {
    url,
    ...(askedMs !== undefined && { askedAt: isoTime(askedMs) }),
    ...(failure !== undefined && { failure: { ...failure } }),
  };
}
