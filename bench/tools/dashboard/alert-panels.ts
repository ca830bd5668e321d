import { JOB, increase, quantile, sum } from "./panel-plan.ts";
import type { PanelPlan } from "./panel-plan.ts";

const CLASS = "${__field.labels.error_class:percentencode}";
const LAST_DAY = "since=24h";

/** What to see at a glance. */
export const numbers: readonly PanelPlan[] = [
  {
    kind: "number",
    title: "Firings with a known error",
    description: "In the time shown, each firing counted once.",
    unit: "short",
    width: 6,
    queries: [
      {
        expr: `sum(${increase("alertlore_matched_errors_total", "", "$__range")})`,
        legend: "",
      },
    ],
    link: { title: "Episodes", page: "episodes" },
  },
  {
    kind: "number",
    title: "Nothing recognised",
    description:
      "Share of alerts with log lines in which no record was found. /unmatched has the texts.",
    unit: "percentunit",
    width: 6,
    queries: [
      {
        expr: `sum(${increase("alertlore_enrichments_total", 'outcome="no_match"', "$__range")}) / sum(${increase("alertlore_enrichments_total", 'outcome=~"matched|no_match"', "$__range")})`,
        legend: "",
      },
    ],
    link: { title: "Unmatched texts", page: "unmatched" },
  },
  {
    kind: "number",
    title: "May simply be tried again",
    description: "Share of firings with a known error whose decision is retry.",
    unit: "percentunit",
    width: 6,
    queries: [
      {
        expr: `sum(${increase("alertlore_matched_errors_total", 'decision="retry"', "$__range")}) / sum(${increase("alertlore_matched_errors_total", "", "$__range")})`,
        legend: "",
      },
    ],
    link: { title: "Episodes with retry", page: `episodes?decision=retry&${LAST_DAY}` },
  },
  {
    kind: "number",
    title: "Dead letters",
    description: "Notifications that were given up: nobody was told what they say.",
    unit: "short",
    width: 6,
    redFrom: 1,
    queries: [
      { expr: `sum(max by (destination) (alertlore_deliveries_dead{${JOB}}))`, legend: "" },
    ],
    link: { title: "Dead letters", page: "deliveries" },
  },
];

/** What occurred. */
export const errors: readonly PanelPlan[] = [
  {
    kind: "bars",
    title: "Classes over time",
    description: "Firings with a known error. A class without a place of its own is other.",
    unit: "short",
    width: 16,
    queries: [
      {
        expr: `${sum("error_class", increase("alertlore_matched_errors_total"))} > 0`,
        legend: "{{error_class}}",
      },
    ],
    link: { title: "Episodes of this class", page: `episodes?class=${CLASS}&${LAST_DAY}` },
  },
  {
    kind: "ranking",
    title: "Most frequent classes",
    description:
      "In the time shown. A click leads to the records of the class: metrics name no record.",
    unit: "short",
    width: 8,
    queries: [
      {
        expr: `topk(15, ${sum("error_class", increase("alertlore_matched_errors_total", "", "$__range"))} > 0)`,
        legend: "{{error_class}}",
      },
    ],
    link: { title: "Records of this class", page: `records?class=${CLASS}` },
  },
  {
    kind: "lines",
    title: "Firing now",
    description: "Alerts with a known error that have not ended, by class.",
    unit: "short",
    width: 12,
    queries: [
      {
        expr: `max by (error_class) (alertlore_episodes_firing{${JOB}}) > 0`,
        legend: "{{error_class}}",
      },
    ],
    link: { title: "Open episodes of this class", page: `episodes?status=open&class=${CLASS}` },
  },
  {
    kind: "bars",
    title: "Decisions",
    description: "What was recommended first for each firing.",
    unit: "short",
    width: 12,
    queries: [
      {
        expr: sum("decision", increase("alertlore_recommendations_total")),
        legend: "{{decision}}",
      },
    ],
    link: {
      title: "Episodes with this decision",
      page: `episodes?decision=\${__field.labels.decision:percentencode}&${LAST_DAY}`,
    },
  },
  {
    kind: "bars",
    title: "Severities",
    description: "Of the known errors, not of the alerts.",
    unit: "short",
    width: 12,
    queries: [
      { expr: sum("severity", increase("alertlore_matched_errors_total")), legend: "{{severity}}" },
    ],
  },
  {
    kind: "bars",
    title: "Told again, found late",
    description:
      "Alerts that told nothing new; matches that came after their notification had gone.",
    unit: "short",
    width: 12,
    queries: [
      { expr: `sum(${increase("alertlore_alerts_repeated_total")})`, legend: "told again" },
      {
        expr: sum("after", increase("alertlore_late_matches_total")),
        legend: "found late: {{after}}",
      },
    ],
  },
];

/** What became of alerts, and of the questions to Loki. */
export const outcomes: readonly PanelPlan[] = [
  {
    kind: "bars",
    title: "Outcomes",
    description: "Alerts by what became of them; docs/lifecycle.md says what each means.",
    unit: "short",
    width: 12,
    queries: [
      { expr: sum("outcome", increase("alertlore_enrichments_total")), legend: "{{outcome}}" },
    ],
    link: {
      title: "Episodes with this outcome",
      page: `episodes?outcome=\${__field.labels.outcome:percentencode}&${LAST_DAY}`,
    },
  },
  {
    kind: "lines",
    title: "Time to explain an alert",
    description: "Questions to Loki included.",
    unit: "s",
    width: 12,
    queries: [
      { expr: quantile(0.5, "alertlore_enrichment_duration_seconds"), legend: "median" },
      { expr: quantile(0.99, "alertlore_enrichment_duration_seconds"), legend: "99 %" },
    ],
  },
  {
    kind: "bars",
    title: "Alerts taken and refused",
    description: "What senders posted.",
    unit: "short",
    width: 8,
    queries: [
      { expr: sum("status", increase("alertlore_alerts_received_total")), legend: "{{status}}" },
      {
        expr: `${sum("reason", increase("alertlore_alerts_rejected_total"))} > 0`,
        legend: "refused: {{reason}}",
      },
    ],
  },
  {
    kind: "bars",
    title: "Questions to Loki",
    description: "By what became of them; refused ones were not sent.",
    unit: "short",
    width: 8,
    queries: [
      {
        expr: `${sum("result", increase("alertlore_loki_queries_total"))} > 0`,
        legend: "{{result}}",
      },
      {
        expr: `${sum("reason", increase("alertlore_loki_queries_refused_total"))} > 0`,
        legend: "refused: {{reason}}",
      },
    ],
  },
  {
    kind: "lines",
    title: "Time of a question to Loki",
    description: "To the end of the answer.",
    unit: "s",
    width: 8,
    queries: [
      { expr: quantile(0.5, "alertlore_loki_query_duration_seconds"), legend: "median" },
      { expr: quantile(0.99, "alertlore_loki_query_duration_seconds"), legend: "99 %" },
    ],
  },
];
