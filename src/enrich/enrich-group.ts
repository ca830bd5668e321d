import type { Alert, AlertGroup, TimestampNs } from "../alert/alert.ts";
import { appendSummary } from "./append-summary.ts";
import { enrichAlert, enrichmentWithoutMatch } from "./enrich-alert.ts";
import type { AlertResult, EnrichKit } from "./enrich-alert.ts";
import type { EnrichedGroup } from "./ports.ts";

/** A group with everything that became of its alerts. */
export interface GroupResult {
  /** As it may go out: in mode `shadow` without enrichments. */
  readonly enriched: EnrichedGroup;
  /** Alerts that told nothing new. */
  readonly duplicates: number;
}

/** Alerts of one group that are worked on at a time; the others wait for a place. */
const ALERTS_AT_ONCE = 8;

/**
 * Enriches the alerts of a group, each on its own: what fails for one goes out bare and is logged,
 * and harms no other.
 *
 * When `deadline` is aborted, alerts that are not done go out bare with outcome `deadline`. Work that
 * has begun is finished and kept for the next notification; nothing new is begun.
 */
export async function enrichGroup(
  kit: EnrichKit,
  group: AlertGroup,
  deadline: AbortSignal,
): Promise<GroupResult> {
  const expiry = watchAbort(deadline);
  // One time for all: alerts that ask for the same lines then ask for the same range, and once.
  const nowNs = kit.clock.nowNs();
  const results: AlertResult[] = [];
  const waiting = group.alerts.entries();
  const worker = async () => {
    for (const [index, alert] of waiting) {
      // Matching is pure computation: between two alerts everyone else gets a turn.
      await new Promise((resolve) => setImmediate(resolve));
      const { promise: expired } = expiry;
      results[index] = await enrichInTime(kit, alert, { deadline, expired, nowNs });
    }
  };
  await Promise.all(Array.from({ length: ALERTS_AT_ONCE }, worker));
  expiry.stop();
  const duplicates = results.filter((result) => result.repeat).length;
  return { enriched: enrichedGroup(kit, group, results), duplicates };
}

interface InTime {
  readonly deadline: AbortSignal;
  readonly expired: Promise<"expired">;
  readonly nowNs: TimestampNs;
}

async function enrichInTime(
  kit: EnrichKit,
  alert: Alert,
  { deadline, expired, nowNs }: InTime,
): Promise<AlertResult> {
  const startedMs = kit.clock.elapsedMs();
  const result = deadline.aborted
    ? "expired"
    : await Promise.race([enrichFailingOpen(kit, alert, nowNs), expired]);
  const settled = result === "expired" ? bareForDeadline(kit, alert) : result;
  kit.counters.enriched(settled.outcome, (kit.clock.elapsedMs() - startedMs) / 1000);
  return settled;
}

async function enrichFailingOpen(
  kit: EnrichKit,
  alert: Alert,
  nowNs: TimestampNs,
): Promise<AlertResult> {
  try {
    return await enrichAlert(kit, alert, nowNs);
  } catch (error) {
    const { fingerprint } = alert;
    kit.logger.error({ fingerprint, error }, "alert could not be enriched and goes on as it came");
    return { outcome: "failed", enrichment: undefined, repeat: false };
  }
}

function bareForDeadline({ settings }: EnrichKit, alert: Alert): AlertResult {
  const found = { outcome: "deadline", episode: undefined, excerpt: undefined } as const;
  const enrichment = enrichmentWithoutMatch(settings, alert, found);
  return { outcome: "deadline", enrichment, repeat: false };
}

function enrichedGroup(
  { settings }: EnrichKit,
  group: AlertGroup,
  results: readonly AlertResult[],
): EnrichedGroup {
  if (settings.mode !== "on") return { group, enrichments: group.alerts.map(() => undefined) };
  const enrichments = results.map((result) => result.enrichment);
  if (!settings.appendToDescription) return { group, enrichments };
  const alerts = group.alerts.map((alert, index) =>
    appendSummary(alert, enrichments[index], settings.annotate.prefix),
  );
  return { group: { ...group, alerts }, enrichments };
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
