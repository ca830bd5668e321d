import type { LogEvent } from "../log/view.ts";
import { SCORE_REPORTED } from "../record/match.ts";
import { reachesEnd, startOf } from "./message-edges.ts";
import { roundScore, sumPoints } from "./points.ts";
import { type ScoredMatch, spanInside } from "./scored-match.ts";

/** Points that one match gives another of the same repository in the same event or excerpt. */
const COMPANY = 0.12;
/** A match must be this sure of itself to vouch for others. */
const VOUCHING_SCORE = 0.55;
const VOUCHING_BITS = 16;

/**
 * Settles how the matches of one excerpt bear on one another: subsumed ones go, matches of the same
 * repository vouch for each other, wrappers rank behind their causes.
 *
 * @returns Best first; ties by bits, place, repository and id.
 */
export function rankMatches(matches: readonly ScoredMatch[]): readonly ScoredMatch[] {
  const ranked: ScoredMatch[] = [];
  for (const together of groupByEvent(matches)) {
    const kept = dropSubsumed(together);
    if (kept.length > 1) {
      vouch(kept);
      rewardCauses(kept);
    }
    assignRoles(kept);
    ranked.push(...kept);
  }
  return ranked.sort(compareMatches);
}

/** Only matches of one event bear on one another. */
function groupByEvent(matches: readonly ScoredMatch[]): Iterable<readonly ScoredMatch[]> {
  const groups = new Map<LogEvent, ScoredMatch[]>();
  for (const match of matches) {
    const { event } = match.found.view;
    const group = groups.get(event);
    if (group === undefined) groups.set(event, [match]);
    else group.push(match);
  }
  return groups.values();
}

/** Order of the answer. */
export function compareMatches(a: ScoredMatch, b: ScoredMatch): number {
  for (const order of ORDERS) {
    const difference = order(a, b);
    if (difference !== 0) return difference;
  }
  return 0;
}

const ORDERS: readonly ((a: ScoredMatch, b: ScoredMatch) => number)[] = [
  (a, b) => b.score - a.score,
  (a, b) => roleOrder(a) - roleOrder(b),
  (a, b) => b.depth - a.depth,
  (a, b) => b.found.bits - a.found.bits,
  (a, b) => firstSpan(a).line - firstSpan(b).line,
  (a, b) => firstSpan(a).start - firstSpan(b).start,
  (a, b) => compareText(a.repo, b.repo),
  (a, b) => compareText(a.recordId, b.recordId),
];

function firstSpan(match: ScoredMatch): { readonly line: number; readonly start: number } {
  return match.spans[0] ?? { line: 0, start: 0 };
}

