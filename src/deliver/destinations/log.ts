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
    deliver({ enriched, plain, late }) {
      const view = viewGroup(enriched, profile, { plain, late });
      const { alerts, status, receiver, groupKey, truncatedAlerts } = view;
      const lines = alerts.map(({ explanation: _explanation, ...alert }) => alert);
      const head = { destination: destination.name, status, receiver, groupKey, truncatedAlerts };
      const line = { ...head, ...(late && { late }) };
      write(`${JSON.stringify({ ...line, alerts: lines })}\n`);
      return Promise.resolve();
    },
  };
}
