import { Counter, Gauge } from "prom-client";
import type { Registry } from "prom-client";
import type { Counters } from "../enrich/ports.ts";

/** The part of the counters that tells of outbox and store. */
export type OutboxCounters = Pick<Counters, "deliveryEnded" | "templateFailed" | "storeFailed">;

/** How much of each state stands in the outbox for each destination; what is not named is 0. */
export type OutboxDepths = readonly {
  readonly destination: string;
  readonly state: "pending" | "dead";
  readonly count: number;
}[];

/** Metrics of outbox and store. */
export interface OutboxMeters {
  readonly counters: OutboxCounters;
  /** Starts the combinations of the configured destinations at 0. */
  destinationsConfigured(names: readonly string[]): void;
  depths(depths: OutboxDepths): void;
}

const ENDS = ["copy", "replaced", "dropped", "dead"] as const;

/** Registers them. Destinations that are not configured count as `other`. */
export function createOutboxMeters(register: Registry): OutboxMeters {
  const meters = createMeters([register]);
  let configured: ReadonlySet<string> = new Set();
  const known = (destination: string) => (configured.has(destination) ? destination : "other");
  for (const answer of ["refused", "passed_through"]) meters.storeFailures.inc({ answer }, 0);
  return {
    counters: {
      deliveryEnded(destination, how) {
        meters.ends.inc({ destination: known(destination), how });
      },
      templateFailed(destination) {
        meters.templateFailures.inc({ destination: known(destination) });
      },
      storeFailed(answer) {
        meters.storeFailures.inc({ answer });
      },
    },
    destinationsConfigured(names) {
      configured = new Set(names);
      for (const destination of names) {
        for (const how of ENDS) meters.ends.inc({ destination, how }, 0);
        meters.templateFailures.inc({ destination }, 0);
      }
    },
    depths(depths) {
      for (const destination of configured) {
        const countOf = (wanted: string) =>
          depths.find((depth) => depth.destination === destination && depth.state === wanted)
            ?.count ?? 0;
        meters.pending.set({ destination }, countOf("pending"));
        meters.dead.set({ destination }, countOf("dead"));
      }
    },
  };
}

function createMeters(registers: Registry[]) {
  return {
    ends: new Counter({
      name: "alertlore_deliveries_ended_total",
      help: "Notifications that needed no sending, or could have none.",
      labelNames: ["destination", "how"] as const,
      registers,
    }),
    templateFailures: new Counter({
      name: "alertlore_template_failures_total",
      help: "Text templates that broke, so that the default text went out.",
      labelNames: ["destination"] as const,
      registers,
    }),
    storeFailures: new Counter({
      name: "alertlore_store_failures_total",
      help: "Notifications that the store could not take.",
      labelNames: ["answer"] as const,
      registers,
    }),
    pending: new Gauge({
      name: "alertlore_deliveries_pending",
      help: "Notifications that wait for a destination.",
      labelNames: ["destination"] as const,
      registers,
    }),
    dead: new Gauge({
      name: "alertlore_deliveries_dead",
      help: "Notifications that were given up and can be sent again.",
      labelNames: ["destination"] as const,
      registers,
    }),
  };
}
