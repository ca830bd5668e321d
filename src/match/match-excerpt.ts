import type { Labels } from "../alert/alert.ts";
import { findSimilar } from "./find-similar.ts";
import type { ParsedExcerpt, View } from "../log/view.ts";
import {
  type Match,
  type MatchAlternative,
  type MatchEvidence,
  confidenceOf,
} from "../record/match.ts";
import type { Catalogue } from "./compile-catalogue.ts";
import { compareMatches, rankMatches } from "./rank-matches.ts";
import { scanText } from "./scan-literals.ts";
import {
  KnownProducts,
  type ScoredRecord,
  recordEvidence,
  sumPoints,
  textEvidence,
} from "./score-match.ts";
import { type LabelScope, readLabelScope } from "./scope.ts";
import { type ScoredMatch, spansOf } from "./scored-match.ts";
import { SimilarCandidates } from "./similar-candidates.ts";
import { stringAt } from "./string-table.ts";
import { TextFinder } from "./text-finder.ts";
import { type FoundTemplate, verifyTemplate } from "./verify-template.ts";

export interface MatchContext {
  /** The alert's labels: evidence for the product, never a filter. */
  readonly labels: Labels;
  /** Lowest score to report; 0.5 by default. */
  readonly threshold: number;
}

/** Places of one shape in one view that are confirmed; more only cost time. */
const PLACES_MAX = 32;
const ALTERNATIVES_MAX = 512;

/** Finds every record whose template occurs in the excerpt, best first. Depends on nothing but its arguments. */
export function matchExcerpt(
  catalogue: Catalogue,
  excerpt: ParsedExcerpt,
  context: MatchContext,
): readonly Match[] {
  const exact = excerpt.views.flatMap((view) => findTemplates(catalogue, view));
  const found = [...exact, ...findReworded(catalogue, excerpt, exact)];
  const scope = readLabelScope(context.labels);
  const products = new KnownProducts(catalogue.repos);
  const scored = keepDeepest(found).map((each) => scoreFound(catalogue, each, scope, products));
  return rankMatches(mergePlaces(scored))
    .filter((each) => each.score >= context.threshold && !each.found.isContext)
    .map((each) => toMatch(catalogue, each));
}

const LOUD: ReadonlySet<string | undefined> = new Set(["warn", "error", "fatal", undefined]);

/** Looks for changed wording in events at WARN or above, or without level, that show no record as it is. */
function findReworded(
  catalogue: Catalogue,
  excerpt: ParsedExcerpt,
  exact: readonly FoundTemplate[],
): readonly FoundTemplate[] {
  const candidates = new SimilarCandidates(catalogue);
  const settled = new Set(exact.map((each) => each.view.event));
  return excerpt.views
    .filter((view) => !settled.has(view.event) && LOUD.has(view.event.facts.level))
    .flatMap((view) => findSimilar(catalogue, view, candidates))
    .filter((each) => !isInStretch(each));
}

/** Confirms what the scan claims about one view, less what stands in queries, source lines and frames. */
function findTemplates(catalogue: Catalogue, view: View): readonly FoundTemplate[] {
  const found: FoundTemplate[] = [];
  const tried = new Set<number>();
  const places = new Map<number, number>();
  const finder = new TextFinder(view.text);
  scanText(catalogue, view.text, (literal, start) => {
    const key = start * catalogue.literalShapes.length + literal;
    if (tried.has(key)) return;
    tried.add(key);
    const shape = catalogue.literalShapes[literal] ?? 0;
    const count = places.get(shape) ?? 0;
    if (count >= PLACES_MAX) return;
    const confirmed = verifyTemplate(catalogue, view, finder, {
      literal,
      start,
    });
    if (confirmed === undefined || isInStretch(confirmed)) return;
    places.set(shape, count + 1);
    found.push(confirmed);
  });
  return found;
}

function isInStretch(found: FoundTemplate): boolean {
  return found.literals.some((literal) =>
    found.view.stretches.some(
      (stretch) => literal.start < stretch.end && literal.end > stretch.start,
    ),
  );
}

