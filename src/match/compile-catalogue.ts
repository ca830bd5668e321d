import { type CatalogueRecord, isCurated } from "../record/known-error.ts";
import {
  type Fragment,
  KEYS_PER_FRAGMENT,
  LiteralKeys,
  chooseFragment,
  countKeys,
  createKeyCounts,
} from "./choose-fragment.ts";
import {
  type CompiledLiteral,
  type CompiledTemplate,
  GAP_KINDS,
  type GapKind,
  compileTemplate,
  vagueness,
} from "./compile-template.ts";
import { type KeyEntries, type KeyTable, buildKeyTable, createKeyEntries } from "./key-table.ts";
import { findLongestSafeRun, safeRun } from "./safe-run.ts";
import { parseTemplate } from "./parse-template.ts";
import { type WordPostings, buildWordPostings } from "./word-postings.ts";
import { type StringTable, buildStringTable } from "./string-table.ts";

/** A record whose template says too little to be looked for. */
export interface VagueRecord {
  readonly recordId: string;
  readonly reason: string;
}

/**
 * All loaded records compiled for matching: flat arrays, immutable, shared between requests.
 *
 * A *shape* is a template's literals and gaps; records with the same shape share one. Literal `j` of
 * shape `s` has the global index `shapeLiterals[s] + j`; record `r` of shape `s` is
 * `shapeRecords[shapeRecordStarts[s]] …`.
 */
export interface Catalogue {
  readonly datasetVersion: string;
  /** Records whose template is used. */
  readonly size: number;
  /** Records whose template is too vague to use. */
  readonly vague: readonly VagueRecord[];
  readonly keysEight: KeyTable;
  readonly keysFive: KeyTable;
  readonly wordPostings: WordPostings;
  readonly literals: StringTable;
  readonly literalBits: Float32Array;
  /** Index in `GAP_KINDS` of the gap before a literal. */
  readonly literalGaps: Uint8Array;
  readonly literalPlaceholders: Uint8Array;
  readonly literalShapes: Uint32Array;
  /** The longest run of each literal that every log format prints as it is: offsets in the literal. */
  readonly literalRunStarts: Uint16Array;
  readonly literalRunEnds: Uint16Array;
  /** One more than there are shapes. */
  readonly shapeLiterals: Uint32Array;
  readonly shapeTrailingGaps: Uint8Array;
  readonly shapeTrailingPlaceholders: Uint8Array;
  readonly shapeOptionalTails: Uint8Array;
  readonly shapeBits: Float32Array;
  readonly shapeRecordStarts: Uint32Array;
  readonly recordIds: StringTable;
  readonly recordRepos: Uint32Array;
  readonly repos: readonly string[];
  readonly recordPaths: StringTable;
  readonly recordClasses: StringTable;
  readonly recordMessages: StringTable;
  readonly recordCurated: Uint8Array;
}

interface Shape {
  readonly template: CompiledTemplate;
  readonly records: CatalogueRecord[];
}

/** From how many bits on a template may match a text that was cut off inside it. */
export const CUTTABLE_BITS = 40;

/**
 * Compiles the templates of all records; a template too vague to use is listed with its reason. The
 * result depends on the set of records only, not on their order.
 */
export function compileCatalogue(
  records: Iterable<CatalogueRecord>,
  datasetVersion: string,
): Catalogue {
  const vague: VagueRecord[] = [];
  const shapes = groupShapes(records, vague);
  const flat = flattenShapes(shapes);
  const keys = chooseKeys(shapes);
  return {
    datasetVersion,
    size: flat.recordCurated.length,
    vague: vague.sort((a, b) => (a.recordId < b.recordId ? -1 : 1)),
    keysEight: buildKeyTable(keys.eight),
    keysFive: buildKeyTable(keys.five),
    wordPostings: buildWordPostings(shapes.map((each) => each.template)),
    ...flat,
  };
}

function groupShapes(records: Iterable<CatalogueRecord>, vague: VagueRecord[]): readonly Shape[] {
  const shapes = new Map<string, Shape>();
  for (const entry of records) {
    const template = compileTemplate(parseTemplate(entry.record));
    const reason = vagueness(template);
    if (reason !== undefined) {
      vague.push({ recordId: entry.record.id, reason });
      continue;
    }
    const key = shapeKey(template);
    const shape = shapes.get(key);
    if (shape === undefined) shapes.set(key, { template, records: [entry] });
    else shape.records.push(entry);
  }
  const sorted = [...shapes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, shape]) => shape);
  for (const shape of sorted) shape.records.sort((a, b) => (a.record.id < b.record.id ? -1 : 1));
  return sorted;
}

function shapeKey(template: CompiledTemplate): string {
  const literals = template.literals.map(
    (each) => `${each.gapBefore}${each.placeholders}\u0001${each.text}`,
  );
  return [
    ...literals,
    `${template.trailingGap}${template.trailingPlaceholders}${template.optionalTail}`,
  ].join("\u0002");
}

