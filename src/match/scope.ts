import type { Labels } from "../alert/alert.ts";

/** Names by which a repository's program shows up in labels, prefixes and log text, lower case. */
export interface RepoNames {
  readonly repo: string;
  readonly names: readonly string[];
  /** Forms in which the program prints its reports, lower case: they name it as surely as a logger does. */
  readonly forms: readonly string[];
}

const GENERIC_NAME_PARTS = new Set([
  "go",
  "js",
  "rs",
  "py",
  "client",
  "server",
  "lib",
  "core",
  "sdk",
  "webhooks",
  "provider",
  "the",
]);

/**
 * Well-known programs that are not called like their repository. Operators add theirs in
 * `rules/scopes.yaml`.
 */
const WELL_KNOWN: Readonly<Record<string, readonly string[]>> = {
  "risingwavelabs/risingwave": ["risingwave", "rw", "hummock"],
  "postgres/postgres": ["postgres", "postgresql", "pg"],
  "kubernetes/client-go": ["kubernetes", "kube", "kubelet", "k8s", "client-go"],
  "kubernetes/kubernetes": ["kubernetes", "kube", "kubelet", "k8s"],
  "grafana/loki": ["loki", "promtail"],
  "argoproj/argo-cd": ["argocd", "argo"],
  "prometheus/alertmanager": ["alertmanager"],
  "tikv/tikv": ["tikv"],
  "debezium/debezium": ["debezium", "dbz"],
  "etcd-io/etcd": ["etcd", "etcdserver"],
};

const REPORT_FORMS: Readonly<Record<string, readonly string[]>> = {
  "risingwavelabs/risingwave": ["caused by these errors (recent errors listed first)"],
};

/** Names of a repository: the well-known ones, else the parts of its own name. */
export function namesOf(repo: string): RepoNames {
  return { repo, names: WELL_KNOWN[repo] ?? ownNames(repo), forms: REPORT_FORMS[repo] ?? [] };
}

function ownNames(repo: string): readonly string[] {
  const name = repo.slice(repo.indexOf("/") + 1).toLowerCase();
  const parts = name
    .split(/[^a-z0-9]+/)
    .filter((each) => each.length > 2 && !GENERIC_NAME_PARTS.has(each));
  return [...new Set([name, ...parts])];
}

const STRONG_LABELS = new Set([
  "app",
  "app_kubernetes_io_name",
  "app.kubernetes.io/name",
  "k8s_app",
  "application",
  "service",
  "service_name",
  "job",
  "container",
  "container_name",
  "image",
  "deployment",
  "statefulset",
  "component",
  "unit",
]);
const WEAK_LABELS = new Set(["pod", "namespace", "instance", "cluster", "exported_job"]);

/** What an alert's labels say about the product. */
export interface LabelScope {
  /** Words of the labels that name a program. */
  readonly strong: ReadonlySet<string>;
  /** Words of the labels that name a place. */
  readonly weak: ReadonlySet<string>;
  /** Repositories that the operator's scopes give to these labels. */
  readonly repos: ReadonlySet<string>;
}

/** Reads the words of the labels; never throws on a strange value. */
export function readLabelScope(labels: Labels): LabelScope {
  const strong = new Set<string>();
  const weak = new Set<string>();
  for (const [name, value] of Object.entries(labels)) {
    const into = STRONG_LABELS.has(name) ? strong : WEAK_LABELS.has(name) ? weak : undefined;
    if (into === undefined) continue;
    const lower = value.slice(0, 300).toLowerCase();
    into.add(lower);
    for (const word of lower.split(/[^a-z0-9]+/)) if (word !== "") into.add(word);
  }
  return { strong, weak, repos: new Set() };
}

/** Whether any name is a word of the scope or begins one (`risingwave` in `risingwavecompute`). */
export function scopeNames(words: ReadonlySet<string>, names: readonly string[]): boolean {
  return names.some(
    (name) =>
      words.has(name) || (name.length > 4 && [...words].some((word) => word.startsWith(name))),
  );
}
