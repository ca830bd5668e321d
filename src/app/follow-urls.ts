import { setTimeout as sleep } from "node:timers/promises";
import { nameOf } from "../catalogue/sync/http-fetch.ts";
import { syncPauseMs } from "../catalogue/sync/sync-pause.ts";
import type { Metrics } from "../count/metrics.ts";
import type { Clock, Logger } from "../enrich/ports.ts";
import type { HealthBoard } from "./health-board.ts";
import { failedSync, fallbackWords } from "./sync-records.ts";
import type { SyncReport, SyncRequest } from "./sync-records.ts";

/** Fetches what is new at one URL, and says what came of it. */
export type Sync = (request: SyncRequest) => Promise<SyncReport>;

/** What following a URL needs and tells. */
export interface FollowUrlParts {
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly health: HealthBoard;
  readonly sync: Sync;
  readonly intervalMs: number;
  readonly signal: AbortSignal;
}

/** Asks a URL for new records now and then again and again, until the signal. Never throws. */
export function followUrl(request: SyncRequest, parts: FollowUrlParts, onChange: () => void): void {
  void follow(request, parts, onChange).catch(() => undefined);
}

async function follow(
  request: SyncRequest,
  parts: FollowUrlParts,
  onChange: () => void,
): Promise<void> {
  const { intervalMs, signal } = parts;
  let failures = 0;
  for (;;) {
    const report = await trySync(request, parts.sync);
    signal.throwIfAborted();
    tell(report, parts);
    failures = report.result === "failure" ? failures + 1 : 0;
    if (report.result === "updated") onChange();
    const pauseMs = syncPauseMs(failures, intervalMs, Math.random());
    await sleep(pauseMs, undefined, { signal, ref: false });
  }
}

async function trySync(request: SyncRequest, sync: Sync): Promise<SyncReport> {
  try {
    return await sync(request);
  } catch {
    return failedSync(request.task, { reason: "thread", message: "the sync thread broke off" });
  }
}

function tell(report: SyncReport, { metrics, logger, clock, health }: FollowUrlParts): void {
  const nowMs = clock.nowMs();
  metrics.catalogueSynced(report.result, nowMs);
  health.synced(report, nowMs);
  const url = nameOf(report.url);
  if (report.result === "failure") {
    const { reason, message } = report;
    logger.error({ url, reason, fault: message }, `no new records, ${fallbackWords(report)}`);
    return;
  }
  const { datasetVersion, absentRepos } = report;
  if (absentRepos.length > 0) {
    logger.warn({ url, repos: absentRepos.join(" ") }, "the dataset has no such repositories");
  }
  if (report.result === "updated") logger.info({ url, datasetVersion }, "new records fetched");
}
