import { Counter, Gauge } from "prom-client";
import type { Registry } from "prom-client";
import type { Counters } from "../enrich/ports.ts";
import type { FiringClass } from "../enrich/reading-ports.ts";
import { DECISIONS } from "../record/recommendation.ts";
import { labelOf } from "./error-class-labels.ts";
import { createEpisodeCounter } from "./episode-counter.ts";
import type { ErrorClassSummary } from "./error-class-labels.ts";

/** The part of the counters that tells of episodes, whatever was recognised in them. */
export type EpisodeCounters = Pick<Counters, "alertsRepeated" | "recommended" | "matchedLate">;

/** Metrics of episodes. */
export interface EpisodeMeters {
  readonly counters: EpisodeCounters;
  /** Fixes the classes that have a series of their own. */
  classesChosen(classes: ErrorClassSummary): void;
  /** What fires now; `undefined` where another replica reports it. */
  firing(classes: readonly FiringClass[] | undefined): void;
}

/** Registers them; combinations start at 0. */
export function createEpisodeMeters(register: Registry): EpisodeMeters {
  const { repeated, recommendations, late, firing } = createMeters(register);
  let chosen: ReadonlySet<string> = new Set();
  let standing: readonly string[] = [];
  for (const decision of DECISIONS) recommendations.start({ decision });
  for (const after of ["deadline", "late_logs"]) late.inc({ after }, 0);
  return {
    counters: {
      alertsRepeated(alerts) {
        repeated.inc(alerts);
      },
      recommended(decision, episodeId) {
        recommendations.count({ decision }, episodeId);
      },
      matchedLate(after) {
        late.inc({ after });
      },
    },
    classesChosen({ names, curated }) {
      chosen = new Set(names);
      standing = [...new Set(curated.map(({ error_class }) => error_class))];
    },
    firing(classes) {
      firing.reset();
      if (classes === undefined) return;
      for (const error_class of standing) firing.set({ error_class }, 0);
      for (const { errorClass, episodes } of classes) {
        firing.inc({ error_class: labelOf(errorClass, chosen) }, episodes);
      }
    },
  };
}

function createMeters(register: Registry) {
  const registers = [register];
  return {
    repeated: new Counter({
      name: "alertlore_alerts_repeated_total",
      help: "Alerts that told nothing new of their episode.",
      registers,
    }),
    recommendations: createEpisodeCounter(register, {
      name: "alertlore_recommendations_total",
      help: "Firings that were given a recommendation, each counted once.",
      labelNames: ["decision"],
    }),
    late: new Counter({
      name: "alertlore_late_matches_total",
      help: "Known errors that were found after a notification had gone on without them.",
      labelNames: ["after"] as const,
      registers,
    }),
    firing: new Gauge({
      name: "alertlore_episodes_firing",
      help: "Firing alerts with a known error, as one replica counts them in the store.",
      labelNames: ["error_class"] as const,
      registers,
    }),
  };
}
