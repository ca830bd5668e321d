import type { ParsedExcerpt, View } from "../log/view.ts";
import { locate } from "../log/mapped-text.ts";
import type { Match } from "../record/match.ts";
import type { Catalogue } from "./compile-catalogue.ts";
import { type MatchContext, matchExcerpt } from "./match-excerpt.ts";
import { stringAt } from "./string-table.ts";
import { TextFinder } from "./text-finder.ts";
import { type FoundTemplate, verifyTemplate } from "./verify-template.ts";

/**
 * Says in sentences why a record was found in an excerpt or why it was not: one sentence a line, for
 * people.
 */
export function explainRecord(
  catalogue: Catalogue,
  excerpt: ParsedExcerpt,
  context: MatchContext,
  recordId: string,
): readonly string[] {
  const vague = catalogue.vague.find((each) => each.recordId === recordId);
  if (vague !== undefined)
    return [`${recordId} is not looked for: its template has ${vague.reason}.`];
  const record = findRecord(catalogue, recordId);
  if (record < 0) return [`${recordId} is not in the catalogue.`];
  const all = matchExcerpt(catalogue, excerpt, { ...context, threshold: 0 });
  const own = all.find((each) => each.recordId === recordId);
  if (own !== undefined) return explainMatch(own, context.threshold);
  const shared = all.find((each) => each.alternatives.some(({ id }) => id === recordId));
  if (shared !== undefined) {
    return [
      `${recordId} shares its template with ${shared.recordId} (${shared.repo}), for which the evidence speaks more.`,
      ...explainMatch(shared, context.threshold),
    ];
  }
  const outer = all.find((each) =>
    each.evidence.some(({ name, detail }) => name === "subsumes" && detail.endsWith(recordId)),
  );
  if (outer !== undefined) {
    return [
      `${recordId} is found, but its words are those of ${outer.recordId} (${JSON.stringify(outer.errorMessage)}), which says more.`,
    ];
  }
  return explainMiss(catalogue, excerpt, shapeOfRecord(catalogue, record), recordId);
}

function findRecord(catalogue: Catalogue, recordId: string): number {
  for (let i = 0; i < catalogue.size; i += 1)
    if (stringAt(catalogue.recordIds, i) === recordId) return i;
  return -1;
}

function shapeOfRecord(catalogue: Catalogue, record: number): number {
  return catalogue.shapeRecordStarts.findLastIndex((start) => start <= record);
}

function explainMatch(match: Match, threshold: number): readonly string[] {
  const verdict = match.score >= threshold ? "is reported" : `stays below ${threshold}`;
  return [
    `${match.recordId} (${match.repo}) is found on line ${match.line} as ${match.kind}; with a score of ${match.score} it ${verdict}.`,
    `Its template is ${JSON.stringify(match.errorMessage)}.`,
    ...match.captures.map((capture, i) => `Value ${i + 1} is ${JSON.stringify(capture)}.`),
    ...match.evidence.map(
      ({ name, points, detail }) => `${points >= 0 ? "+" : ""}${points} ${name}: ${detail}.`,
    ),
    ...(match.role === "single" ? [] : [`In its chain it is the ${match.role}.`]),
  ];
}

/** How far a shape's literals are found in one view, in any order. */
interface Reach {
  readonly view: View;
  readonly seen: readonly string[];
  readonly missing: readonly string[];
}

function explainMiss(
  catalogue: Catalogue,
  excerpt: ParsedExcerpt,
  shape: number,
  recordId: string,
): readonly string[] {
  const literals = literalsOf(catalogue, shape);
  const wanted = literals.map((each) => JSON.stringify(each)).join(", ");
  const best = excerpt.views
    .map((view) => reachOf(view, literals))
    .sort((a, b) => b.seen.length - a.seen.length)[0];
  const head = `${recordId} is not found. Its template has the literals ${wanted}.`;
  if (best === undefined || best.seen.length === 0)
    return [head, "None of them stands in the text."];
  const line = locate(best.view, Math.max(0, best.view.text.indexOf(best.seen[0] ?? ""))).line;
  if (best.missing.length > 0) {
    const missing = best.missing.map((each) => JSON.stringify(each)).join(", ");
    return [
      head,
      `Closest is line ${line}: ${best.seen.length} of ${literals.length} stand there; missing ${missing}.`,
    ];
  }
  const confirmed = confirmAnywhere(catalogue, shape, best.view);
  return [
    head,
    `All of them stand on line ${line}, ${confirmed === undefined ? "but not in order with values between them that the placeholders can print" : whyDropped(confirmed)}.`,
  ];
}

function literalsOf(catalogue: Catalogue, shape: number): readonly string[] {
  const literals: string[] = [];
  const end = catalogue.shapeLiterals[shape + 1] ?? 0;
  for (let i = catalogue.shapeLiterals[shape] ?? 0; i < end; i += 1)
    literals.push(stringAt(catalogue.literals, i));
  return literals;
}

function reachOf(view: View, literals: readonly string[]): Reach {
  const lower = view.text.toLowerCase();
  const isSeen = (literal: string): boolean => lower.includes(literal.toLowerCase());
  return { view, seen: literals.filter(isSeen), missing: literals.filter((each) => !isSeen(each)) };
}

function confirmAnywhere(
  catalogue: Catalogue,
  shape: number,
  view: View,
): FoundTemplate | undefined {
  const literal = catalogue.shapeLiterals[shape] ?? 0;
  const text = stringAt(catalogue.literals, literal);
  for (let at = view.text.indexOf(text); at >= 0; at = view.text.indexOf(text, at + 1)) {
    const found = verifyTemplate(catalogue, view, new TextFinder(view.text), {
      literal,
      start: at,
    });
    if (found !== undefined) return found;
  }
  return undefined;
}

function whyDropped(found: FoundTemplate): string {
  if (found.isContext) return "but only as a heading: what should follow the colon is not there";
  const stretch = found.view.stretches.find((each) =>
    found.literals.some(({ start, end }) => start < each.end && end > each.start),
  );
  if (stretch === undefined) return "but other words of the line say more";
  const places = {
    query: "a quoted query",
    source: "a source line of a traceback",
    frame: "a stack frame",
  };
  return `but inside ${places[stretch.kind]}`;
}
