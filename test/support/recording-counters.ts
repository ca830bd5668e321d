import type { Counters } from "../../src/enrich/ports.ts";
import { classOf } from "../../src/record/known-error.ts";

/** Counters that keep a tally by name and labels, durations left out. */
export interface RecordingCounters extends Counters {
  /** E.g. `enriched matched` → 2. */
  readonly tally: Readonly<Record<string, number>>;
}

/** Creates counters that stand at nothing. */
export function createRecordingCounters(): RecordingCounters {
  const tally: Record<string, number> = {};
  const count = (...words: string[]) => {
    const key = words.join(" ");
    tally[key] = (tally[key] ?? 0) + 1;
  };
  return {
    tally,
    alertReceived: (_source, status) => {
      count("received", status);
    },
    alertRejected: (reason) => {
      count("rejected", reason);
    },
    enriched: (outcome) => {
      count("enriched", outcome);
    },
    alertsRepeated: (alerts) => {
      for (let index = 0; index < alerts; index += 1) count("repeated");
    },
    recommended: (decision) => {
      count("recommended", decision);
    },
    matchedLate: (after) => {
      count("matchedLate", after);
    },
    matchedError: (entry, decision) => {
      count("matchedError", classOf(entry.record), entry.record.severity, decision);
    },
    delivered: (destination, result) => {
      count("delivered", destination, result);
    },
    deliveryEnded: (destination, how) => {
      count("deliveryEnded", destination, how);
    },
    templateFailed: (destination) => {
      count("templateFailed", destination);
    },
    storeFailed: (answer) => {
      count("storeFailed", answer);
    },
    proxyForwarded: (upstream, result) => {
      count("proxyForwarded", upstream, result);
    },
    proxyPosted: (how) => {
      count("proxyPosted", how);
    },
    proxyHeld: (result) => {
      count("proxyHeld", result);
    },
    proxyPushed: (result) => {
      count("proxyPushed", result);
    },
    lokiAsked: (result) => {
      count("lokiAsked", result);
    },
    lokiRefused: (refusal) => {
      count("lokiRefused", refusal);
    },
    lokiBreaker: (state) => {
      count("lokiBreaker", state);
    },
    lateLogs: (result) => {
      count("lateLogs", result);
    },
    regionTold: (result) => {
      count("regionTold", result);
    },
    regionsFolded: (episodes) => {
      for (let index = 0; index < episodes; index += 1) count("regionFolded");
    },
  };
}
