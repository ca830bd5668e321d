import type { AlertGroup } from "../alert/alert.ts";
import type { NewDelivery } from "../enrich/delivery-ports.ts";
import type { Destination } from "./destination.ts";

/** What each destination is to be told of a group: the members that go there, by status. */
export function planDeliveries(
  destinations: readonly Destination[],
  around: { readonly group: AlertGroup; readonly nowMs: number; readonly copyWindowMs: number },
): readonly NewDelivery[] {
  const { group, nowMs, copyWindowMs } = around;
  return destinations.flatMap((destination) => {
    const members = group.alerts.filter((alert) => destination.accepts(alert.labels));
    if (members.length === 0) return [];
    const ofStatus = (status: string) => [
      ...new Set(
        members.filter((alert) => alert.status === status).map((alert) => alert.fingerprint),
      ),
    ];
    return {
      destination: destination.name,
      firing: ofStatus("firing"),
      resolved: ofStatus("resolved"),
      expiresMs: nowMs + destination.expireAfterMs,
      copyWindowMs,
      every: destination.every,
    };
  });
}
