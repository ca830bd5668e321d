import type { AlertStatus } from "../alert/alert.ts";
import { overruled, type Verdict } from "./verdict.ts";

/** What happened before; a number that is missing is not known and escalates nothing. */
export interface EpisodeHistory {
  /** Earlier firings on equal labels that got `retry` for the primary record within the window. */
  readonly retriesOnSameLabels?: number;
  /** Open episodes whose primary match is the same record, this one included. */
  readonly openEpisodesOfRecord?: number;
  /** Open episodes whose primary match is of the same class, this one included. */
  readonly openEpisodesOfClass?: number;
}

/**
 * Makes a verdict more cautious by what is known beyond the matches: a resolved alert, a retry that
 * did not last, and many episodes at once, where retries would become a storm.
 *
 * `do_not_retry` outlives history, for neither repetition nor number makes a hopeless operation
 * hopeful; a resolved alert has no failed operation left to advise on.
 */
export function escalate(
  verdict: Verdict,
  status: AlertStatus,
  history: EpisodeHistory,
  widespreadFrom: number,
): Verdict {
  if (status === "resolved") {
    const reason = "The alert is resolved: there is nothing to retry.";
    return overruled(verdict, "investigate", "resolved", reason);
  }
  if (verdict.decision === "do_not_retry") return verdict;
  const open = Math.max(history.openEpisodesOfRecord ?? 0, history.openEpisodesOfClass ?? 0);
  if (open >= widespreadFrom) {
    const reason = `Widespread: ${open} alerts show this error now. Look for the common cause; many retries at once would make it worse.`;
    return overruled(verdict, "investigate", "widespread", reason);
  }
  const retries = history.retriesOnSameLabels ?? 0;
  if (retries > 0 && verdict.decision !== "investigate") {
    const times = retries === 1 ? "once" : `${retries} times`;
    const reason = `A retry was advised ${times} before for this error on the same labels, and it came back.`;
    return overruled(verdict, "investigate", "retried-before", reason);
  }
  return verdict;
}
