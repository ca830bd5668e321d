import type { Alert, TimestampNs } from "../alert/alert.ts";
import { SKIPPED, enrichAlert, planFirstLook } from "./enrich-alert.ts";
import { enrichmentWithoutMatch } from "./enrichment-without-match.ts";
import type { AlertResult, EnrichKit } from "./enrich-alert.ts";
import { keepLate } from "./keep-late.ts";
import type { GroupJob } from "./delivery-ports.ts";
import type { EpisodeSighting } from "./ports.ts";
import { rememberOpenEpisodes } from "./read-history.ts";

/** Alerts of one group that are worked on at a time; the others wait for a place. */
const ALERTS_AT_ONCE = 8;

/**
 * Enriches the alerts of a group, each on its own: what fails for one goes out bare and is logged,
 * and harms no other.
 *
 * When `deadline` is aborted, alerts that are not done go out bare with outcome `deadline`. Work that
 * has begun is finished and kept for the next notification; nothing new is begun.
 *
 * @returns One for each alert, in its order.
 */
export async function enrichGroup(
  kit: EnrichKit,
  { group, sightings }: Pick<GroupJob, "group" | "sightings">,
  deadline: AbortSignal,
): Promise<readonly AlertResult[]> {
  const expiry = watchAbort(deadline);
  const groupKit = { ...kit, history: rememberOpenEpisodes(kit.history) };
  // One time for all: alerts that ask for the same lines then ask for the same range, and once.
  const nowNs = kit.clock.nowNs();
  const results: AlertResult[] = [];
  const waiting = group.alerts.entries();
  const worker = async () => {
    for (const [index, alert] of waiting) {
      // Matching is pure computation: between two alerts everyone else gets a turn.
      await new Promise((resolve) => setImmediate(resolve));
      const found = { alert, episode: sightings[index], nowNs };
      results[index] = await enrichInTime(groupKit, found, { deadline, expired: expiry.promise });
    }
  };
  await Promise.all(Array.from({ length: ALERTS_AT_ONCE }, worker));
  expiry.stop();
  return results;
}

interface Found {
  readonly alert: Alert;
  readonly episode: EpisodeSighting | undefined;
  readonly nowNs: TimestampNs;
}

async function enrichInTime(
  kit: EnrichKit,
  found: Found,
  { deadline, expired }: { deadline: AbortSignal; expired: Promise<"expired"> },
): Promise<AlertResult> {
  const startedMs = kit.clock.elapsedMs();
  const result = deadline.aborted ? "expired" : await finishInTime(kit, found, expired);
  const settled = result === "expired" ? bareForDeadline(kit, found) : result;
  if (settled.outcome === "deadline") await planLookForUndone(kit, found);
  kit.counters.enriched(settled.outcome, (kit.clock.elapsedMs() - startedMs) / 1000);
  return settled;
}

async function finishInTime(
  kit: EnrichKit,
  found: Found,
  expired: Promise<"expired">,
): Promise<AlertResult | "expired"> {
  const work = enrichFailingOpen(kit, found);
  const result = await Promise.race([work, expired]);
  if (result === "expired") void work.then((late) => keepLateResult(kit, late));
  return result;
}

async function enrichFailingOpen(kit: EnrichKit, { alert, ...found }: Found): Promise<AlertResult> {
  try {
    return await enrichAlert(kit, alert, found);
  } catch (error) {
    const { fingerprint } = alert;
    kit.logger.error({ fingerprint, error }, "alert could not be enriched and goes on as it came");
    return { ...SKIPPED, outcome: "failed" };
  }
}

function bareForDeadline({ settings }: EnrichKit, { alert, episode }: Found): AlertResult {
  if (episode === undefined) return SKIPPED;
  const found = { outcome: "deadline", episode, excerpt: undefined } as const;
  const enrichment = enrichmentWithoutMatch(settings, alert, found);
  return { outcome: "deadline", enrichment, isFresh: false, countable: undefined };
}

// What goes on past the deadline dies with the process; a look is kept by the store.
async function planLookForUndone(kit: EnrichKit, { alert, episode }: Found): Promise<void> {
  if (episode === undefined || alert.status === "resolved") return;
  try {
    await planFirstLook(kit, alert, episode);
  } catch (error) {
    kit.logger.warn({ error }, "a later look for logs could not be planned");
  }
}

async function keepLateResult(kit: EnrichKit, { enrichment, isFresh, countable }: AlertResult) {
  if (enrichment === undefined || !isFresh) return;
  try {
    await keepLate(kit, enrichment, countable);
    if (enrichment.outcome === "matched") kit.counters.matchedLate("deadline");
  } catch (error) {
    kit.logger.warn({ error }, "an enrichment that came late could not be kept");
  }
}

/** Resolves when the signal is aborted; `stop` ends the wait, so that the signal keeps no listener. */
function watchAbort(signal: AbortSignal): { promise: Promise<"expired">; stop: () => void } {
  let expire: () => void = () => undefined;
  const promise = new Promise<"expired">((resolve) => {
    expire = () => {
      resolve("expired");
    };
  });
  if (signal.aborted) expire();
  else signal.addEventListener("abort", expire, { once: true });
  return {
    promise,
    stop: () => {
      signal.removeEventListener("abort", expire);
    },
  };
}
