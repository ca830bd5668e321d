import type { CatalogueRecord } from "../record/known-error.ts";
import {
  isSelected,
  readRuleList,
  readSelector,
  readText,
  SELECTOR_KEYS,
} from "./record-selector.ts";
import type { RecordSelector, RuleFault } from "./record-selector.ts";

/** Records that the operator wants silent. */
export interface Mute {
  /** Where it stands in the file, e.g. `mutes[2]`; with the reason where there is one. */
  readonly name: string;
  readonly selector: RecordSelector;
}

/** Reads the content of `rules/mute.yaml`: `mutes`, a list of selectors, each with a `reason` or not. */
export function readMutes(tree: unknown): {
  readonly mutes: readonly Mute[];
  readonly faults: readonly RuleFault[];
} {
  const memberKeys = [...SELECTOR_KEYS, "reason"];
  const { members, faults } = readRuleList(
    tree,
    { key: "mutes", memberKeys },
    (mute, path, report) => {
      const reason = readText(mute["reason"], `${path}.reason`, report);
      const name = reason === undefined ? path : `${path}: ${reason}`;
      return { name, selector: readSelector(mute, path, report) };
    },
  );
  return { mutes: members, faults };
}

/** A record that a mute keeps out of the catalogue. */
export interface MutedRecord {
  readonly id: string;
  readonly loadedFrom: string;
  /** Name of the first mute that selects it. */
  readonly mute: string;
}

/** Parts records into those that stay and those that are muted; the order stays. */
export function applyMutes(
  records: readonly CatalogueRecord[],
  mutes: readonly Mute[],
): { readonly heard: readonly CatalogueRecord[]; readonly muted: readonly MutedRecord[] } {
  if (mutes.length === 0) return { heard: records, muted: [] };
  const muted: MutedRecord[] = [];
  const heard = records.filter(({ record, loadedFrom }) => {
    const mute = mutes.find(({ selector }) => isSelected(selector, record));
    if (mute !== undefined) muted.push({ id: record.id, loadedFrom, mute: mute.name });
    return mute === undefined;
  });
  return { heard, muted };
}
