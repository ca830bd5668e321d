import type { Labels } from "../alert/alert.ts";
import { findSimilar } from "./find-similar.ts";
import { locate } from "../log/mapped-text.ts";
import type { ParsedExcerpt, View } from "../log/view.ts";
import { type Match, type MatchAlternative, confidenceOf } from "../record/match.ts";
import type { Catalogue } from "./compile-catalogue.ts";
import { compareMatches, rankMatches } from "./rank-matches.ts";
import { scanText } from "./scan-literals.ts";
import { ProductEvidence } from "./product-evidence.ts";
import { scoreFound } from "./score-match.ts";
import { type RepoNames, type ScopeTable, namesOf } from "./scope-table.ts";
import { readLabelScope } from "./scope.ts";
import type { ScoredMatch } from "./scored-match.ts";
import { stringAt } from "./string-table.ts";
import { TextFinder } from "./text-finder.ts";
import { type FoundTemplate, verifyTemplate } from "./verify-template.ts";

/** What a match depends on besides text and records. */
export interface MatchContext {
  /** The alert's labels: evidence for the product, never a filter. */
  readonly labels: Labels;
  /** Lowest score to report; 0.5 by default. */
  readonly threshold: number;
  /** What is known of programs and labels. */
  readonly scopes: ScopeTable;
}

/** Places of one shape in one view that are confirmed, and tried; more only cost time. */
const PLACES_MAX = 8;
const TRIES_MAX = 48;
const ALTERNATIVES_MAX = 512;

/** Finds every record whose template occurs in the excerpt, best first. Depends on nothing but its arguments. */
export function matchExcerpt(
  catalogue: Catalogue,
  excerpt: ParsedExcerpt,
  context: MatchContext,
): readonly Match[] {
  const exact = excerpt.views.flatMap((view) => findTemplates(catalogue, view));
  const found = [...exact, ...findReworded(catalogue, excerpt, exact)];
  if (found.length === 0) return [];
  const names = repoNames(catalogue, context.scopes);
  const products = new ProductEvidence(names, readLabelScope(context.labels, context.scopes));
  const scored = keepDeepest(found).map((each) => scoreFound(catalogue, each, names, products));
  return rankMatches(mergePlaces(scored))
    .filter((each) => each.score >= context.threshold && !each.found.isContext)
    .map((each) => toMatch(catalogue, each));
}

const namesByScopes = new WeakMap<ScopeTable, WeakMap<Catalogue, readonly RepoNames[]>>();

/** Names of the catalogue's repositories: the same for every excerpt until one of the two is loaded anew. */
function repoNames(catalogue: Catalogue, scopes: ScopeTable): readonly RepoNames[] {
  let byCatalogue = namesByScopes.get(scopes);
  if (byCatalogue === undefined) namesByScopes.set(scopes, (byCatalogue = new WeakMap()));
  let names = byCatalogue.get(catalogue);
  if (names === undefined)
    byCatalogue.set(catalogue, (names = catalogue.repos.map((repo) => namesOf(scopes, repo))));
  return names;
}

const LOUD: ReadonlySet<string | undefined> = new Set(["warn", "error", "fatal", undefined]);

/** Looks for changed wording in events at WARN or above, or without level, that show no record as it is. */
function findReworded(
  catalogue: Catalogue,
  excerpt: ParsedExcerpt,
  exact: readonly FoundTemplate[],
): readonly FoundTemplate[] {
  const settled = new Set(exact.map((each) => each.view.event));
  return excerpt.views
    .filter((view) => !settled.has(view.event) && LOUD.has(view.event.facts.level))
    .flatMap((view) => findSimilar(catalogue, view))
    .filter((each) => !isInStretch(each));
}

/** Confirms what the scan claims about one view, less what stands in queries, source lines and frames. */
function findTemplates(catalogue: Catalogue, view: View): readonly FoundTemplate[] {
  let search: ViewSearch | undefined;
  scanText(catalogue, view.text, (literal, start) => {
    search ??= new ViewSearch(catalogue, view);
    search.confirm(literal, start);
  });
  return search?.found ?? [];
}

/** What is confirmed in one view; made only where the scan claims something. */
class ViewSearch {
  readonly found: FoundTemplate[] = [];
  private readonly catalogue: Catalogue;
  private readonly view: View;
  private readonly finder: TextFinder;
  /** By shape: places confirmed and places tried. */
  private readonly places = new Map<number, number>();
  private readonly tries = new Map<number, number>();

  constructor(catalogue: Catalogue, view: View) {
    this.catalogue = catalogue;
    this.view = view;
    this.finder = new TextFinder(view.text);
  }

  confirm(literal: number, start: number): void {
    const { catalogue } = this;
    const shape = catalogue.literalShapes[literal] ?? 0;
    const count = this.places.get(shape) ?? 0;
    const tries = this.tries.get(shape) ?? 0;
    if (count >= PLACES_MAX || tries >= TRIES_MAX) return;
    this.tries.set(shape, tries + 1);
    const confirmed = verifyTemplate(catalogue, this.view, this.finder, { literal, start });
    if (confirmed === undefined || isInStretch(confirmed)) return;
    this.places.set(shape, count + 1);
    this.found.push(confirmed);
  }
}

function isInStretch(found: FoundTemplate): boolean {
  const { stretches } = found.view;
  if (stretches.length === 0) return false;
  return found.literals.some((literal) =>
    stretches.some((stretch) => literal.start < stretch.end && literal.end > stretch.start),
  );
}

/** Of one shape at one place of the excerpt, the view that decodes deepest shows the true text. */
function keepDeepest(found: readonly FoundTemplate[]): readonly FoundTemplate[] {
  const kept: FoundTemplate[] = [];
  const byShape = new Map<number, number[]>();
  for (const each of found) {
    const same = byShape.get(each.shape);
    const known = same?.find((index) => isSamePlace(kept[index], each));
    if (known === undefined) {
      if (same === undefined) byShape.set(each.shape, [kept.length]);
      else same.push(kept.length);
      kept.push(each);
    } else if (each.view.depth > (kept[known]?.view.depth ?? 0)) kept[known] = each;
  }
  return kept;
}

/** Whether two templates begin at one place of the excerpt. */
function isSamePlace(a: FoundTemplate | undefined, b: FoundTemplate): boolean {
  if (a?.view.event !== b.view.event) return false;
  const first = locate(a.view, a.literals[0]?.start ?? 0);
  const second = locate(b.view, b.literals[0]?.start ?? 0);
  return first.line === second.line && first.column === second.column;
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

function toAlternative(catalogue: Catalogue, index: number): MatchAlternative {
  return {
    id: stringAt(catalogue.recordIds, index),
    repo: catalogue.repos[catalogue.recordRepos[index] ?? 0] ?? "",
    filePath: stringAt(catalogue.recordPaths, index),
  };
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
    alternatives: scored.others
      .slice(0, ALTERNATIVES_MAX)
      .map((each) => toAlternative(catalogue, each)),
    evidence: scored.evidence,
  };
}
