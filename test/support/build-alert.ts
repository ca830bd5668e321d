import type { Alert, AlertGroup } from "../../src/alert/alert.ts";
import { fingerprintOf } from "../../src/alert/fingerprint.ts";
import { parseTimestamp } from "../../src/alert/timestamp.ts";

const NEVER = "0001-01-01T00:00:00Z";

/** What a test wants to say of an alert; times as on the wire. */
export type AlertWishes = Partial<
  Pick<Alert, "labels" | "annotations" | "startsAt" | "endsAt" | "unknownFields" | "fingerprint">
>;

const TYPICAL = {
  labels: { alertname: "BarrierLatencyHigh", pod: "meta-0" },
  annotations: {},
  startsAt: "2026-03-14T09:30:00Z",
  endsAt: NEVER,
  unknownFields: {},
};

/** A firing alert, or a resolved one when `endsAt` is given. */
export function buildAlert(wishes: AlertWishes = {}): Alert {
  const alert = { ...TYPICAL, ...wishes };
  const isFiring = alert.endsAt === NEVER;
  const startsAtNs = parseTimestamp(alert.startsAt);
  if (startsAtNs === undefined) throw new Error(`not a time: ${alert.startsAt}`);
  return {
    fingerprint: fingerprintOf(alert.labels),
    ...alert,
    status: isFiring ? "firing" : "resolved",
    startsAtNs,
    endsAtNs: isFiring ? undefined : parseTimestamp(alert.endsAt),
    generatorURL: "http://prometheus.test/graph?g0.expr=up",
  };
}

/** A group of these alerts. */
export function buildGroup(
  alerts: readonly Alert[],
  wishes: Partial<Omit<AlertGroup, "alerts">> = {},
): AlertGroup {
  return {
    version: "4",
    groupKey: '{}:{alertname="BarrierLatencyHigh"}',
    receiver: "enricher",
    status: alerts.some((alert) => alert.status === "firing") ? "firing" : "resolved",
    truncatedAlerts: 0,
    externalURL: "http://alertmanager.test",
    groupLabels: { alertname: "BarrierLatencyHigh" },
    commonLabels: {},
    commonAnnotations: {},
    unknownFields: {},
    ...wishes,
    alerts,
  };
}
