import { Registry } from "prom-client";
import type { Metric, OpenMetricsContentType } from "prom-client";

/** The answer to a scrape. */
export interface Exposition {
  readonly contentType: string;
  readonly body: string;
}

/** Text format 0.0.4, one registry behind the other. It has no exemplars. */
export async function exposePlain(registries: readonly Registry[]): Promise<Exposition> {
  const bodies = await Promise.all(registries.map((registry) => registry.metrics()));
  return { contentType: Registry.PROMETHEUS_CONTENT_TYPE, body: bodies.join("\n") };
}

/**
 * The same metrics as OpenMetrics 1.0, with exemplars.
 *
 * A registry of prom-client has one format, and one of OpenMetrics takes `_total` off the names of its
 * counters for good. So every answer has a registry of its own, of objects derived from the metrics:
 * they read the same values, and a name that is changed on them is theirs alone.
 */
export async function exposeOpenMetrics(registries: readonly Registry[]): Promise<Exposition> {
  const derived = new Registry<OpenMetricsContentType>();
  derived.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  for (const registry of registries) {
    for (const { name } of registry.getMetricsAsArray()) {
      const metric = registry.getSingleMetric(name);
      if (metric !== undefined) derived.registerMetric(Object.create(metric) as Metric);
    }
  }
  return { contentType: derived.contentType, body: await derived.metrics() };
}

/**
 * Whether whoever sends this `Accept` header would rather have OpenMetrics 1.0 than text format 0.0.4.
 *
 * Prometheus 2.42 sends `application/openmetrics-text;version=1.0.0`, older versions and plain text behind
 * it with lower `q`; Prometheus 3 adds `escaping`, which changes nothing for names like ours. Without the
 * header, or with wildcards alone, it is the plain format.
 */
export function prefersOpenMetrics(accept = ""): boolean {
  const ranges = accept.split(",").map(readRange);
  const best = (types: readonly string[], version: string) =>
    Math.max(
      0,
      ...ranges
        .filter((range) => types.includes(range.type))
        .filter((range) => (range.version ?? version) === version)
        .map(({ quality }) => quality),
    );
  const openMetrics = best(["application/openmetrics-text"], "1.0.0");
  return openMetrics > 0 && openMetrics >= best(["text/plain", "text/*", "*/*"], "0.0.4");
}

interface MediaRange {
  readonly type: string;
  readonly version: string | undefined;
  /** 0 to 1; 0 where it cannot be read. */
  readonly quality: number;
}

function readRange(text: string): MediaRange {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const named = new Map(
    parameters.map((parameter) => {
      const [name = "", value = ""] = parameter.split("=", 2);
      return [name.trim(), value.trim()] as const;
    }),
  );
  const quality = Number(named.get("q") ?? 1);
  return {
    type,
    version: named.get("version"),
    quality: quality >= 0 && quality <= 1 ? quality : 0,
  };
}
