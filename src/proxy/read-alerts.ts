import { z } from "zod";
import type { Alert } from "../alert/alert.ts";
import { fingerprintOf } from "../alert/fingerprint.ts";
import { readTextMap, withoutPrefix } from "../alert/text-map.ts";
import { ZERO_TIME_NS, parseTimestamp } from "../alert/timestamp.ts";
import type { Clock } from "../enrich/ports.ts";

/** One member of a posted array: as it came, and as far as it can be read. */
export interface PostedAlert {
  /** The JSON value, with every field it came with. */
  readonly raw: unknown;
  /** `undefined` for one that only Alertmanager can say something about. */
  readonly alert: Alert | undefined;
}

// Not z.record: it loses a key `__proto__`.
const schema = z.looseObject({
  labels: z.unknown(),
  annotations: z.unknown(),
  startsAt: z.string().nullish(),
  endsAt: z.string().nullish(),
  generatorURL: z.string().nullish(),
});

/**
 * Reads the body of `POST /api/v2/alerts`. A member that cannot be read has no `alert` and harms no other.
 *
 * @param body - As it came, unpacked.
 * @param prefix - Of our own annotations: inbound ones are not read, for they are ours to write.
 * @returns `undefined` for what is not a JSON array.
 * @see https://github.com/prometheus/alertmanager/blob/main/api/v2/openapi.yaml (`postableAlerts`)
 */
export function readAlerts(
  body: Uint8Array,
  prefix: string,
  clock: Clock,
): readonly PostedAlert[] | undefined {
  const value = parseJson(body);
  if (!Array.isArray(value)) return undefined;
  const nowNs = clock.nowNs();
  return value.map((raw: unknown) => ({ raw, alert: readAlert(raw, prefix, nowNs) }));
}

function parseJson(body: Uint8Array): unknown {
  try {
    // Invalid UTF-8 becomes U+FFFD, as Alertmanager itself makes it.
    return JSON.parse(new TextDecoder("utf-8", { ignoreBOM: true }).decode(body)) as unknown;
  } catch {
    return undefined;
  }
}

function readAlert(raw: unknown, prefix: string, nowNs: bigint): Alert | undefined {
  const parsed = schema.safeParse(raw);
  if (!parsed.success) return undefined;
  const { labels: posted, annotations: described, generatorURL, ...others } = parsed.data;
  const labels = readLabels(posted);
  const annotations = readTextMap(described ?? {});
  if (labels === undefined || annotations === undefined) return undefined;
  const times = timesOf(others, nowNs);
  if (Object.keys(labels).length === 0 || times === undefined) return undefined;
  return {
    ...times,
    labels,
    annotations: withoutPrefix(annotations, prefix),
    generatorURL: generatorURL ?? "",
    fingerprint: fingerprintOf(labels),
    // The raw alert is what goes on, with every field it came with.
    unknownFields: {},
  };
}

/** Labels without empty ones, for Alertmanager drops them, `null` too. */
function readLabels(value: unknown): Record<string, string> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const filled = Object.entries(value).filter(([, text]) => text !== null && text !== "");
  return readTextMap(Object.fromEntries(filled));
}

type Times = Pick<Alert, "status" | "startsAt" | "endsAt" | "startsAtNs" | "endsAtNs">;
type PostedTimes = Pick<z.output<typeof schema>, "startsAt" | "endsAt">;

function timesOf({ startsAt, endsAt }: PostedTimes, nowNs: bigint): Times | undefined {
  const startsAtNs = timeOf(startsAt);
  const endsAtNs = timeOf(endsAt);
  if (startsAtNs === undefined || endsAtNs === undefined) return undefined;
  const isResolved = endsAtNs !== ZERO_TIME_NS && endsAtNs <= nowNs;
  return {
    status: isResolved ? "resolved" : "firing",
    startsAt: startsAt ?? "",
    endsAt: endsAt ?? "",
    startsAtNs: startsAtNs === ZERO_TIME_NS ? nowNs : startsAtNs,
    endsAtNs: isResolved ? endsAtNs : undefined,
  };
}

/** Absence and Go's zero time are the same; `undefined` for what is no time. */
function timeOf(text: string | null | undefined): bigint | undefined {
  if (text === undefined || text === null || text === "") return ZERO_TIME_NS;
  // Alertmanager takes `2024-01-01 00:00:00` too.
  const spelled = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)
    ? `${text.replace(" ", "T")}Z`
    : text;
  return parseTimestamp(spelled);
}
