import { Counter, Histogram } from "prom-client";
import type { Registry } from "prom-client";
import type { Counters } from "../enrich/ports.ts";

/** What is counted of the proxy. */
export type ProxyCounters = Pick<
  Counters,
  "proxyForwarded" | "proxyPosted" | "proxyHeld" | "proxyPushed"
>;

/** Meters of the proxy, with the values that their labels may have. */
export interface ProxyMeters {
  readonly counters: ProxyCounters;
  /** Starts the combinations of the configured Alertmanagers at 0. */
  upstreamsConfigured(names: readonly string[]): void;
}

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const FORWARD_RESULTS = ["success", "refused", "failure"] as const;

/** Creates the metrics on the proxy in a registry; combinations start at 0. */
export function createProxyMeters(register: Registry): ProxyMeters {
  const meters = createMeters([register]);
  let upstreams: ReadonlySet<string> = new Set();
  return {
    counters: {
      proxyForwarded(name, result, seconds) {
        const upstream = upstreams.has(name) ? name : "other";
        meters.requests.inc({ upstream, result });
        meters.seconds.observe({ upstream }, seconds);
      },
      proxyPosted(how) {
        meters.posts.inc({ how });
      },
      proxyHeld(result) {
        meters.holds.inc({ result });
      },
      proxyPushed(result, alerts) {
        meters.pushes.inc({ result }, alerts);
      },
    },
    upstreamsConfigured(names) {
      upstreams = new Set(names);
      for (const upstream of names)
        for (const result of FORWARD_RESULTS) meters.requests.inc({ upstream, result }, 0);
    },
  };
}

function createMeters(registers: Registry[]) {
  const requests = new Counter({
    name: "alertlore_proxy_upstream_requests_total",
    help: "Posts of alerts to one Alertmanager behind the proxy, by what became of them.",
    labelNames: ["upstream", "result"] as const,
    registers,
  });
  const seconds = new Histogram({
    name: "alertlore_proxy_upstream_duration_seconds",
    help: "Time of one post of alerts to one Alertmanager, to the end of the answer.",
    labelNames: ["upstream"] as const,
    buckets: BUCKETS,
    registers,
  });
  const posts = new Counter({
    name: "alertlore_proxy_posts_total",
    help: "Posts to the proxy: looked at, passed on as they came, or refused.",
    labelNames: ["how"] as const,
    registers,
  });
  const holds = new Counter({
    name: "alertlore_proxy_holds_total",
    help: "Posts held back for enrichments, by whether these came in time.",
    labelNames: ["result"] as const,
    registers,
  });
  const pushes = new Counter({
    name: "alertlore_proxy_pushed_alerts_total",
    help: "Alerts whose annotations were sent after them, or were not.",
    labelNames: ["result"] as const,
    registers,
  });
  for (const how of ["annotated", "passed_through", "refused"]) posts.inc({ how }, 0);
  for (const result of ["done", "expired"]) holds.inc({ result }, 0);
  for (const result of ["success", "failure", "dropped"]) pushes.inc({ result }, 0);
  return { requests, seconds, posts, holds, pushes };
}
