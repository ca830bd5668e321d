import { Counter, Gauge, Histogram } from "prom-client";
import type { Registry } from "prom-client";
import { UPSTREAM_REASONS } from "../enrich/outcome.ts";
import type { BreakerState, Counters } from "../enrich/ports.ts";

/** What is counted of the questions to Loki. */
export type LokiCounters = Pick<Counters, "lokiAsked" | "lokiRefused" | "lokiBreaker" | "lateLogs">;

const BREAKER_STATES: readonly BreakerState[] = ["closed", "open", "half_open"];
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Creates the metrics on Loki in a registry; combinations start at 0. */
export function createLokiMeters(register: Registry): LokiCounters {
  const registers = [register];
  const queries = new Counter({
    name: "alertlore_loki_queries_total",
    help: "Requests to Loki by what became of them.",
    labelNames: ["result"] as const,
    registers,
  });
  const refused = new Counter({
    name: "alertlore_loki_queries_refused_total",
    help: "Requests to Loki that were not sent, by what kept them.",
    labelNames: ["reason"] as const,
    registers,
  });
  const seconds = new Histogram({
    name: "alertlore_loki_query_duration_seconds",
    help: "Time of one request to Loki, to the end of the answer.",
    buckets: BUCKETS,
    registers,
  });
  const breaker = new Gauge({
    name: "alertlore_loki_breaker_state",
    help: "1 for the state that the circuit breaker of Loki is in.",
    labelNames: ["state"] as const,
    registers,
  });
  const up = new Gauge({
    name: "alertlore_loki_up",
    help: "Whether the last request to Loki was answered; absent until there was one.",
    registers,
  });
  // Without this prom-client shows 0 for a Loki that nobody has asked or configured.
  up.remove();
  const late = new Counter({
    name: "alertlore_late_logs_total",
    help: "Later looks for the logs of an episode, by what they found.",
    labelNames: ["result"] as const,
    registers,
  });
  for (const result of ["success", ...UPSTREAM_REASONS]) queries.inc({ result }, 0);
  for (const reason of ["budget", "breaker", "queue"]) refused.inc({ reason }, 0);
  for (const result of ["found", "empty", "failed", "dropped"]) late.inc({ result }, 0);
  return {
    lokiAsked(result, duration) {
      queries.inc({ result });
      seconds.observe(duration);
      const isDown = ["throttled", "timeout", "unreachable", "server"].includes(result);
      up.set(isDown ? 0 : 1);
    },
    lokiRefused(reason) {
      refused.inc({ reason });
    },
    lokiBreaker(state) {
      for (const name of BREAKER_STATES) breaker.set({ state: name }, name === state ? 1 : 0);
    },
    lateLogs(result) {
      late.inc({ result });
    },
  };
}
