import type { LogEvent } from "../log/view.ts";
import type { MatchEvidence } from "../record/match.ts";
import type { Catalogue } from "./compile-catalogue.ts";
import type { FileEvidence } from "./named-files.ts";
import { POINTS, sumPoints } from "./points.ts";
import type { ProductEvidence } from "./product-evidence.ts";
import type { RepoNames } from "./scope-table.ts";
import { type ScoredMatch, spansOf } from "./scored-match.ts";
import { stringAt } from "./string-table.ts";
import { textEvidence } from "./text-evidence.ts";
import type { FoundTemplate } from "./verify-template.ts";

/** A record that has the found template, with what speaks for it in numbers. */
interface Candidate {
  readonly index: number;
  readonly repo: RepoNames;
  readonly points: number;
}

/** A curated record goes before an upstream one that is told apart by nothing else. */
const CURATED_FIRST = 0.001;

/**
 * Scores a found template and chooses the record that the evidence speaks for among those that share
 * it; the others stay as alternatives.
 *
 * @param catalogue - Where the records are.
 * @param found - The template and its place.
 * @param names - Names of the catalogue's repositories, by the index of the repository.
 * @param products - What labels and log say about products; one for the whole excerpt.
 */
export function scoreFound(
  catalogue: Catalogue,
  found: FoundTemplate,
  names: readonly RepoNames[],
  products: ProductEvidence,
): ScoredMatch {
  const start = catalogue.shapeRecordStarts[found.shape] ?? 0;
  const end = catalogue.shapeRecordStarts[found.shape + 1] ?? start;
  const weighing: Weighing = { catalogue, event: found.view.event, names, products };
  let best = start;
  let others: readonly number[] = [];
  if (end - start > 1) [best = start, ...others] = rankRecords(weighing, start, end);
  const repo = repoOf(weighing, best);
  const evidence = textEvidence(found);
  addRecordEvidence(evidence, weighing, best);
  return {
    found,
    record: best,
    recordId: stringAt(catalogue.recordIds, best),
    repo: repo.repo,
    others,
    spans: spansOf(found),
    evidence,
    score: sumPoints(evidence, found.kind),
    role: "single",
    occurrences: 1,
    depth: 0,
  };
}

interface Weighing {
  readonly catalogue: Catalogue;
  readonly event: LogEvent;
  readonly names: readonly RepoNames[];
  readonly products: ProductEvidence;
}

const NO_REPO: RepoNames = { repo: "", names: [], forms: [] };

function repoOf({ catalogue, names }: Weighing, record: number): RepoNames {
  return names[catalogue.recordRepos[record] ?? 0] ?? NO_REPO;
}

/** Records from `start` to `end`, the likeliest first. */
function rankRecords(weighing: Weighing, start: number, end: number): readonly number[] {
  const candidates: Candidate[] = [];
  for (let index = start; index < end; index += 1) {
    candidates.push({
      index,
      repo: repoOf(weighing, index),
      points: pointsOf(weighing, index),
    });
  }
  return candidates.sort(compareCandidates).map((each) => each.index);
}

function compareCandidates(a: Candidate, b: Candidate): number {
  if (a.points !== b.points) return b.points - a.points;
  if (a.repo !== b.repo) return a.repo.repo < b.repo.repo ? -1 : 1;
  return a.index - b.index;
}

/** The same as `addRecordEvidence`, in one number: most records of a shape are weighed and not chosen. */
function pointsOf(weighing: Weighing, index: number): number {
  const { catalogue, event, products } = weighing;
  let points = (catalogue.recordCurated[index] ?? 0) * CURATED_FIRST;
  for (const each of products.of(event, repoOf(weighing, index))) points += each.points;
  const file = fileEvidence(weighing, index);
  if (file !== undefined) points += file.isFile ? POINTS.file : POINTS.module;
  return namesClass(weighing, index) ? points + POINTS.exception : points;
}

function addRecordEvidence(evidence: MatchEvidence[], weighing: Weighing, index: number): void {
  evidence.push(...weighing.products.of(weighing.event, repoOf(weighing, index)));
  const file = fileEvidence(weighing, index);
  if (file !== undefined) {
    evidence.push({
      name: "file",
      points: file.isFile ? POINTS.file : POINTS.module,
      detail: file.detail,
    });
  }
  if (namesClass(weighing, index)) {
    evidence.push({
      name: "exception",
      points: POINTS.exception,
      detail: `${stringAt(weighing.catalogue.recordClasses, index)} is named`,
    });
  }
}

function fileEvidence(
  { catalogue, event, products }: Weighing,
  index: number,
): FileEvidence | undefined {
  return products.files(event).of(stringAt(catalogue.recordPaths, index));
}

/** Whether the event names the exception class of a record. */
function namesClass({ catalogue, event }: Weighing, index: number): boolean {
  const { exceptions } = event.facts;
  if (exceptions.length === 0) return false;
  const errorClass = stringAt(catalogue.recordClasses, index);
  return errorClass !== "" && exceptions.includes(lastPart(errorClass));
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}
