import type { Labels } from "../../alert/alert.ts";
import type { LogTrace } from "../../enrich/enrichment.ts";
import type { Outcome } from "../../enrich/outcome.ts";
import type { Provenance } from "../../log/excerpt.ts";
import type { Backoff } from "../../record/recommendation.ts";
import { durationWords } from "../frame/time-words.ts";

/** What an alert is called. */
export function nameOf(labels: Labels): string {
  return labels["alertname"] ?? "(alert without a name)";
}

/** Labels that say where, the narrowest first. */
const PLACES = ["pod", "instance", "container", "service", "job", "app", "node", "namespace"];

/** Where an alert fires, e.g. `pod api-1 · namespace shop`; empty when no label says so. */
export function placeOf(labels: Labels): string {
  const places = PLACES.filter((name) => (labels[name] ?? "") !== "");
  return places
    .slice(0, 3)
    .map((name) => `${name} ${labels[name] ?? ""}`)
    .join(" · ");
}

/** What an episode without a match is, and what to do about it. */
export const OUTCOME_WORDS: Readonly<
  Record<Outcome | "pending", { readonly title: string; readonly next: string }>
> = {
  matched: { title: "A known error was found", next: "" },
  no_match: {
    title: "No known error in its log lines",
    next: "Read the lines below. If you learn the cause, make a record of it under Unmatched, so that the next one is explained.",
  },
  no_logs: {
    title: "No log lines were found",
    next: "See below what was asked. Give the alert labels that name a pod, container or job, or an annotation logql.",
  },
  logs_failed: {
    title: "Loki could not be asked",
    next: "The reason stands below. Alertlore asks again after 15 s, 60 s and 5 min while the alert fires.",
  },
  deadline: {
    title: "It took too long to explain in time",
    next: "The next notification of this alert is explained again.",
  },
  skipped: { title: "This alert is not explained", next: "See enrich.match and enrich.skip." },
  failed: {
    title: "A fault of Alertlore kept it from being explained",
    next: "The log of the service names it.",
  },
  pending: {
    title: "It is being worked on",
    next: "Reload this page in a moment. Until then: do not retry.",
  },
};

/** Where log lines came from. */
export const PROVENANCE_WORDS: Readonly<Record<Provenance, string>> = {
  excerpt: "an annotation of the alert",
  query: "the query in the alert's annotation logql",
  rule: "the alerting rule's own query",
  pinned: "a query that names its pod, container or instance",
  widened: "a wider query, so that they may be of a neighbour",
  prose: "the alert's own description, not a log",
};

/** A plan of retries as a sentence. */
export function backoffWords(
  backoff: Backoff | undefined,
  maxAttempts: number | undefined,
): string {
  const most =
    maxAttempts === undefined
      ? ""
      : `At most ${maxAttempts === 1 ? "one attempt" : `${maxAttempts} attempts`}.`;
  if (backoff === undefined) return most;
  const { initialMs, factor, maxMs, jitter } = backoff;
  const growth =
    factor > 1
      ? `, then ${factor} times as long each time, up to ${durationWords(maxMs)}`
      : " each time";
  const random = jitter > 0 ? `; ${Math.round(jitter * 100)} % of each wait at random` : "";
  return `Wait ${durationWords(initialMs)} before the first${growth}${random}. ${most}`.trim();
}

/** What became of the question for log lines. */
export function traceWords({ result, reason, clamped }: LogTrace): string {
  if (result === "found") return "Lines were found.";
  if (result === "empty") {
    return `There were no lines in this range${clamped ? ", which was shortened" : ""}.`;
  }
  return `The question failed: ${REASONS[reason ?? "server"]}.`;
}

const REASONS: Readonly<Record<NonNullable<LogTrace["reason"]>, string>> = {
  bad_query: "Loki did not understand the query",
  throttled: "Loki has too much to do",
  too_large: "the answer would be too large",
  unauthorized: "Loki did not accept the credentials",
  no_tenant: "no tenant is known for this alert",
  timeout: "Loki did not answer in time",
  unreachable: "Loki could not be reached",
  refused: "Loki was taken to be down, or the budget of questions was used up",
  server: "Loki had a fault of its own",
};
