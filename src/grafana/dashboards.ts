import type { DashboardPlace } from "../alert/grafana-place.ts";
import type { Clock, Logger } from "../enrich/ports.ts";
import { refusalText } from "./grafana-client.ts";
import type { GrafanaClient } from "./grafana-client.ts";

/** How long it is believed whether a dashboard can be written on. */
const KEPT_MS = 600_000;
const KEPT_MAX = 1000;

/** Which dashboards of one organisation can be written on. */
export interface Dashboards {
  /** The place, or `undefined` when there is no such dashboard. */
  check(place: DashboardPlace | undefined): Promise<DashboardPlace | undefined>;
  /** Hears that the dashboard did not take an annotation. */
  refuse(place: DashboardPlace, reason: string): void;
}

/**
 * Creates the memory of one organisation. Grafana stores an annotation for a dashboard that does not exist
 * without it, and says nothing; so it is asked first. What cannot be written on is named in the log once, not
 * for every alert.
 */
export function createDashboards(options: {
  readonly client: GrafanaClient;
  readonly clock: Pick<Clock, "nowMs">;
  readonly logger: Logger;
}): Dashboards {
  const { client, clock, logger } = options;
  const known = new Map<string, { isUsable: boolean; untilMs: number }>();
  const said = new Set<string>();
  const keep = (uid: string, isUsable: boolean) => {
    if (known.size >= KEPT_MAX) known.clear();
    known.set(uid, { isUsable, untilMs: clock.nowMs() + KEPT_MS });
  };
  const sayOnce = (uid: string, reason: string, message: string) => {
    if (said.has(uid) || said.size >= KEPT_MAX) return;
    said.add(uid);
    logger.warn({ dashboard: uid, reason }, message);
  };
  const refuse = ({ uid }: DashboardPlace, reason: string) => {
    keep(uid, false);
    sayOnce(uid, reason, "regions go to all dashboards, not to the alert's own");
  };
  return {
    refuse,
    async check(place) {
      if (place === undefined) return undefined;
      const { uid } = place;
      const cached = known.get(uid);
      if (cached !== undefined && cached.untilMs > clock.nowMs()) {
        return cached.isUsable ? place : undefined;
      }
      const answer = await client({ method: "GET", path: `/api/dashboards/uid/${uid}` });
      if (answer.status !== 200 && answer.status !== 403) {
        refuse(place, refusalText(answer));
        return undefined;
      }
      // Whoever may not read dashboards may yet be allowed to write on them.
      if (answer.status === 403) sayOnce("", refusalText(answer), "dashboards cannot be checked");
      keep(uid, true);
      return place;
    },
  };
}
