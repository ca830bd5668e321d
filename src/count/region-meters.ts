import { Counter } from "prom-client";
import type { Registry } from "prom-client";
import type { RegionCounters } from "../enrich/region-counters.ts";

const RESULTS = ["opened", "changed", "closed", "forbidden", "dropped", "failed"] as const;

/** Creates the metrics on regions in Grafana in a registry; combinations start at 0. */
export function createRegionMeters(register: Registry): RegionCounters {
  const registers = [register];
  const told = new Counter({
    name: "alertlore_regions_total",
    help: "Turns of regions in Grafana, by what became of them.",
    labelNames: ["result"] as const,
    registers,
  });
  const folded = new Counter({
    name: "alertlore_regions_folded_total",
    help: "Episodes that were counted to a storm instead of getting a region of their own.",
    registers,
  });
  for (const result of RESULTS) told.inc({ result }, 0);
  return {
    regionTold(result) {
      told.inc({ result });
    },
    regionsFolded(episodes) {
      folded.inc(episodes);
    },
  };
}