/** Of one shape at one place of the excerpt, the view that decodes deepest shows the true text. */
function keepDeepest(found: readonly FoundTemplate[]): readonly FoundTemplate[] {
  const best = new Map<string, FoundTemplate>();
  for (const each of found) {
    const [first] = spansOf(each);
    const key = `${each.shape} ${first?.line ?? 0} ${first?.start ?? 0}`;
    const known = best.get(key);
    if (known === undefined || each.view.depth > known.view.depth) best.set(key, each);
  }
  return [...best.values()];
}

function recordAt(catalogue: Catalogue, index: number): ScoredRecord {
  return {
    repo: catalogue.repos[catalogue.recordRepos[index] ?? 0] ?? "",
    filePath: stringAt(catalogue.recordPaths, index),
    errorClass: stringAt(catalogue.recordClasses, index),
  };
}

interface Candidate {
  readonly index: number;
  readonly record: ScoredRecord;
  readonly evidence: readonly MatchEvidence[];
  readonly points: number;
}

/** Chooses the record that the evidence speaks for among those that share the template. */
function scoreFound(
  catalogue: Catalogue,
  found: FoundTemplate,
  scope: LabelScope,
  products: KnownProducts,
): ScoredMatch {
  const start = catalogue.shapeRecordStarts[found.shape] ?? 0;
  const end = catalogue.shapeRecordStarts[found.shape + 1] ?? start;
  const candidates: Candidate[] = [];
  for (let index = start; index < end; index += 1) {
    const record = recordAt(catalogue, index);
    const evidence = recordEvidence(found, record, scope, products);
    const points =
      evidence.reduce((sum, each) => sum + each.points, 0) +
      (catalogue.recordCurated[index] ?? 0) * 0.001;
    candidates.push({ index, record, evidence, points });
  }
  candidates.sort(
    (a, b) => b.points - a.points || (a.record.repo < b.record.repo ? -1 : 1) || a.index - b.index,
  );
  const [best] = candidates;
  const evidence = [...textEvidence(found), ...(best?.evidence ?? [])];
  return {
    found,
    record: best?.index ?? start,
    recordId: stringAt(catalogue.recordIds, best?.index ?? start),
    repo: best?.record.repo ?? "",
    alternatives: candidates
      .slice(1, ALTERNATIVES_MAX + 1)
      .map((each) => toAlternative(catalogue, each)),
    spans: spansOf(found),
    evidence,
    score: sumPoints(evidence, found.kind),
    role: "single",
    occurrences: 1,
    depth: 0,
  };
}

function toAlternative(catalogue: Catalogue, candidate: Candidate): MatchAlternative {
  return {
    id: stringAt(catalogue.recordIds, candidate.index),
    repo: candidate.record.repo,
    filePath: candidate.record.filePath,
  };
}

/** One match a record: the best place speaks for it, the others are counted. */
function mergePlaces(scored: readonly ScoredMatch[]): readonly ScoredMatch[] {
  const best = new Map<number, ScoredMatch>();
  const counts = new Map<number, number>();
  for (const each of [...scored].sort(compareMatches)) {
    counts.set(each.record, (counts.get(each.record) ?? 0) + 1);
    if (!best.has(each.record)) best.set(each.record, each);
  }
  for (const each of best.values()) each.occurrences = counts.get(each.record) ?? 1;
  return [...best.values()];
}

function toMatch(catalogue: Catalogue, scored: ScoredMatch): Match {
  const { found } = scored;
  return {
    recordId: scored.recordId,
    repo: scored.repo,
    errorMessage: stringAt(catalogue.recordMessages, scored.record),
    filePath: stringAt(catalogue.recordPaths, scored.record),
    score: scored.score,
    kind: found.kind,
    confidence: confidenceOf(scored.score),
    role: scored.role,
    captures: found.captures.map((each) => found.view.text.slice(each.start, each.end)),
    line: scored.spans[0]?.line ?? 0,
    spans: scored.spans,
    occurrences: scored.occurrences,
    alternatives: scored.alternatives,
    evidence: scored.evidence,
  };
}
