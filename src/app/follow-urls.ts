import { setTimeout as sleep } from "node:timers/promises";
import { syncPauseMs } from "../catalogue/sync/sync-pause.ts";
import type { Metrics } from "../count/metrics.ts";
import type { Clock, Logger } from "../enrich/ports.ts";
import { syncInWorker } from "./run-worker.ts";
import type { SyncReport, SyncRequest } from "./sync-records.ts";

/** What following a URL needs and tells. */
export interface FollowUrlParts {
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly clock: Clock;
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
    const report = await trySync(request);
    signal.throwIfAborted();
    tell(report, parts);
    failures = report.result === "failure" ? failures + 1 : 0;
    if (report.result === "updated") onChange();
    const pauseMs = syncPauseMs(failures, intervalMs, Math.random());
    await sleep(pauseMs, undefined, { signal, ref: false });
  }
}

async function trySync(request: SyncRequest): Promise<SyncReport> {
  try {
    return await syncInWorker(request);
  } catch {
    const { url } = request.task;
    return { url, result: "failure", reason: "thread", message: "the sync thread broke off" };
  }
}

function tell(report: SyncReport, { metrics, logger, clock }: FollowUrlParts): void {
  metrics.catalogueSynced(report.result, clock.nowMs());
  if (report.result === "failure") {
    const { url, reason, message } = report;
    logger.error({ url, reason, fault: message }, "no new records, the last good copy stays");
    return;
  }
  const { url, datasetVersion, absentRepos } = report;
  if (absentRepos.length > 0) {
    logger.warn({ url, repos: absentRepos.join(" ") }, "the dataset has no such repositories");
  }
  if (report.result === "updated") logger.info({ url, datasetVersion }, "new records fetched");
}