function roleOrder(match: ScoredMatch): number {
  return match.role === "wrapper" ? 1 : 0;
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function dropSubsumed(matches: readonly ScoredMatch[]): readonly ScoredMatch[] {
  if (matches.length < 2) return matches;
  const byStrength = matches
    .map((match) => ({ match, strength: strength(match) }))
    .sort((a, b) => b.strength - a.strength || compareText(a.match.recordId, b.match.recordId));
  const kept: ScoredMatch[] = [];
  for (const { match } of byStrength) {
    const outer = kept.find((each) => isSubsumed(match, each));
    if (outer === undefined) kept.push(match);
    else if (hasSameLiterals(match, outer))
      outer.others = [...outer.others, match.record, ...match.others];
    else
      outer.evidence.push({
        name: "subsumes",
        points: 0,
        detail: `${match.repo} ${match.recordId}`,
      });
  }
  return kept;
}

/** Of two readings of the same words the one that says more wins, unless the evidence is against it. */
function strength(match: ScoredMatch): number {
  const { found } = match;
  const covers = reachesEnd(found) ? COVERS_VALUE : 0;
  return (
    match.score +
    found.bits / BITS_A_POINT +
    covers +
    (found.kind === "exact" && !found.isContext ? 0 : NOT_EXACT)
  );
}

/** Of two readings the one that explains the text to its end is the likelier. */
const COVERS_VALUE = 0.1;
/** A text that another template explains whole is neither cut off nor a heading. */
const NOT_EXACT = -0.3;

const BITS_A_POINT = 200;

/** Share of a match's literal text that must lie in another's for it to be the same words read otherwise. */
const OVERLAP = 0.5;

/** Whether two templates differ in their placeholders only, so that nothing in the text tells them apart. */
function hasSameLiterals(a: ScoredMatch, b: ScoredMatch): boolean {
  return (
    a.spans.length === b.spans.length &&
    a.spans.every((span, i) => {
      const other = b.spans[i];
      return other !== undefined && spanInside(span, other) && spanInside(other, span);
    })
  );
}

function isSubsumed(inner: ScoredMatch, outer: ScoredMatch): boolean {
  let inside = 0;
  let all = 0;
  for (const span of inner.spans) {
    const length = span.end - span.start;
    all += length;
    for (const other of outer.spans) {
      if (spanInside(span, other)) inside += length;
      else if (span.line === other.line)
        inside += Math.max(0, Math.min(span.end, other.end) - Math.max(span.start, other.start));
    }
  }
  return all > 0 && inside / all > OVERLAP;
}

function vouch(matches: readonly ScoredMatch[]): void {
  const vouching = matches.filter(
    (each) => each.score >= VOUCHING_SCORE && each.found.bits >= VOUCHING_BITS,
  );
  for (const match of matches) {
    const other = vouching.find((each) => each !== match && each.repo === match.repo);
    if (other === undefined) continue;
    match.evidence.push({
      name: "company",
      points: COMPANY,
      detail: `beside ${other.recordId} of the same repository`,
    });
    match.score = sumPoints(match.evidence, match.found.kind);
  }
}

const LINK =
  /(?:^|[\n\s])(?:Caused by|caused by)\b|\n\s*\d{1,3}: |[\s{,(](?:err|error|cause|reason)=|: $/;
const MESSAGE_FIELD = /^(?:message|msg|log|event|text|body)$/;
const CAUSE_FIELD =
  /^(?:err|error|errors|cause|exception|exc_info|reason|stack_trace|stacktrace|error\.message)$/;

/** Whether `cause` was printed as the cause of `wrapper`. */
function wraps(wrapper: ScoredMatch, cause: ScoredMatch): boolean {
  if (wrapper === cause) return false;
  const outer = wrapper.found.view;
  const inner = cause.found.view;
  if (outer === inner) return wrapsInView(wrapper, cause);
  return (outer.field === "" || MESSAGE_FIELD.test(outer.field)) && CAUSE_FIELD.test(inner.field);
}

function wrapsInView(wrapper: ScoredMatch, cause: ScoredMatch): boolean {
  const end = wrapper.found.literals.at(-1)?.end ?? 0;
  const start = startOf(cause.found);
  if (start < end) return false;
  const tail = wrapper.found.captures.at(-1);
  if (tail !== undefined && tail.start >= end && tail.start <= start && start < tail.end)
    return true;
  const between = wrapper.found.view.text.slice(end, start);
  return between.length <= 4_096 && LINK.test(between);
}

/** How much a wrapper is kept behind the cause that it wraps. */
const STEP = 0.001;

/** Points for standing at the inner end of a chain whose wrapper is of the same repository. */
const CHAIN = 0.1;
/** From here on a cause says enough to go before its wrappers. */
const SPECIFIC_SCORE = 0.55;

function rewardCauses(matches: readonly ScoredMatch[]): void {
  for (const match of matches) {
    const wrapper = matches.find(
      (each) => each.repo === match.repo && each.score >= SCORE_REPORTED && wraps(each, match),
    );
    if (wrapper === undefined) continue;
    match.evidence.push({
      name: "chain",
      points: CHAIN,
      detail: `the cause that ${wrapper.recordId} wraps`,
    });
    match.score = sumPoints(match.evidence, match.found.kind);
  }
}

function assignRoles(matches: readonly ScoredMatch[]): void {
  const reported = matches.filter((each) => each.score >= SCORE_REPORTED && !each.found.isContext);
  for (const match of reported)
    match.depth = reported.filter((each) => wraps(each, match)).length + chainLinks(match);
  for (const match of reported) {
    const causes = reported.filter((each) => wraps(match, each));
    if (causes.length > 0) match.role = "wrapper";
    else if (reported.some((each) => wraps(each, match))) match.role = "cause";
  }
  if (reported.length < 2) return;
  for (const wrapper of [...reported].sort((a, b) => b.depth - a.depth)) {
    const causes = reported.filter((each) => wraps(wrapper, each) && each.score >= SPECIFIC_SCORE);
    const best = Math.max(...causes.map((each) => each.score), -1);
    if (best < 0 || wrapper.score < best) continue;
    wrapper.evidence.push({
      name: "wrapper",
      points: roundScore(best - STEP - wrapper.score),
      detail: "its cause is known too",
    });
    wrapper.score = Math.max(SCORE_REPORTED, roundScore(best - STEP));
  }
}

/** Links `x: ` that stand before the match in its line: the deeper, the closer to the root. */
function chainLinks(match: ScoredMatch): number {
  const { text } = match.found.view;
  const start = startOf(match.found);
  const line = text.lastIndexOf("\n", start - 1) + 1;
  return text.slice(Math.max(line, start - 600), start).split(/(?<=[a-zA-Z)]): /).length - 1;
}
