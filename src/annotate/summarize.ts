import type { Labels, TimestampNs } from "../alert/alert.ts";
import type { CatalogueRecord } from "../record/known-error.ts";
import type { Match } from "../record/match.ts";
import type { Decision, Recommendation } from "../record/recommendation.ts";
import { cutToBytes, utf8Bytes } from "./cut-text.ts";
import { plainLine } from "./plain-text.ts";

/** What the summary is made from. */
export interface SummaryParts {
  readonly match: Match;
  readonly entry: CatalogueRecord | undefined;
  readonly recommendation: Recommendation | undefined;
  readonly labels: Labels;
  readonly lastSeenNs: TimestampNs | undefined;
  /** Bytes of UTF-8 that the summary may take. */
  readonly bytesMax: number;
}

/** Stands between what was seen and what to do; a resolved alert keeps only what is before it. */
export const ADVICE = " Advice: ";

const STEP_BYTES_KEPT = 110;
const STEP_BYTES_MIN = 24;
const MESSAGE_BYTES_MIN = 40;
const PLACE_BYTES_MAX = 64;

/** Labels that say where, the narrowest first. */
const PLACES = ["pod", "instance", "container", "service", "job", "app", "node", "namespace"];

const ADVICE_WORDS: Readonly<Record<Decision, string>> = {
  retry: "retry, if repeating the operation is safe.",
  retry_after_fix: "do the steps, then retry.",
  do_not_retry: "do not retry, it will fail again.",
  investigate: "investigate, do not retry blindly.",
};

/**
 * Says within its budget what was seen, what is advised, and the first step. Stands alone without
 * links. It states what was found in the log and never claims to know the cause.
 */
export function summarize(parts: SummaryParts): string {
  const { match, entry, recommendation, bytesMax } = parts;
  const head = `${openingOf(match)} seen ${timesOf(match.occurrences)}${placeOf(parts.labels)}${lastOf(parts.lastSeenNs)}: `;
  const advice = recommendation === undefined ? "" : ADVICE + ADVICE_WORDS[recommendation.decision];
  const firstStep = plainLine(entry?.record.solutions[0] ?? "");
  const step = firstStep === "" ? "" : ` First step: ${firstStep}`;
  const stepKept = Math.min(utf8Bytes(step), STEP_BYTES_KEPT);
  const left = bytesMax - utf8Bytes(head) - utf8Bytes(advice);
  const message = cutToBytes(messageOf(match), Math.max(left - stepKept, MESSAGE_BYTES_MIN));
  const said = head + ended(message) + advice;
  const room = bytesMax - utf8Bytes(said);
  return cutToBytes(room < STEP_BYTES_MIN ? said : said + cutToBytes(step, room), bytesMax);
}

function openingOf(match: Match): string {
  if (match.kind === "similar") return "Text resembling a known error";
  return match.confidence === "high" ? "Known error" : "Possibly a known error,";
}

function timesOf(occurrences: number): string {
  return occurrences > 1 ? `${occurrences} times` : "once";
}

function placeOf(labels: Labels): string {
  for (const name of PLACES) {
    const value = Object.hasOwn(labels, name) ? plainLine(labels[name] ?? "") : "";
    if (value !== "") return ` in ${name} ${cutToBytes(value, PLACE_BYTES_MAX)}`;
  }
  return "";
}

function lastOf(lastSeenNs: TimestampNs | undefined): string {
  if (lastSeenNs === undefined) return "";
  const ms = Number(lastSeenNs / 1_000_000n);
  // Beyond these bounds a Date is invalid and throws.
  if (Math.abs(ms) > 8.64e15) return "";
  const time = /T(\d\d:\d\d)/.exec(new Date(ms).toISOString())?.[1];
  return time === undefined ? "" : `, last at ${time} UTC`;
}

/** The template on one line; what would be taken for our own advice is put in other words. */
function messageOf(match: Match): string {
  return plainLine(match.errorMessage).replaceAll(ADVICE, " advice: ");
}

function ended(message: string): string {
  return /[.!?…]$/u.test(message) ? message : `${message}.`;
}
