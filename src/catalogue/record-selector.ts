import type { KnownError } from "../record/known-error.ts";
import { classOf } from "../record/known-error.ts";
import { isObject } from "./record-schema.ts";

/** Which records a mute or an overlay is about: those for which every condition holds. */
export interface RecordSelector {
  /** One of these ids; `undefined`: any. */
  readonly ids: ReadonlySet<string> | undefined;
  /** `owner/name` with its case; `undefined`: any. */
  readonly repo: string | undefined;
  /** The record's class as annotations and metrics name it; `undefined`: any. */
  readonly class: string | undefined;
  /** The whole `errorMessage`, placeholders as they stand in the source; `undefined`: any. */
  readonly template: string | undefined;
}

/** What is wrong with a file of mutes or overlays. */
export interface RuleFault {
  /** As `mutes[2].repo`; empty for the whole file. */
  readonly path: string;
  readonly message: string;
}

/** Collects the faults of one file. */
export type ReportFault = (path: string, message: string) => void;

/** The keys that a selector is written with. */
export const SELECTOR_KEYS = ["id", "repo", "class", "template"] as const;

const TEXT_CHARS_MAX = 16_384;
const MEMBERS_MAX = 10_000;

/** Whether a record is one of those that a selector is about. */
export function isSelected(selector: RecordSelector, record: KnownError): boolean {
  const { ids, repo, class: name, template } = selector;
  return (
    (ids === undefined || ids.has(record.id)) &&
    (repo === undefined || repo === record.repo) &&
    (name === undefined || name === classOf(record)) &&
    (template === undefined || template === record.errorMessage)
  );
}

/** Reads the selector's keys of one mapping; at least one of them has to be there. */
export function readSelector(
  mapping: Readonly<Record<string, unknown>>,
  path: string,
  report: ReportFault,
): RecordSelector {
  if (SELECTOR_KEYS.every((key) => mapping[key] === undefined)) {
    report(path, `names no record: give one of ${SELECTOR_KEYS.join(", ")}`);
  }
  return {
    ids: readIds(mapping["id"], `${path}.id`, report),
    repo: readText(mapping["repo"], `${path}.repo`, report),
    class: readText(mapping["class"], `${path}.class`, report),
    template: readText(mapping["template"], `${path}.template`, report),
  };
}

function readIds(value: unknown, path: string, report: ReportFault): RecordSelector["ids"] {
  if (value === undefined) return undefined;
  const ids: readonly unknown[] = Array.isArray(value) ? value : [value];
  // YAML reads sixteen decimal digits without quotes as a number, which has lost its last ones.
  const isSound = ids.every((id) => typeof id === "string" && /^[0-9a-f]{16}$/u.test(id));
  if (!isSound) report(path, "must be 16 lower-case hex digits in quotes, or a list of such");
  return new Set(ids.filter((id) => typeof id === "string"));
}

/** A text that is not empty, or `undefined` where the key is absent. */
export function readText(value: unknown, path: string, report: ReportFault): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string" && value !== "" && value.length <= TEXT_CHARS_MAX) return value;
  report(path, `must be text of 1 to ${TEXT_CHARS_MAX} characters`);
  return undefined;
}

/**
 * Reads a file that is one list of mappings under one key, each with known keys only. `readMember`
 * gets each mapping with its path; a member with a fault is left out, for half of a selector would
 * select too much. An empty file is an empty list.
 */
export function readRuleList<T>(
  tree: unknown,
  shape: { readonly key: string; readonly memberKeys: readonly string[] },
  readMember: (mapping: Readonly<Record<string, unknown>>, path: string, report: ReportFault) => T,
): { readonly members: readonly T[]; readonly faults: readonly RuleFault[] } {
  const faults: RuleFault[] = [];
  const report: ReportFault = (path, message) => faults.push({ path, message });
  if (tree === null || tree === undefined) return { members: [], faults };
  if (!isObject(tree)) {
    report("", `must be a mapping with the key ${shape.key}`);
    return { members: [], faults };
  }
  reportUnknownKeys(tree, [shape.key], "", report);
  const list = tree[shape.key] ?? [];
  if (!Array.isArray(list) || list.length > MEMBERS_MAX) {
    report(shape.key, `must be a list of at most ${MEMBERS_MAX} mappings`);
    return { members: [], faults };
  }
  const members = list.flatMap((member: unknown, index) => {
    const path = `${shape.key}[${index}]`;
    if (!isObject(member)) {
      report(path, "must be a mapping");
      return [];
    }
    const faultsBefore = faults.length;
    reportUnknownKeys(member, shape.memberKeys, `${path}.`, report);
    const read = readMember(member, path, report);
    return faults.length === faultsBefore ? [read] : [];
  });
  return { members, faults };
}

function reportUnknownKeys(
  mapping: Readonly<Record<string, unknown>>,
  known: readonly string[],
  prefix: string,
  report: ReportFault,
): void {
  for (const key of Object.keys(mapping)) {
    if (!known.includes(key)) {
      report(`${prefix}${key}`, `is no known key; known are ${known.join(", ")}`);
    }
  }
}
