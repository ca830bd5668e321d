import type { Alert } from "../alert/alert.ts";
import type { LabelMatcher } from "../alert/label-matcher.ts";
import { matchesAll } from "../alert/label-matcher.ts";
import type { Provenance } from "../log/excerpt.ts";
import { quoteText } from "../log/query-template.ts";
import type { QueryTemplate } from "../log/query-template.ts";
import { liftQueries } from "./lift-queries.ts";
import type { LiftedExpression, LiftedQuery } from "./lift-queries.ts";
import { isLogQuery } from "./logql-tree.ts";
import { readGeneratorUrl } from "./read-generator-url.ts";
import { matchStreams, pinByLabels } from "./stream-labels.ts";

/** A query that the operator wrote for alerts with some labels. */
export interface ConfiguredQuery {
  /** All must hold. */
  readonly match: readonly LabelMatcher[];
  readonly query: QueryTemplate;
}

/** Where queries come from; each origin can be switched off. */
export interface PlanOptions {
  /** Annotation that holds a query; `undefined`: none is read. */
  readonly annotation: string | undefined;
  readonly rule: boolean;
  readonly configured: readonly ConfiguredQuery[];
  readonly byLabels: boolean;
  /** Expression that lines of a chatty stream must match at first; empty: none. */
  readonly errorFilter: string;
}

/** Queries that are asked together; the next step is asked when they find nothing. */
export interface QueryStep {
  readonly provenance: Exclude<Provenance, "excerpt" | "prose">;
  /** Never empty. */
  readonly queries: readonly string[];
  /** How far back the rule looks at each evaluation; 0 without a rule. */
  readonly ruleRangeMs: number;
  /** How much earlier than its evaluation the rule looks. */
  readonly offsetMs: number;
}

/**
 * Plans which queries to ask for an alert, the most telling first: the one in its annotation, those of
 * its rule, the configured ones, one built from its labels.
 *
 * Label values only ever stand in string literals, so that none changes a query's structure. `known`:
 * Loki's label names, `undefined` when they are not known.
 */
export function planQueries(
  alert: Alert,
  known: ReadonlySet<string> | undefined,
  options: PlanOptions,
): readonly QueryStep[] {
  const steps = [
    ...annotationSteps(alert, options),
    ...(options.rule ? ruleSteps(alert, known, options) : []),
    ...configuredSteps(alert, options),
    ...(options.byLabels ? labelSteps(alert, known, options) : []),
  ];
  const asked = new Set<string>();
  return steps.filter(({ queries }) => {
    const key = JSON.stringify(queries);
    if (asked.has(key)) return false;
    asked.add(key);
    return true;
  });
}

function annotationSteps({ annotations }: Alert, { annotation }: PlanOptions): QueryStep[] {
  if (annotation === undefined || !Object.hasOwn(annotations, annotation)) return [];
  const text = annotations[annotation] ?? "";
  if (isLogQuery(text)) return [plainStep("query", [text])];
  const lifted = liftQueries(text);
  return lifted === undefined ? [] : [liftedStep(lifted, "query", (query) => renderLifted(query))];
}

function ruleSteps(
  alert: Alert,
  known: ReadonlySet<string> | undefined,
  options: PlanOptions,
): QueryStep[] {
  for (const expression of readGeneratorUrl(alert.generatorURL)) {
    const lifted = liftQueries(expression);
    if (lifted !== undefined) return stepsOfRule(alert, lifted, { known, options });
  }
  return [];
}

function stepsOfRule(
  alert: Alert,
  lifted: LiftedExpression,
  { known, options }: { known: ReadonlySet<string> | undefined; options: PlanOptions },
): QueryStep[] {
  const pins = pinByLabels(alert.labels, pinnable(lifted.grouping, known));
  const pinned = (query: LiftedQuery) => renderLifted(query, pins);
  const steps = [liftedStep(lifted, "rule", pinned)];
  if (lifted.queries.some(({ filters }) => filters.length === 0)) {
    // A rule that counts all lines does not say which of them matter.
    steps.unshift(...narrowed([liftedStep(lifted, "rule", pinned)], options).slice(0, 1));
  }
  // A label that the rule or Alertmanager added may have the name of a stream's label by chance.
  const bare = liftedStep(lifted, "widened", (query) => renderLifted(query));
  const isSame = bare.queries.join("\n") === steps.at(-1)?.queries.join("\n");
  return isSame ? steps : [...steps, bare];
}

/** Names by which streams can be told apart: those that Loki knows, or at least those the rule keeps. */
function pinnable(
  grouping: ReadonlySet<string>,
  known: ReadonlySet<string> | undefined,
): ReadonlySet<string> {
  return known ?? grouping;
}

function liftedStep(
  { queries }: LiftedExpression,
  provenance: QueryStep["provenance"],
  render: (query: LiftedQuery) => string,
): QueryStep {
  return {
    provenance,
    queries: [...new Set(queries.map(render))],
    ruleRangeMs: Math.max(...queries.map(({ rangeMs }) => rangeMs)),
    offsetMs: Math.max(...queries.map(({ offsetMs }) => offsetMs)),
  };
}

function renderLifted(
  { matchers, filters }: LiftedQuery,
  pins: readonly (readonly [name: string, matcher: string])[] = [],
): string {
  const fixed = new Set(
    matchers.filter(({ text }) => /^\w+\s*=\s*["`]/u.test(text)).map(({ name }) => name),
  );
  const added = pins.filter(([name]) => !fixed.has(name)).map(([, matcher]) => matcher);
  const selector = [...matchers.map(({ text }) => text), ...added].join(", ");
  return [`{${selector}}`, ...filters].join(" ");
}

function configuredSteps(alert: Alert, options: PlanOptions): QueryStep[] {
  for (const { match, query } of options.configured) {
    const text = matchesAll(match, alert.labels) ? query.fill(alert.labels) : undefined;
    if (text !== undefined && isLogQuery(text)) {
      return narrowed([plainStep("pinned", [text])], options);
    }
  }
  return [];
}

function labelSteps(
  alert: Alert,
  known: ReadonlySet<string> | undefined,
  options: PlanOptions,
): QueryStep[] {
  const { place, around, service } = matchStreams(alert.labels, known);
  const steps: QueryStep[] = [];
  if (place.length > 0) steps.push(plainStep("pinned", [selectorOf([...around, ...place])]));
  // Without a service a namespace alone would be everybody's lines.
  if (service.length > 0) steps.push(plainStep("widened", [selectorOf([...around, ...service])]));
  else if (place.length === 0 && around.length > 0) {
    steps.push(plainStep("widened", [selectorOf(around)]));
  }
  return narrowed(steps, options);
}

function selectorOf(matchers: readonly string[]): string {
  return `{${matchers.join(", ")}}`;
}

function plainStep(provenance: QueryStep["provenance"], queries: readonly string[]): QueryStep {
  return { provenance, queries, ruleRangeMs: 0, offsetMs: 0 };
}

/** Each step first with the error filter, and once more without it, which says less: `widened`. */
function narrowed(steps: readonly QueryStep[], { errorFilter }: PlanOptions): QueryStep[] {
  if (errorFilter === "") return [...steps];
  return steps.flatMap((step) => [
    { ...step, queries: step.queries.map((query) => `${query} |~ ${quoteText(errorFilter)}`) },
    { ...step, provenance: "widened" as const },
  ]);
}
