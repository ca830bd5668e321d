import { classOf, isCurated } from "../record/known-error.ts";
import type { CatalogueRecord } from "../record/known-error.ts";

/** Most values that the label `error_class` takes besides `other`. */
const ERROR_CLASSES_MAX = 200;
/** Label value of every class that found no place. */
export const OTHER_CLASS = "other";

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
