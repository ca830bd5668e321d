import { z } from "zod";
import type { Alert, AlertGroup } from "../alert/alert.ts";
import { withoutPrefix } from "../alert/text-map.ts";
import { ZERO_TIME_NS, parseTimestamp } from "../alert/timestamp.ts";
import { WITH_INPUT, describeIssues } from "./describe-issues.ts";
import type { FieldFault } from "./problem.ts";
import { textMap } from "./text-map.ts";

/** A readable notification, or all that is wrong with it. */
export type GroupCheck =
  | {
      readonly group: AlertGroup;
      /** Faults of alerts that were left out, by their index in the body. */
      readonly rejected: readonly RejectedAlert[];
    }
  | {
      readonly group: undefined;
      readonly faults: readonly FieldFault[];
      readonly alertsRejected: number;
    };

/** One alert of a notification that could not be read. */
export interface RejectedAlert {
  readonly index: number;
  readonly faults: readonly FieldFault[];
}

/** Versions that are read, strings on the wire: they tell Alertmanager and Grafana apart. */
const ALERTMANAGER_VERSION = "4";
/** That of Grafana's contact points. */
export const GRAFANA_VERSION = "1";

const time = z.string().refine((text) => parseTimestamp(text) !== undefined, {
  error: "must be an RFC 3339 time",
});

const alertSchema = z.looseObject({
  status: z.enum(["firing", "resolved"]),
  labels: textMap,
  annotations: textMap,
  startsAt: time,
  endsAt: time,
  generatorURL: z.string().default(""),
  fingerprint: z.string().regex(/^[0-9a-f]{16}$/u, { error: "must be 16 lower-case hex digits" }),
});

const groupSchema = z.looseObject({
  version: z.enum([ALERTMANAGER_VERSION, GRAFANA_VERSION], {
    error: `must be the string "${ALERTMANAGER_VERSION}", or "${GRAFANA_VERSION}" from Grafana`,
  }),
  groupKey: z.string(),
  // Alertmanager before 0.21 sends none.
  truncatedAlerts: z.int().nonnegative().default(0),
  status: z.enum(["firing", "resolved"]),
  receiver: z.string(),
  groupLabels: textMap,
  commonLabels: textMap,
  commonAnnotations: textMap,
  externalURL: z.string(),
  alerts: z.array(z.unknown()).min(1, { error: "must hold at least one alert" }),
});

/**
 * Reads a notification of Alertmanager (payload version 4) or of a Grafana contact point (version 1).
 * What only Grafana sends (`values`, `dashboardURL`, `orgId`, …) is kept as it came.
 *
 * A broken alert is left out and named while the others go on; a group without a readable alert is
 * refused. Inbound annotations under `prefix` are dropped: they are ours to write, so that nobody can
 * forge `error_retry`.
 *
 * @see https://prometheus.io/docs/alerting/latest/configuration/#webhook_config
 */
export function parseGroup(body: unknown, prefix: string): GroupCheck {
  const parsed = groupSchema.safeParse(body, WITH_INPUT);
  if (!parsed.success) {
    return { group: undefined, faults: describeIssues(parsed.error, ""), alertsRejected: 0 };
  }
  const alerts: Alert[] = [];
  const rejected: RejectedAlert[] = [];
  for (const [index, alertBody] of parsed.data.alerts.entries()) {
    const alert = parseAlert(alertBody, index, prefix);
    if ("faults" in alert) rejected.push(alert);
    else alerts.push(alert);
  }
  if (alerts.length === 0) {
    const faults = rejected.flatMap((alert) => alert.faults);
    return { group: undefined, faults, alertsRejected: rejected.length };
  }
  return { group: groupOf(parsed.data, alerts, prefix), rejected };
}

function groupOf(
  { alerts: _bodies, ...fields }: z.output<typeof groupSchema>,
  alerts: readonly Alert[],
  prefix: string,
): AlertGroup {
  const { version, groupKey, truncatedAlerts, status, receiver, ...others } = fields;
  const { groupLabels, commonLabels, commonAnnotations, externalURL, ...unknownFields } = others;
  return {
    version,
    groupKey,
    truncatedAlerts,
    status,
    receiver,
    groupLabels,
    commonLabels,
    commonAnnotations: withoutPrefix(commonAnnotations, prefix),
    externalURL,
    alerts,
    unknownFields,
  };
}

function parseAlert(body: unknown, index: number, prefix: string): Alert | RejectedAlert {
  const parsed = alertSchema.safeParse(body, WITH_INPUT);
  if (!parsed.success) {
    return { index, faults: describeIssues(parsed.error, `alerts[${index}]`) };
  }
  const { status, labels, annotations, startsAt, endsAt, generatorURL, ...others } = parsed.data;
  const { fingerprint, ...unknownFields } = others;
  const endsAtNs = parseTimestamp(endsAt);
  return {
    status,
    labels,
    annotations: withoutPrefix(annotations, prefix),
    startsAtNs: parseTimestamp(startsAt) ?? ZERO_TIME_NS,
    endsAtNs: status === "firing" || endsAtNs === ZERO_TIME_NS ? undefined : endsAtNs,
    startsAt,
    endsAt,
    generatorURL,
    fingerprint,
    unknownFields,
  };
}
