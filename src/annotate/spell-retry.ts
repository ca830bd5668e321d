import type { Recommendation } from "../record/recommendation.ts";

/** What a safeguard is called in the tail; others, and rules of the table, need no word there. */
const SAFEGUARD_WORDS: Readonly<Record<string, string>> = {
  "safeguard:widespread": "widespread",
  "safeguard:retried-before": "retried before",
  "safeguard:weak-match": "uncertain match",
  "safeguard:similar-match": "similar wording",
  "safeguard:widened-query": "wider query",
  "safeguard:prose-only": "no log lines",
  "safeguard:no-steps": "no known steps",
  "safeguard:no-rule": "no rule",
};

const UNITS_MS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
  ["ms", 1],
] as const;

/**
 * Spells a recommendation so that a program can read it: `decision [" (" detail {", " detail} ")"]`.
 * The first word is the decision; details are `max N`, `wait D`, `until T` (RFC 3339, UTC) and words.
 */
export function spellRetry(recommendation: Recommendation): string {
  const { decision, maxAttempts, backoff, basedOn, validUntilMs } = recommendation;
  const word = SAFEGUARD_WORDS[basedOn.rule];
  const details = word === undefined ? [] : [word];
  if (maxAttempts !== undefined) details.push(`max ${maxAttempts}`);
  if (backoff !== undefined) details.push(`wait ${spellDuration(backoff.initialMs)}`);
  if (maxAttempts !== undefined) details.push(...untilOf(validUntilMs));
  return details.length === 0 ? decision : `${decision} (${details.join(", ")})`;
}

function untilOf(ms: number): readonly string[] {
  // Beyond these bounds a Date is invalid and throws.
  if (!(Math.abs(ms) <= 8.64e15)) return [];
  return [`until ${new Date(ms).toISOString().replace(/\.\d+Z$/, "Z")}`];
}

/** A Prometheus duration such as `1m30s`; fractions of a millisecond are dropped. */
function spellDuration(ms: number): string {
  let left = Math.max(0, Math.floor(ms));
  let text = "";
  for (const [unit, unitMs] of UNITS_MS) {
    const count = Math.floor(left / unitMs);
    if (count > 0) text += `${count}${unit}`;
    left -= count * unitMs;
  }
  return text === "" ? "0s" : text;
}
