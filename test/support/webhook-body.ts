/** A JSON body in the making; tests change and remove fields at will. */
export type JsonBody = Record<string, unknown>;

/** One alert as Alertmanager sends it. */
export function buildAlertBody(wishes: JsonBody = {}): JsonBody {
  return {
    status: "firing",
    labels: { alertname: "BarrierLatencyHigh", pod: "meta-0" },
    annotations: { summary: "Barrier latency p99 above 10s" },
    startsAt: "2026-03-14T09:26:53.589Z",
    endsAt: "0001-01-01T00:00:00Z",
    generatorURL: "http://prometheus.test/graph?g0.expr=up",
    fingerprint: "c724171e3a6f148c",
    ...wishes,
  };
}

/** A notification as Alertmanager sends it, payload version 4, keys in its order. */
export function buildGroupBody(wishes: JsonBody = {}): JsonBody {
  return {
    receiver: "enricher",
    status: "firing",
    alerts: [buildAlertBody()],
    groupLabels: { alertname: "BarrierLatencyHigh" },
    commonLabels: { alertname: "BarrierLatencyHigh", pod: "meta-0" },
    commonAnnotations: { summary: "Barrier latency p99 above 10s" },
    externalURL: "http://alertmanager.test",
    version: "4",
    groupKey: '{}:{alertname="BarrierLatencyHigh"}',
    truncatedAlerts: 0,
    ...wishes,
  };
}

/** The same without one field. */
export function without(body: JsonBody, field: string): JsonBody {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== field));
}
