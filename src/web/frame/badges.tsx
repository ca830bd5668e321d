import type { VNode } from "preact";
import type { EpisodeSummary } from "../../enrich/reading-ports.ts";
import type { Decision } from "../../record/recommendation.ts";

/** How a decision is told: a sign and words beside the colour, and what it means for the reader. */
export const DECISION_WORDS: Readonly<
  Record<Decision, { readonly sign: string; readonly name: string; readonly meaning: string }>
> = {
  retry: {
    sign: "↻",
    name: "Retry",
    meaning: "It passes by itself. Retry, if repeating the operation is safe.",
  },
  retry_after_fix: {
    sign: "➊",
    name: "Fix, then retry",
    meaning: "Do the steps first; a retry before that fails again.",
  },
  do_not_retry: {
    sign: "✕",
    name: "Do not retry",
    meaning: "It will fail again, or a repetition does harm.",
  },
  investigate: {
    sign: "?",
    name: "Investigate",
    meaning: "Not known well enough, widespread, or retried too often. Do not retry blindly.",
  },
};

/** The decision on an episode. */
export function DecisionBadge({ decision }: { decision: Decision }): VNode {
  const { sign, name } = DECISION_WORDS[decision];
  return (
    <span class={`badge ${decision}`}>
      <span aria-hidden="true">{sign}</span> {name}
    </span>
  );
}

const STATUS_WORDS: Readonly<Record<EpisodeSummary["status"], readonly [string, string]>> = {
  open: ["▲", "Firing"],
  resolved: ["✓", "Resolved"],
  stale: ["…", "Not seen any more"],
};

/** Whether an episode fires. */
export function StatusBadge({ status }: { status: EpisodeSummary["status"] }): VNode {
  const [sign, name] = STATUS_WORDS[status];
  return (
    <span class={`badge status-${status}`}>
      <span aria-hidden="true">{sign}</span> {name}
    </span>
  );
}
