import type { SyntaxNode } from "@lezer/common";
import { nodesOf, parseLogql } from "./logql-tree.ts";

/** A log query that stands in an expression, without what only shapes or measures its lines. */
export interface LiftedQuery {
  /** Matchers of the stream selector, as written: `namespace="a"`. */
  readonly matchers: readonly LiftedMatcher[];
  /** Line filters that see the line as it is stored, as written. */
  readonly filters: readonly string[];
  /** How far back each evaluation looks: the `[5m]`; 0 for a log query. */
  readonly rangeMs: number;
  /** How much earlier than its evaluation it looks. */
  readonly offsetMs: number;
}

/** One matcher of a lifted selector. */
export interface LiftedMatcher {
  readonly name: string;
  readonly text: string;
}

/** What an expression asks of logs. */
export interface LiftedExpression {
  /** Without repeats, in the order of the text. */
  readonly queries: readonly LiftedQuery[];
  /** Labels that a `by (…)` keeps; an alert's other labels need not be the streams'. */
  readonly grouping: ReadonlySet<string>;
}

/** An expression with more is a dashboard's, and too much to ask for one alert. */
const QUERIES_MAX = 4;

/** Stages behind which a line filter sees another line than the stored one. */
const RESHAPING = ["LineFormatExpr", "DecolorizeExpr", "JsonExpressionParser", "Unpack"];

/**
 * Takes the stream selectors and line filters out of a LogQL expression, metric or not: several
 * selectors, binary operations, parsers, label filters, unwrap and offset may stand around them.
 *
 * @returns `undefined` when the text is no LogQL, e.g. PromQL, or asks for no logs.
 */
export function liftQueries(expression: string): LiftedExpression | undefined {
  const top = parseLogql(expression)?.topNode;
  if (top === undefined) return undefined;
  const byText = new Map<string, LiftedQuery>();
  for (const selector of nodesOf(top, "Selector")) {
    const query = liftQuery(selector, expression);
    byText.set(JSON.stringify(query), query);
  }
  const queries = [...byText.values()].filter(({ matchers }) => matchers.length > 0);
  if (queries.length === 0) return undefined;
  return { queries: queries.slice(0, QUERIES_MAX), grouping: groupingOf(top, expression) };
}

function liftQuery(selector: SyntaxNode, expression: string): LiftedQuery {
  const textOf = (node: SyntaxNode) => expression.slice(node.from, node.to);
  const whole = selector.parent ?? selector;
  // `Matchers` nest, each with one `Matcher` of its own.
  const matchers = nodesOf(selector, "Matcher").map((node) => ({
    name: textOf(node.firstChild ?? node),
    text: textOf(node),
  }));
  const reshapedAt = Math.min(
    ...RESHAPING.flatMap((name) => nodesOf(whole, name)).map((node) => node.from),
    whole.to,
  );
  const filters = nodesOf(whole, "LineFilter").filter((node) => node.from < reshapedAt);
  return {
    matchers,
    filters: filters.map(textOf),
    rangeMs: durationIn(whole, "Range", expression),
    offsetMs: durationIn(whole, "OffsetExpr", expression),
  };
}

function durationIn(whole: SyntaxNode, name: string, expression: string): number {
  const duration = nodesOf(whole, name)[0]?.getChild("Duration");
  if (duration === null || duration === undefined) return 0;
  return parseGoDuration(expression.slice(duration.from, duration.to));
}

const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  y: 31_536_000_000,
};

/** Milliseconds of a duration such as `1h30m` or `1.5h`; 0 for one that looks ahead or is none. */
function parseGoDuration(text: string): number {
  if (text.startsWith("-")) return 0;
  let totalMs = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhdwy])/gu)) {
    totalMs += Number(amount) * (UNITS_MS[unit ?? ""] ?? 0);
  }
  return Math.round(totalMs);
}

function groupingOf(top: SyntaxNode, expression: string): ReadonlySet<string> {
  const kept = nodesOf(top, "Grouping").filter((node) => node.getChild("By") !== null);
  const names = kept
    .flatMap((node) => nodesOf(node, "Identifier"))
    .map((node) => expression.slice(node.from, node.to));
  return new Set(names);
}
