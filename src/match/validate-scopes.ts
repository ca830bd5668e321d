import {
  type LabelMatcher,
  LabelMatcherError,
  parseLabelMatchers,
} from "../alert/label-matcher.ts";
import type { RepoNames, ScopeRule, ScopeTable } from "./scope-table.ts";

/** What is wrong in a file of scopes, and where: a path such as `scopes[2].match`. */
export interface ScopeFault {
  readonly path: string;
  readonly message: string;
}

/** Either the table, or every fault that keeps the file from being used. */
export type ScopesCheck =
  | { readonly scopes: ScopeTable; readonly faults: readonly [] }
  | { readonly scopes: undefined; readonly faults: readonly ScopeFault[] };

type Mapping = Readonly<Record<string, unknown>>;

const NAME_LENGTH_MAX = 200;

/**
 * Checks a parsed file of scopes (`rules/scopes.yaml`) and gives the table, or all faults at once. Never
 * throws.
 *
 * @param parsed - What the YAML reader gave; nothing at all is an empty table.
 */
export function validateScopes(parsed: unknown): ScopesCheck {
  const faults: ScopeFault[] = [];
  const top = readMapping(parsed ?? {}, "", faults);
  refuseOthers(top, ["programs", "scopes"], { path: "", faults });
  const programs = new Map<string, RepoNames>();
  for (const [repo, value] of Object.entries(
    readMapping(top["programs"] ?? {}, "programs", faults),
  )) {
    programs.set(repo, readProgram(repo, value, faults));
  }
  const rules = readList(top["scopes"] ?? [], "scopes", faults).map((value, i) =>
    readRule(value, `scopes[${i}]`, faults),
  );
  return faults.length > 0
    ? { scopes: undefined, faults }
    : { scopes: { programs, rules }, faults: [] };
}

function readProgram(repo: string, value: unknown, faults: ScopeFault[]): RepoNames {
  const path = `programs.${repo}`;
  if (!/^[^/\s]+\/[^/\s]+$/.test(repo))
    faults.push({ path, message: "must be a repository, owner/name" });
  const program = readMapping(value, path, faults);
  refuseOthers(program, ["names", "report_forms"], { path, faults });
  const names = readTexts(program["names"], `${path}.names`, faults);
  if (names.length === 0)
    faults.push({ path: `${path}.names`, message: "must have at least one name" });
  return {
    repo,
    names,
    forms: readTexts(program["report_forms"] ?? [], `${path}.report_forms`, faults),
  };
}

function readRule(value: unknown, path: string, faults: ScopeFault[]): ScopeRule {
  const rule = readMapping(value, path, faults);
  refuseOthers(rule, ["match", "repos", "strength"], { path, faults });
  const repos = readTexts(rule["repos"], `${path}.repos`, faults, false);
  if (repos.length === 0)
    faults.push({ path: `${path}.repos`, message: "must have at least one repository" });
  const strength = rule["strength"] ?? "strong";
  if (strength !== "strong" && strength !== "weak") {
    faults.push({ path: `${path}.strength`, message: "must be strong or weak" });
  }
  return {
    matchers: readMatchers(rule["match"], `${path}.match`, faults),
    repos,
    isStrong: strength === "strong",
  };
}

function readMatchers(value: unknown, path: string, faults: ScopeFault[]): readonly LabelMatcher[] {
  if (typeof value !== "string") {
    faults.push({ path, message: 'must be label matchers such as app=~"loki.*"' });
    return [];
  }
  try {
    return parseLabelMatchers(value);
  } catch (error) {
    if (!(error instanceof LabelMatcherError)) throw error;
    faults.push({ path, message: error.message });
    return [];
  }
}

function readTexts(
  value: unknown,
  path: string,
  faults: ScopeFault[],
  isLower = true,
): readonly string[] {
  return readList(value, path, faults).flatMap((each, i) => {
    if (typeof each === "string" && each !== "" && each.length <= NAME_LENGTH_MAX) {
      return [isLower ? each.toLowerCase() : each];
    }
    faults.push({
      path: `${path}[${i}]`,
      message: `must be a text of 1 to ${NAME_LENGTH_MAX} characters`,
    });
    return [];
  });
}

function readList(value: unknown, path: string, faults: ScopeFault[]): readonly unknown[] {
  if (Array.isArray(value)) return value as readonly unknown[];
  faults.push({ path, message: "must be a list" });
  return [];
}

function readMapping(value: unknown, path: string, faults: ScopeFault[]): Mapping {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Mapping;
  faults.push({ path, message: "must be a mapping" });
  return {};
}

function refuseOthers(
  mapping: Mapping,
  known: readonly string[],
  at: { path: string; faults: ScopeFault[] },
): void {
  for (const key of Object.keys(mapping)) {
    if (known.includes(key)) continue;
    at.faults.push({
      path: at.path === "" ? key : `${at.path}.${key}`,
      message: `is not known; known are ${known.join(", ")}`,
    });
  }
}
