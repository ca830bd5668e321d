import { renderFault } from "../config/config-fault.ts";
import type { ConfigFault } from "../config/config-fault.ts";
import { nameOf } from "../catalogue/sync/http-fetch.ts";
import type { RecordsHealth, SyncState } from "../web/status/records-health.ts";
import type { SyncReport } from "./sync-records.ts";

/** Keeps what the pages say of the sources of records. */
export interface HealthBoard {
  read(): RecordsHealth;
  /** What was wrong with the files of the last build. */
  built(faults: readonly ConfigFault[]): void;
  /** The URLs that are followed from now on; what is known of one of them stays. */
  followed(urls: readonly string[]): void;
  synced(report: SyncReport, nowMs: number): void;
}

/** Creates a board on which nothing is wrong. */
export function createHealthBoard(): HealthBoard {
  let faults: readonly string[] = [];
  let syncs = new Map<string, SyncState>();
  return {
    read: () => ({ faults, syncs: [...syncs.values()] }),
    built(found) {
      faults = found.map(renderFault);
    },
    followed(urls) {
      const unasked = (url: string) => ({
        url: nameOf(url),
        askedMs: undefined,
        failure: undefined,
      });
      syncs = new Map(urls.map((url) => [url, syncs.get(url) ?? unasked(url)]));
    },
    synced(report, askedMs) {
      const { url, result } = report;
      const failure =
        result === "failure"
          ? { reason: report.reason, message: report.message, hasCopy: report.hasCopy }
          : undefined;
      syncs.set(url, { url: nameOf(url), askedMs, failure });
    },
  };
}
