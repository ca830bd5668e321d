import type { AnnotationProfile } from "../../enrich/enrichment.ts";
import type { Destination } from "../destination.ts";
import { viewGroup } from "../group-text.ts";

/** The program's standard output, for a collector of log lines. */
export interface LogOptions extends Omit<Destination, "deliver"> {
  readonly profile: AnnotationProfile;
  /** Gets one line with its line feed. */
  readonly write: (line: string) => void;
}

/** Creates the destination: one JSON line for each notification. */
export function createLog({ profile, write, ...destination }: LogOptions): Destination {
  return {
    ...destination,
    deliver({ enriched, plain }) {
      const { alerts, status, receiver, groupKey, truncatedAlerts } = viewGroup(
        enriched,
        profile,
        plain,
      );
      const lines = alerts.map(({ explanation: _explanation, ...alert }) => alert);
      const line = { destination: destination.name, status, receiver, groupKey, truncatedAlerts };
      write(`${JSON.stringify({ ...line, alerts: lines })}\n`);
      return Promise.resolve();
    },
  };
}
