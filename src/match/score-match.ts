import type { MatchEvidence } from "../record/match.ts";
import type { Catalogue } from "./compile-catalogue.ts";
import { POINTS, sumPoints } from "./points.ts";
import type { ProductEvidence } from "./product-evidence.ts";
import type { RepoNames } from "./scope-table.ts";
import { type ScoredMatch, spansOf } from "./scored-match.ts";
import { stringAt } from "./string-table.ts";
import { textEvidence } from "./text-evidence.ts";
import type { FoundTemplate } from "./verify-template.ts";

interface Candidate {
  readonly index: number;
  readonly repo: string;
  readonly evidence: readonly MatchEvidence[];
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
  const candidates: Candidate[] = [];
  for (let index = start; index < end; index += 1) {
    const repo = names[catalogue.recordRepos[index] ?? 0];
    if (repo !== undefined)
      candidates.push(weighRecord(catalogue, found, index, { repo, products }));
  }
  if (candidates.length > 1) candidates.sort(compareCandidates);
  const [best] = candidates;
  const evidence = [...textEvidence(found), ...(best?.evidence ?? [])];
  return {
    found,
    record: best?.index ?? start,
    recordId: stringAt(catalogue.recordIds, best?.index ?? start),
    repo: best?.repo ?? "",
    others: candidates.slice(1).map((each) => each.index),
    spans: spansOf(found),
    evidence,
    score: sumPoints(evidence, found.kind),
    role: "single",
    occurrences: 1,
    depth: 0,
  };
}

function compareCandidates(a: Candidate, b: Candidate): number {
  if (a.points !== b.points) return b.points - a.points;
  if (a.repo !== b.repo) return a.repo < b.repo ? -1 : 1;
  return a.index - b.index;
}

interface Weighing {
  readonly repo: RepoNames;
  readonly products: ProductEvidence;
}

function weighRecord(
  catalogue: Catalogue,
  found: FoundTemplate,
  index: number,
  { repo, products }: Weighing,
): Candidate {
  const { event } = found.view;
  const evidence = [...products.of(event, repo)];
  const file = products.files(event).of(stringAt(catalogue.recordPaths, index));
  if (file !== undefined) {
    evidence.push({
      name: "file",
      points: file.isFile ? POINTS.file : POINTS.module,
      detail: file.detail,
    });
  }
  const errorClass = stringAt(catalogue.recordClasses, index);
  if (errorClass !== "" && event.facts.exceptions.includes(lastPart(errorClass))) {
    evidence.push({
      name: "exception",
      points: POINTS.exception,
      detail: `${errorClass} is named`,
    });
  }
  const curated = (catalogue.recordCurated[index] ?? 0) * CURATED_FIRST;
  return {
    index,
    repo: repo.repo,
    evidence,
    points: evidence.reduce((sum, each) => sum + each.points, curated),
  };
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}
