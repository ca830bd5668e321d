import type { Alert, TimestampNs } from "../alert/alert.ts";
import { fingerprintOf } from "../alert/fingerprint.ts";
import { createTextMap } from "../alert/text-map.ts";
import { ZERO_TIME_NS, parseTimestamp } from "../alert/timestamp.ts";
import type { Clock } from "../enrich/ports.ts";

/** One member of a posted array: as it came, and as far as it can be read. */
export interface PostedAlert {
  /** The JSON value, with every field it came with. */
  readonly raw: unknown;
  /** `undefined` for one that only Alertmanager can say something about. */
  readonly alert: Alert | undefined;
}

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
  const reading: Reading = { prefix, nowNs: clock.nowNs(), times: new Map() };
  return value.map((raw: unknown) => ({ raw, alert: readAlert(raw, reading) }));
}

interface Reading {
  readonly prefix: string;
  readonly nowNs: TimestampNs;
  /** Times that were read, by their text: the alerts of one post share most of them. */
  readonly times: Map<string, TimestampNs | undefined>;
}

function parseJson(body: Uint8Array): unknown {
  try {
    // Invalid UTF-8 becomes U+FFFD, as Alertmanager itself makes it.
    return JSON.parse(new TextDecoder("utf-8", { ignoreBOM: true }).decode(body)) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Reads one member by hand: every re-send of every alert passes here, and a schema library copies what it
 * reads.
 */
function readAlert(raw: unknown, reading: Reading): Alert | undefined {
  if (!isObject(raw)) return undefined;
  const times = timesOf(raw, reading);
  const generatorURL = textOf(raw["generatorURL"]);
  const labels = readLabels(raw["labels"]);
  const annotations = readAnnotations(raw["annotations"] ?? {}, reading.prefix);
  if (!times || generatorURL === undefined || !labels || !annotations) return undefined;
  // Named one by one: copying them by spreading takes longer than all the rest of reading.
  return {
    status: times.status,
    startsAt: times.startsAt,
    endsAt: times.endsAt,
    startsAtNs: times.startsAtNs,
    endsAtNs: times.endsAtNs,
    labels,
    annotations,
    generatorURL,
    fingerprint: fingerprintOf(labels),
    // The raw alert is what goes on, with every field it came with.
    unknownFields: {},
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The text of a field that may be absent; `undefined` for what is no text. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : undefined;
}

/** Labels without empty ones, for Alertmanager drops them, `null` too; `undefined` when none is left. */
function readLabels(value: unknown): Record<string, string> | undefined {
  if (!isObject(value)) return undefined;
  const labels = createTextMap();
  let isEmpty = true;
  for (const name of Object.keys(value)) {
    const text = value[name];
    if (text === null || text === "") continue;
    if (typeof text !== "string") return undefined;
    labels[name] = text;
    isEmpty = false;
  }
  return isEmpty ? undefined : labels;
}

/** Annotations less those under our own prefix. */
function readAnnotations(value: unknown, prefix: string): Record<string, string> | undefined {
  if (!isObject(value)) return undefined;
  const annotations = createTextMap();
  for (const name of Object.keys(value)) {
    const text = value[name];
    if (typeof text !== "string") return undefined;
    if (!name.startsWith(prefix)) annotations[name] = text;
  }
  return annotations;
}

type Times = Pick<Alert, "status" | "startsAt" | "endsAt" | "startsAtNs" | "endsAtNs">;

function timesOf(raw: Readonly<Record<string, unknown>>, reading: Reading): Times | undefined {
  const startsAt = textOf(raw["startsAt"]);
  const endsAt = textOf(raw["endsAt"]);
  const startsAtNs = timeOf(startsAt, reading.times);
  const endsAtNs = timeOf(endsAt, reading.times);
  if (startsAtNs === undefined || endsAtNs === undefined) return undefined;
  const { nowNs } = reading;
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
function timeOf(text: string | undefined, times: Reading["times"]): TimestampNs | undefined {
  if (text === undefined) return undefined;
  if (text === "") return ZERO_TIME_NS;
  const known = times.get(text);
  if (known !== undefined) return known;
  // Alertmanager takes `2024-01-01 00:00:00` too.
  const spelled = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)
    ? `${text.replace(" ", "T")}Z`
    : text;
  const read = parseTimestamp(spelled);
  times.set(text, read);
  return read;
}
