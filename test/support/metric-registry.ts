import { createMetrics } from "../../src/count/metrics.ts";
import { summarizeClasses } from "../../src/count/error-class-labels.ts";
import { buildRecord } from "./build-record.ts";
import { createRecordingLogger } from "./recording-logger.ts";

/** The metrics that exist, by name: for each label the values that stand there from the start. */
export type MetricRegistry = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;

/** Labels whose values come from the configuration, the catalogue or the build. */
const OPEN_LABELS = new Set([
  ...["error_class", "destination", "upstream", "version", "revision", "nodeversion"],
  ...["job", "instance"],
]);
/** What Prometheus adds to every sample it scrapes. */
const TARGET_LABELS = ["job", "instance"];

/** Metrics in an expression: ours, those of the process, recorded ones and `up`; then its matchers. */
const METRICS = /\b((?:alertlore_|process_|nodejs_)\w+|[a-z_]+:[a-z0-9_:]+|up\b)(\{[^}]*\})?/gu;

/** Reads the names, labels and values of all metrics off what `GET /metrics` shows. */
export async function readMetricRegistry(): Promise<MetricRegistry> {
  const metrics = createMetrics({ version: "1", revision: "r" }, createRecordingLogger());
  metrics.catalogueLoaded({
    classes: summarizeClasses([buildRecord(1)]),
    counts: { used: 1, vague: 0, muted: 0, overridden: 0, skipped: 0 },
    datasetVersion: "2026-08-02T00:00:00.000Z",
  });
  metrics.destinationsConfigured(["pager"]);
  metrics.upstreamsConfigured(["am"]);
  metrics.outboxDepths([]);
  metrics.episodesFiring([]);
  metrics.counters.delivered("pager", "success", 0.1);
  metrics.counters.proxyForwarded("am", "success", 0.1);
  metrics.counters.lokiBreaker("closed");
  return readExposition((await metrics.expose("plain")).body);
}

function readExposition(text: string): MetricRegistry {
  const lines = text.split("\n");
  const names = lines.flatMap((line) => /^# TYPE (\S+)/u.exec(line)?.[1] ?? []);
  const registry = new Map(["up", ...names].map((name) => [name, new Map<string, Set<string>>()]));
  for (const line of lines) {
    const [, name = "", pairs = ""] = /^([a-z_]+)\{(.*)\} /u.exec(line) ?? [];
    const labels = registry.get(baseName(name, registry));
    for (const [, label = "", value = ""] of pairs.matchAll(/(\w+)="([^"]*)"/gu)) {
      labels?.set(label, (labels.get(label) ?? new Set()).add(value));
    }
  }
  return registry;
}

/**
 * What a PromQL expression says of our metrics that cannot be: a metric, a label or a label's value that
 * does not exist. `recorded` are the names that recording rules make. Values that begin with `$` are
 * variables of a dashboard.
 */
export function findMetricFaults(
  expression: string,
  registry: MetricRegistry,
  recorded: ReadonlySet<string>,
): readonly string[] {
  const faults: string[] = [];
  const grouped = [...expression.matchAll(/\b(?:by|on|without|ignoring) ?\(([^)]*)\)/gu)]
    .flatMap(([, names = ""]) => names.split(","))
    .map((name) => name.trim());
  const known = new Set(TARGET_LABELS);
  const selectors = expression.matchAll(METRICS);
  for (const [, metric = "", matchers = ""] of selectors) {
    if (recorded.has(metric)) {
      for (const label of (metric.split(":")[0] ?? "").split(/(?<=job)_/u)) known.add(label);
      continue;
    }
    const labels = registry.get(baseName(metric, registry));
    if (labels === undefined) {
      faults.push(`no metric ${metric}`);
      continue;
    }
    for (const label of labels.keys()) known.add(label);
    faults.push(...matcherFaults(metric, matchers, labels));
  }
  return [
    ...faults,
    ...grouped.filter((name) => !known.has(name)).map((name) => `no label ${name}`),
  ];
}

function matcherFaults(
  metric: string,
  matchers: string,
  labels: ReadonlyMap<string, ReadonlySet<string>>,
): readonly string[] {
  return [...matchers.matchAll(/(\w+) ?(?:=~|!~|!=|=) ?"([^"]*)"/gu)].flatMap(
    ([, label = "", wanted = ""]) => {
      if (!labels.has(label) && !TARGET_LABELS.includes(label)) {
        return [`${metric} has no label ${label}`];
      }
      if (OPEN_LABELS.has(label)) return [];
      return wanted
        .split("|")
        .filter((value) => !value.startsWith("$") && labels.get(label)?.has(value) !== true)
        .map((value) => `${metric} has no ${label} ${value}`);
    },
  );
}

/** Histograms are registered under one name and sampled under three. */
function baseName(name: string, registry: ReadonlyMap<string, unknown>): string {
  const base = name.replace(/_(?:bucket|sum|count)$/u, "");
  return registry.has(name) ? name : base;
}
