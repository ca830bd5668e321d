import { classOf, isCurated } from "../record/known-error.ts";
import type { CatalogueRecord, Severity } from "../record/known-error.ts";

/** Most values that the label `error_class` takes besides `other`. */
const ERROR_CLASSES_MAX = 200;
/** Label value of every class that found no place. */
const OTHER_CLASS = "other";

/** What a catalogue means for the labels of metrics: worked out once, where it is built. */
export interface ErrorClassSummary {
  /** Values of `error_class`. */
  readonly names: readonly string[];
  /** Label values of curated records, whose series stand at 0 from the start; each pair once. */
  readonly curated: readonly { readonly error_class: string; readonly severity: Severity }[];
}

/** Works out the labels of a catalogue's records. */
export function summarizeClasses(records: readonly CatalogueRecord[]): ErrorClassSummary {
  const names = chooseErrorClasses(records);
  const curated = new Map<string, ErrorClassSummary["curated"][number]>();
  for (const entry of records) {
    if (!isCurated(entry)) continue;
    const labels = classLabels(entry, names);
    curated.set(`${labels.severity} ${labels.error_class}`, labels);
  }
  return { names: [...names], curated: [...curated.values()] };
}

/** The labels of one record under the values chosen. */
export function classLabels(
  { record }: CatalogueRecord,
  classes: ReadonlySet<string>,
): ErrorClassSummary["curated"][number] {
  return { error_class: labelOf(classOf(record), classes), severity: record.severity };
}

/** A class as the label has it: `other` for one that found no place. */
export function labelOf(errorClass: string, classes: ReadonlySet<string>): string {
  return classes.has(errorClass) ? errorClass : OTHER_CLASS;
}

interface ClassCount {
  readonly name: string;
  curated: boolean;
  records: number;
}

/**
 * Chooses the values that the metric label `error_class` may take while a catalogue is in force:
 * classes of curated records first, then those with more records, then by name, so that the choice
 * depends on the catalogue alone and never on what was seen first.
 */
export function chooseErrorClasses(
  records: Iterable<CatalogueRecord>,
  classesMax: number = ERROR_CLASSES_MAX,
): ReadonlySet<string> {
  const counts = new Map<string, ClassCount>();
  for (const entry of records) {
    const name = classOf(entry.record);
    const count = counts.get(name) ?? { name, curated: false, records: 0 };
    count.curated ||= isCurated(entry);
    count.records += 1;
    counts.set(name, count);
  }
  const ranked = [...counts.values()].sort(compareClasses);
  return new Set(ranked.slice(0, classesMax).map((count) => count.name));
}

function compareClasses(a: ClassCount, b: ClassCount): number {
  if (a.curated !== b.curated) return a.curated ? -1 : 1;
  if (a.records !== b.records) return b.records - a.records;
  return a.name < b.name ? -1 : 1;
}