type FlatShapes = Omit<
  Catalogue,
  "datasetVersion" | "size" | "vague" | "keysEight" | "keysFive" | "wordPostings"
>;

function flattenShapes(shapes: readonly Shape[]): FlatShapes {
  const literals = shapes.flatMap((shape) => shape.template.literals);
  const shapeLiterals = startsOf(shapes.map((each) => each.template.literals.length));
  const runs = runsOf(literals);
  const records = shapes.flatMap((shape) => shape.records);
  const repos = [...new Set(records.map((each) => each.record.repo))].sort();
  const repoIndex = new Map(repos.map((repo, i) => [repo, i]));
  return {
    literals: buildStringTable(literals.map((each) => each.text)),
    literalBits: Float32Array.from(literals, (each) => each.bits),
    literalGaps: Uint8Array.from(literals, (each) => gapIndex(each.gapBefore)),
    literalPlaceholders: Uint8Array.from(literals, (each) => each.placeholders),
    literalShapes: ownersOf(shapeLiterals),
    literalRunStarts: runs.starts,
    literalRunEnds: runs.ends,
    shapeLiterals,
    shapeTrailingGaps: Uint8Array.from(shapes, (each) => gapIndex(each.template.trailingGap)),
    shapeTrailingPlaceholders: Uint8Array.from(
      shapes,
      (each) => each.template.trailingPlaceholders,
    ),
    shapeOptionalTails: Uint8Array.from(shapes, (each) => Number(each.template.optionalTail)),
    shapeBits: Float32Array.from(shapes, (each) => each.template.bits),
    shapeRecordStarts: startsOf(shapes.map((each) => each.records.length)),
    recordIds: buildStringTable(records.map((each) => each.record.id)),
    recordRepos: Uint32Array.from(records, (each) => repoIndex.get(each.record.repo) ?? 0),
    repos,
    recordPaths: buildStringTable(records.map((each) => each.record.filePath)),
    recordClasses: buildStringTable(records.map((each) => each.record.errorClass ?? "")),
    recordMessages: buildStringTable(records.map((each) => each.record.errorMessage)),
    recordCurated: Uint8Array.from(records, (each) => Number(isCurated(each))),
  };
}

const GAP_INDEXES: ReadonlyMap<GapKind, number> = new Map(GAP_KINDS.map((kind, i) => [kind, i]));

function gapIndex(kind: GapKind): number {
  return GAP_INDEXES.get(kind) ?? 0;
}

function runsOf(literals: readonly CompiledLiteral[]): {
  readonly starts: Uint16Array;
  readonly ends: Uint16Array;
} {
  const starts = new Uint16Array(literals.length);
  const ends = new Uint16Array(literals.length);
  literals.forEach(({ text }, i) => {
    const { start, end } = findLongestSafeRun(text);
    starts[i] = start;
    ends[i] = end;
  });
  return { starts, ends };
}

/** For each member of all runs, which run it is of. */
function ownersOf(starts: Uint32Array): Uint32Array {
  const owners = new Uint32Array(starts.at(-1) ?? 0);
  for (let i = 0; i + 1 < starts.length; i += 1) owners.fill(i, starts[i], starts[i + 1]);
  return owners;
}

/** Running sums: where the run of each length begins, and the total at the end. */
function startsOf(lengths: readonly number[]): Uint32Array {
  const starts = new Uint32Array(lengths.length + 1);
  lengths.forEach((length, i) => {
    starts[i + 1] = (starts[i] ?? 0) + length;
  });
  return starts;
}

type TierKeys = Readonly<Record<Fragment["tier"], KeyEntries>>;

function chooseKeys(shapes: readonly Shape[]): TierKeys {
  const counts = createKeyCounts();
  for (const shape of shapes) countKeys(counts, shape.template);
  const keys: TierKeys = { eight: createKeyEntries(), five: createKeyEntries() };
  let base = 0;
  for (const { template } of shapes) {
    const fragment = chooseFragment(template, counts, template.bits >= CUTTABLE_BITS);
    if (fragment !== undefined) addKeys(keys, template, fragment, base);
    base += template.literals.length;
  }
  return keys;
}

const literalKeys = new LiteralKeys();

function addKeys(
  all: TierKeys,
  template: CompiledTemplate,
  fragment: Fragment,
  base: number,
): void {
  const text = template.literals[fragment.literal]?.text ?? "";
  const run = safeRun(text, fragment.offset);
  const keys = all[fragment.tier];
  literalKeys.read(text);
  for (let i = 0; i < KEYS_PER_FRAGMENT; i += 1) {
    keys.hashes.push(literalKeys.at(fragment.offset + i, fragment.tier));
    keys.literals.push(base + fragment.literal);
    keys.offsets.push(fragment.offset + i);
    keys.starts.push(run.start);
    keys.ends.push(run.end);
  }
}
