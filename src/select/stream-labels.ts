import type { Labels } from "../alert/alert.ts";
import { LABEL_VALUE_BYTES_MAX, quoteText, utf8Length } from "../log/query-template.ts";

/** What an alert label may be about, and what it is called: first what alerts prefer, by Loki's usual names. */
interface Concept {
  /** Names in alerts, the best first: `exported_pod` is the pod meant, `pod` may be the exporter's. */
  readonly inAlerts: readonly string[];
  /** Names of stream labels, the usual one first. */
  readonly inLoki: readonly string[];
}

/** What pins a query to one place. */
const PLACES: readonly Concept[] = [
  {
    inAlerts: ["exported_pod", "pod", "pod_name", "kubernetes_pod_name", "k8s_pod_name"],
    inLoki: ["pod", "pod_name", "k8s_pod_name", "kubernetes_pod_name", "instance"],
  },
  {
    inAlerts: ["exported_container", "container", "container_name", "k8s_container_name"],
    inLoki: ["container", "container_name", "k8s_container_name", "kubernetes_container_name"],
  },
];
const INSTANCE: Concept = {
  inAlerts: ["exported_instance", "instance", "host", "hostname", "node", "nodename"],
  inLoki: ["instance", "host", "hostname", "node", "node_name", "nodename"],
};
const NAMESPACE: Concept = {
  inAlerts: ["exported_namespace", "namespace", "kubernetes_namespace", "k8s_namespace_name"],
  inLoki: ["namespace", "k8s_namespace_name", "kubernetes_namespace", "kubernetes_namespace_name"],
};
const CLUSTER: Concept = {
  inAlerts: ["cluster", "k8s_cluster_name"],
  inLoki: ["cluster", "k8s_cluster_name"],
};
const SERVICE: Concept = {
  inAlerts: ["service_name", "app", "app_kubernetes_io_name", "application", "service", "job"],
  inLoki: ["service_name", "app", "app_kubernetes_io_name", "application", "service", "job"],
};

/** Matchers that a query can be built from, each `name="value"`. */
export interface StreamMatchers {
  /** Of a pod, container or instance; empty when the alert names none. */
  readonly place: readonly string[];
  /** Of namespace, cluster and, where no place is named, service. */
  readonly around: readonly string[];
  /** Of the service alone. */
  readonly service: readonly string[];
}

/**
 * Finds what an alert's labels say about streams, by the usual synonyms. `known`: Loki's label names;
 * when they are not known the most usual names are taken.
 */
export function matchStreams(
  labels: Labels,
  known: ReadonlySet<string> | undefined,
): StreamMatchers {
  const find = (concept: Concept) => matcherFor(concept, labels, known);
  const pod = PLACES.flatMap(find);
  const place = pod.length > 0 ? pod : find(INSTANCE);
  // A label that only some agents add would empty the answer: it must be known to be there.
  const cluster = known === undefined ? [] : find(CLUSTER);
  return { place, around: [...cluster, ...find(NAMESPACE)], service: find(SERVICE) };
}

function matcherFor(
  { inAlerts, inLoki }: Concept,
  labels: Labels,
  known: ReadonlySet<string> | undefined,
): string[] {
  const source = inAlerts.find((name) => isUsable(valueOf(labels, name)));
  const name = known === undefined ? inLoki[0] : inLoki.find((candidate) => known.has(candidate));
  if (source === undefined || name === undefined) return [];
  const value = valueOf(labels, source);
  // An exporter's port is part of `instance` in metrics, and of no host's name.
  const isHost = source.endsWith("instance") && name !== "instance";
  return [`${name}=${quoteText(isHost ? value.replace(/:\d{1,5}$/u, "") : value)}`];
}

/** Never the labels that a rule adds about the alert itself. */
const ABOUT_THE_ALERT = new Set(["alertname", "severity", "alertstate", "__name__"]);

/** Words that LogQL reserves: a label of such a name cannot be selected, in whatever case. */
const RESERVED = new Set(
  "by without bool on ignoring offset group_left group_right or and unless json logfmt regexp pattern unpack unwrap line_format label_format decolorize drop keep".split(
    " ",
  ),
);

/** A matcher for each label of an alert that streams have too, names as they are. */
export function pinByLabels(labels: Labels, known: ReadonlySet<string>): [string, string][] {
  return Object.keys(labels)
    .filter((name) => known.has(name) && isSelectable(name) && isUsable(valueOf(labels, name)))
    .map((name) => [name, `${name}=${quoteText(valueOf(labels, name))}`]);
}

function isSelectable(name: string): boolean {
  const isName = /^[a-zA-Z_][a-zA-Z0-9_]*$/u.test(name);
  return isName && !RESERVED.has(name.toLowerCase()) && !ABOUT_THE_ALERT.has(name);
}

function isUsable(value: string): boolean {
  return value !== "" && utf8Length(value) <= LABEL_VALUE_BYTES_MAX;
}

function valueOf(labels: Labels, name: string): string {
  return Object.hasOwn(labels, name) ? (labels[name] ?? "") : "";
}
