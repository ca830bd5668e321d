import type { AlertResult, Countable, EnrichKit } from "./enrich-alert.ts";
import { countEpisode } from "./count-episode.ts";
import { SKIPPED } from "./enrich-alert.ts";
import { enrichGroup } from "./enrich-group.ts";
import { presentGroup } from "./present-group.ts";
import type { Dispatch, FinishReceipt, GroupJob, GroupJournal } from "./delivery-ports.ts";
import type { EnrichedGroup } from "./ports.ts";

/** All that the way of a group needs, from its first commit to its deliveries. */
export interface GroupKit extends EnrichKit {
  readonly journal: GroupJournal;
  readonly dispatch: Dispatch;
  /** Longest that enrichment may take, from receipt on. */
  readonly deadlineMs: number;
}

/** A group with everything that became of its alerts. */
export interface FinishedWay {
  readonly enriched: EnrichedGroup;
  /** Whether a later group of the same receiver and groupKey may now be taken up. */
  readonly hasNext: boolean;
}

/** A group that ended so many processes goes out as it came. */
const TRIES_MAX = 3;

/**
 * Takes an accepted group the rest of its way: enriches it until the deadline, makes the enrichments
 * and what the destinations are owed durable, counts, and wakes the deliveries.
 *
 * @throws {Error} When the second commit could not be made; the job is then taken up again.
 */
export async function finishGroup(kit: GroupKit, job: GroupJob): Promise<FinishedWay> {
  const results = await resultsOf(kitOf(kit, job), job);
  const enriched = presentGroup(
    kit.settings,
    job.group,
    results.map((result) => result.enrichment),
  );
  const countables = countablesOf(results);
  const nowMs = kit.clock.nowMs();
  const deliveries = kit.dispatch.plan(job.group, nowMs);
  const receipt = await kit.journal.finish({
    job,
    enrichments: results.flatMap(({ enrichment, isFresh }) =>
      enrichment !== undefined && isFresh ? [enrichment] : [],
    ),
    countable: [...countables.keys()],
    deliveries,
    awaited: awaitedOf(kit, job, results),
    nowMs,
  });
  // Another process has taken the job over, and does all of this itself.
  if (receipt === undefined) return { enriched, hasNext: false };
  countWhatWasClaimed(kit, { receipt, countables, deliveries });
  kit.dispatch.wake(job.id, enriched);
  return { enriched, hasNext: receipt.hasNext };
}

/** The kit for the job's source: a sender may have named a tenant. */
function kitOf(kit: GroupKit, { source }: GroupJob): GroupKit {
  return { ...kit, settings: { ...kit.settings, source } };
}

async function resultsOf(kit: GroupKit, job: GroupJob): Promise<readonly AlertResult[]> {
  if (job.attempts > TRIES_MAX) {
    kit.logger.error({ job: job.id, attempts: job.attempts }, "group goes on as it came");
    return job.group.alerts.map(() => ({ ...SKIPPED, outcome: "failed" as const }));
  }
  const leftMs = Math.max(0, job.receivedMs + kit.deadlineMs - kit.clock.nowMs());
  // A job that was taken up after a crash gets a new deadline: bare is worse than a little later.
  const limitMs = job.attempts > 1 ? kit.deadlineMs : leftMs;
  return enrichGroup(kit, job, AbortSignal.timeout(limitMs));
}

function countablesOf(results: readonly AlertResult[]): ReadonlyMap<string, Countable> {
  return new Map(
    results.flatMap(({ enrichment, countable }) =>
      enrichment === undefined || countable === undefined
        ? []
        : [[enrichment.episodeId, countable] as const],
    ),
  );
}

/** Firing episodes for which lines, or the end of work that met its deadline, may still come. */
function awaitedOf(
  { lateLooks }: GroupKit,
  { group }: GroupJob,
  results: readonly AlertResult[],
): readonly string[] {
  return results.flatMap(({ outcome, enrichment }, index) => {
    if (enrichment === undefined || group.alerts[index]?.status !== "firing") return [];
    const hasLooks = lateLooks !== undefined && enrichment.logs !== undefined;
    const isOpen = (outcome === "no_logs" || outcome === "logs_failed") && hasLooks;
    return (isOpen || outcome === "deadline") && enrichment.episodeId !== ""
      ? [enrichment.episodeId]
      : [];
  });
}

function countWhatWasClaimed(
  { counters }: GroupKit,
  done: {
    readonly receipt: FinishReceipt;
    readonly countables: ReadonlyMap<string, Countable>;
    readonly deliveries: readonly { readonly destination: string }[];
  },
): void {
  for (const id of done.receipt.counted) {
    const countable = done.countables.get(id);
    if (countable !== undefined) countEpisode(counters, id, countable);
  }
  for (const [index, { destination }] of done.deliveries.entries()) {
    const enqueued = done.receipt.enqueued[index];
    if (enqueued !== undefined && enqueued !== "queued") {
      counters.deliveryEnded(destination, enqueued);
    }
  }
}
