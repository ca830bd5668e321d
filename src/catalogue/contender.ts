import type { CatalogueRecord, RecordOrigin } from "../record/known-error.ts";

/** Where a record stands, and how much its source counts against others with a record of that id. */
export interface RankedPlace {
  readonly loadedFrom: string;
  readonly strength: SourceStrength;
}

/** A sound record with the strength of its source. */
export interface Contender {
  readonly entry: CatalogueRecord;
  readonly strength: SourceStrength;
}

/** Strengths of sources, weakest first, in the words that evidence and pages name them with. */
const STRENGTHS = [
  "a published dataset",
  "the starter records",
  "files and folders",
  "a single URL",
] as const;

/** Index in `STRENGTHS`. */
type SourceStrength = 0 | 1 | 2 | 3;

/** The strength of the records of one file. */
export function strengthOf(
  source: { readonly origin: RecordOrigin; readonly isSingleUrl?: boolean },
  isPublished: boolean,
): SourceStrength {
  if (isPublished) return 0;
  if (source.isSingleUrl === true) return 3;
  return source.origin === "starter" ? 1 : 2;
}

/**
 * Whether the left one is taken where both have one id: the stronger source, of equals a curated record, then
 * the one analyzed last, then the one whose text sorts last.
 */
export function isStronger(left: Contender, right: Contender): boolean {
  if (left.strength !== right.strength) return left.strength > right.strength;
  const [curated, other] = [left, right].map(({ entry }) => Number(entry.origin !== "dataset"));
  if (curated !== other) return (curated ?? 0) > (other ?? 0);
  const [newer, older] = [left.entry.record, right.entry.record];
  if (newer.analyzedAt !== older.analyzedAt) return newer.analyzedAt > older.analyzedAt;
  return JSON.stringify(newer) > JSON.stringify(older);
}

/** As many overridden records are named; nobody reads more. */
const NAMED_MAX = 8;

/** The record with the names of those that it keeps out, strongest first. */
export function withOverrides(
  { entry, strength }: Contender,
  weaker: readonly RankedPlace[],
): CatalogueRecord {
  const winner = nameOf({ loadedFrom: entry.loadedFrom, strength });
  const names = [...weaker]
    .sort((left, right) => right.strength - left.strength || compareTexts(left, right))
    .map(nameOf);
  const named = names.slice(0, NAMED_MAX);
  const more = names.length > NAMED_MAX ? [`${names.length - NAMED_MAX} more`] : [];
  return { ...entry, overrides: [...named, ...more].map((each) => `${winner} over ${each}`) };
}

function compareTexts(left: RankedPlace, right: RankedPlace): number {
  return left.loadedFrom < right.loadedFrom ? -1 : 1;
}

/**
 * Kind of the source and the end of the record's place, e.g. `a published dataset (acme/engine.json[3])`.
 * Evidence leaves the machine, so it shows no whole path; the copy of a URL has a name that says nothing.
 */
function nameOf({ loadedFrom, strength }: RankedPlace): string {
  const kind = STRENGTHS[strength];
  if (kind === "a single URL") return kind;
  return `${kind} (${loadedFrom.split(/[\\/]/u).slice(-2).join("/")})`;
}
