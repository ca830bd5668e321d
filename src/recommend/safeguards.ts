import type { Provenance } from "../log/excerpt.ts";
import { type CatalogueRecord, isCurated } from "../record/known-error.ts";
import type { Match } from "../record/match.ts";
import { findHazard } from "./find-hazard.ts";
import { overruled, type SafeguardName, type Verdict } from "./verdict.ts";

/** What the safeguards on one match look at beside the verdict. */
export interface Circumstances {
  readonly provenance: Provenance | undefined;
  /** Captures of the outer links of the chain: they hold the text of the inner ones. */
  readonly wrapperCaptures: readonly string[];
  readonly recordOf: (id: string) => CatalogueRecord | undefined;
}

interface JudgedMatch {
  readonly match: Match;
  readonly entry: CatalogueRecord;
}

/** Gives a more cautious verdict, or the one it was given. */
type Safeguard = (verdict: Verdict, judged: JudgedMatch, around: Circumstances) => Verdict;

/**
 * In this order, each seeing what those before it left: `retry` is taken back first, then
 * `retry_after_fix` without a fix, and last everything that rests on a doubtful match.
 */
const SAFEGUARDS: readonly Safeguard[] = [
  neverRetryHazards,
  neverRetryOnUpstreamWordAlone,
  neverFixWithoutSteps,
  neverTrustDoubtfulMatches,
];

/** Applies the safeguards that no rule file can switch off to a verdict on one match. */
export function safeguard(verdict: Verdict, judged: JudgedMatch, around: Circumstances): Verdict {
  return SAFEGUARDS.reduce((sofar, guard) => guard(sofar, judged, around), verdict);
}

function neverRetryHazards(verdict: Verdict, judged: JudgedMatch, around: Circumstances): Verdict {
  if (verdict.decision !== "retry") return verdict;
  const printed = [...judged.match.captures, ...around.wrapperCaptures];
  // Nothing tells the alternatives apart from the record, so each of them may be what happened.
  const others = judged.match.alternatives.map((other) => around.recordOf(other.id));
  const hazard = [judged.entry, ...others]
    .map((entry) => (entry === undefined ? undefined : findHazard(entry.record, printed)))
    .find((found) => found !== undefined);
  if (hazard === undefined) return verdict;
  const name = `hazard-${hazard.name}` as const;
  if (hazard.fixable) {
    const reason = `This is about ${hazard.subject}, which trying again does not change: remove the cause first.`;
    return overruled(verdict, "retry_after_fix", name, reason);
  }
  const reason = `This is about ${hazard.subject}; trying again may do more damage.`;
  return overruled(verdict, "do_not_retry", name, reason);
}

function neverRetryOnUpstreamWordAlone(verdict: Verdict, { entry }: JudgedMatch): Verdict {
  if (verdict.decision !== "retry" || verdict.restsOn !== undefined) return verdict;
  if (!isCurated(entry)) {
    const reason =
      "The record's advice to retry is about code and nobody has confirmed it for operations: do the steps first.";
    return overruled(verdict, "retry_after_fix", "upstream-retry", reason);
  }
  if (entry.record.handlingStrategy === "retry") return verdict;
  const reason =
    "The rule would retry, but the record does not call the failure transient and the rule does not say what it rests on: do the steps first.";
  return overruled(verdict, "retry_after_fix", "unfounded-retry", reason);
}

function neverFixWithoutSteps(verdict: Verdict, { entry }: JudgedMatch): Verdict {
  if (verdict.decision !== "retry_after_fix" || entry.record.solutions.length > 0) return verdict;
  const reason =
    "Something must be repaired before trying again, but the record names no steps: find out what.";
  return overruled(verdict, "investigate", "no-steps", reason);
}

function neverTrustDoubtfulMatches(
  verdict: Verdict,
  { match }: JudgedMatch,
  around: Circumstances,
): Verdict {
  if (verdict.decision === "investigate") return verdict;
  const doubt = doubtAbout(match, around.provenance);
  if (doubt === undefined) return verdict;
  return overruled(verdict, "investigate", doubt.name, doubt.reason);
}

interface Doubt {
  readonly name: SafeguardName;
  readonly reason: string;
}

function doubtAbout(match: Match, provenance: Provenance | undefined): Doubt | undefined {
  if (match.kind === "similar") {
    const reason = "The line only resembles the known error: check that it is the same one.";
    return { name: "similar-match", reason };
  }
  if (match.confidence !== "high") {
    const reason = "The known error was not recognised with certainty: check the lines first.";
    return { name: "weak-match", reason };
  }
  switch (provenance) {
    case "widened":
      return {
        name: "widened-query",
        reason: "The lines come from a wider query and may belong to another workload.",
      };
    case "prose":
      return {
        name: "prose-only",
        reason: "The error was found in the alert's description, not in a log.",
      };
    case undefined:
      return { name: "unknown-source", reason: "It is not known where the lines come from." };
    case "excerpt":
    case "query":
    case "rule":
    case "pinned":
      return undefined;
  }
}
