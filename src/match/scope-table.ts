import type { LabelMatcher } from "../alert/label-matcher.ts";

/** Names by which a repository's program shows up in labels, prefixes and log text, lower case. */
export interface RepoNames {
  readonly repo: string;
  readonly names: readonly string[];
  /** Forms in which the program prints its reports, lower case: they name it as surely as a logger does. */
  readonly forms: readonly string[];
}

/** Label matchers that point to repositories. */
export interface ScopeRule {
  readonly matchers: readonly LabelMatcher[];
  readonly repos: readonly string[];
  /** Whether the labels name the program, or only make it likely. */
  readonly isStrong: boolean;
}

/** What is known of programs and labels; `rules/scopes.yaml` is the shipped one. */
export interface ScopeTable {
  /** By repository; one that is missing has the parts of its own name. */
  readonly programs: ReadonlyMap<string, RepoNames>;
  readonly rules: readonly ScopeRule[];
}

/** A table that knows nothing: repositories go by their own names. */
export const EMPTY_SCOPES: ScopeTable = { programs: new Map(), rules: [] };

const GENERIC_NAME_PARTS = new Set(
  "go js rs py client server lib core sdk webhooks provider the".split(" "),
);

/** Names of a repository: those of the table, else the parts of its own name. */
export function namesOf(table: ScopeTable, repo: string): RepoNames {
  return table.programs.get(repo) ?? { repo, names: ownNames(repo), forms: [] };
}

function ownNames(repo: string): readonly string[] {
  const name = repo.slice(repo.indexOf("/") + 1).toLowerCase();
  const parts = name
    .split(/[^a-z0-9]+/)
    .filter((each) => each.length > 2 && !GENERIC_NAME_PARTS.has(each));
  return [...new Set([name, ...parts])];
}
