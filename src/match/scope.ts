import type { Labels } from "../alert/alert.ts";
import { matchesAll } from "../alert/label-matcher.ts";
import type { ScopeTable } from "./scope-table.ts";

const STRONG_LABELS = new Set(
  "app app_kubernetes_io_name app.kubernetes.io/name k8s_app application service service_name job container container_name image deployment statefulset component unit".split(
    " ",
  ),
);
const WEAK_LABELS = new Set(["pod", "namespace", "instance", "cluster", "exported_job"]);
const VALUE_MAX = 300;

/** What an alert's labels say about the product. */
export interface LabelScope {
  /** Words of the labels that name a program. */
  readonly strong: ReadonlySet<string>;
  /** Words of the labels that name a place. */
  readonly weak: ReadonlySet<string>;
  /** Repositories that rules of the table give to these labels. */
  readonly strongRepos: ReadonlySet<string>;
  readonly weakRepos: ReadonlySet<string>;
}

/** Reads the words of the labels and the rules that hold for them; never throws on a strange value. */
export function readLabelScope(labels: Labels, table: ScopeTable): LabelScope {
  const strong = new Set<string>();
  const weak = new Set<string>();
  for (const [name, value] of Object.entries(labels)) {
    if (STRONG_LABELS.has(name)) addWords(strong, value);
    else if (WEAK_LABELS.has(name)) addWords(weak, value);
  }
  const rules = table.rules.filter((rule) => matchesAll(rule.matchers, labels));
  const reposOf = (isStrong: boolean): ReadonlySet<string> =>
    new Set(rules.filter((rule) => rule.isStrong === isStrong).flatMap((rule) => rule.repos));
  return { strong, weak, strongRepos: reposOf(true), weakRepos: reposOf(false) };
}

function addWords(words: Set<string>, value: string): void {
  const lower = value.slice(0, VALUE_MAX).toLowerCase();
  words.add(lower);
  for (const word of lower.split(/[^a-z0-9]+/)) if (word !== "") words.add(word);
}

/** Whether any name is a word of the scope or begins one (`risingwave` in `risingwavecompute`). */
export function scopeNames(words: ReadonlySet<string>, names: readonly string[]): boolean {
  return names.some(
    (name) =>
      words.has(name) || (name.length > 4 && [...words].some((word) => word.startsWith(name))),
  );
}
