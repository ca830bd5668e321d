import { ANNOTATION_DEFAULTS } from "../../src/annotate/annotation-settings.ts";
import { EMPTY_SCOPES } from "../../src/match/scope-table.ts";
import { createRecordStore } from "../../src/catalogue/record-store.ts";
import type { EnrichKit } from "../../src/enrich/enrich-alert.ts";
import type { GroupKit } from "../../src/enrich/finish-group.ts";
import { createExplainer } from "../../src/enrich/explain-excerpt.ts";
import type { GroupJournal, LateFinds } from "../../src/enrich/delivery-ports.ts";
import type { EpisodeStore, History } from "../../src/enrich/ports.ts";
import type { EnrichSettings } from "../../src/enrich/settings.ts";
import { compileCatalogue } from "../../src/match/compile-catalogue.ts";
import type { CatalogueRecord } from "../../src/record/known-error.ts";
import { REDACT_DEFAULTS } from "../../src/redact/redact-options.ts";
import { openSqlStore } from "../../src/store/sql-store.ts";
import type { SqlStore } from "../../src/store/sql-store.ts";
import { buildRecord } from "./build-record.ts";
import { createManualClock } from "./manual-clock.ts";
import type { ManualClock } from "./manual-clock.ts";
import { createRecordingCounters } from "./recording-counters.ts";
import type { RecordingCounters } from "./recording-counters.ts";
import { createRecordingLogger } from "./recording-logger.ts";
import type { RecordingLogger } from "./recording-logger.ts";

/** A line that shows the record of `buildRecord`. */
export const KNOWN_LINE =
  "2026-03-14T09:30:01Z ERROR engine::checkpoint: cannot write checkpoint 71 of shard s-4: lease expired";

/** The way of an alert with real steps, and fakes where a test looks or turns. */
export interface TestKit extends GroupKit {
  readonly counters: RecordingCounters;
  readonly clock: ManualClock;
  readonly logger: RecordingLogger;
}

/** What a test wants to be different. */
export interface KitWishes {
  readonly settings?: Partial<EnrichSettings>;
  readonly kit?: Partial<Pick<EnrichKit, "explain" | "episodes">>;
  readonly records?: readonly CatalogueRecord[];
}

/** Creates a kit that knows one record: curated, advice `retry`. */
export function createKit(wishes: KitWishes = {}): TestKit {
  const records = wishes.records ?? [buildRecord(1)];
  const store = createRecordStore(records, "");
  const loaded = { catalogue: compileCatalogue(records, ""), store, scopes: EMPTY_SCOPES };
  const kept = createKeptInMemory();
  return {
    settings: { ...SETTINGS, ...wishes.settings },
    explain: createExplainer({ loaded, redact: REDACT_DEFAULTS, threshold: 0.5 }),
    records: store,
    logSource: undefined,
    lateLooks: undefined,
    random: () => 0,
    episodes: kept,
    history: kept,
    journal: kept,
    dispatch: { plan: () => [], planFollowUps: () => [], wake: () => undefined },
    lateFinds: kept,
    planFollowUps: () => [],
    deadlineMs: 600_000,
    counters: createRecordingCounters(),
    clock: createManualClock(),
    logger: createRecordingLogger(),
    ...wishes.kit,
  };
}

/** A store that is opened when it is first asked. */
function createKeptInMemory(): EpisodeStore & History & GroupJournal & LateFinds {
  const opened = openSqlStore({
    url: "memory",
    staleAfterMs: 18_000_000,
    copyWindowMs: 45_000,
    retentionMs: 86_400_000,
    episodesMax: 1000,
  });
  const later =
    <Args extends readonly unknown[], Result>(
      ask: (store: SqlStore, ...args: Args) => Promise<Result>,
    ) =>
    async (...args: Args): Promise<Result> =>
      ask(await opened, ...args);
  return {
    observe: later((store, ...args: Parameters<SqlStore["observe"]>) => store.observe(...args)),
    saveLate: later((store, ...args: Parameters<SqlStore["saveLate"]>) => store.saveLate(...args)),
    find: later((store, ...args: Parameters<SqlStore["find"]>) => store.find(...args)),
    retriesOf: later((store, ...args: Parameters<SqlStore["retriesOf"]>) =>
      store.retriesOf(...args),
    ),
    openEpisodes: later((store, ...args: Parameters<SqlStore["openEpisodes"]>) =>
      store.openEpisodes(...args),
    ),
    accept: later((store, ...args: Parameters<SqlStore["accept"]>) => store.accept(...args)),
    claimJobs: later((store, ...args: Parameters<SqlStore["claimJobs"]>) =>
      store.claimJobs(...args),
    ),
    finish: later((store, ...args: Parameters<SqlStore["finish"]>) => store.finish(...args)),
  };
}

const SETTINGS: EnrichSettings = {
  source: { name: "alertmanager", tenant: "" },
  mode: "on",
  match: [],
  skip: [],
  select: {
    logAnnotations: ["log_excerpt"],
    proseAnnotations: ["description"],
    excerptBytesMax: 65_536,
    excerptLinesMax: 1000,
  },
  logs: {
    plan: { annotation: undefined, rule: true, configured: [], byLabels: true, errorFilter: "" },
    range: { forMs: 0, lookbackMs: 300_000, lagMs: 10_000, rangeMsMax: 3_600_000 },
    tenant: { tenant: "", allowed: [] },
    ...{ stepsMax: 6, entriesMax: 1000, bytesMax: 65_536 },
  },
  explore: undefined,
  pagesUrl: undefined,
  redact: REDACT_DEFAULTS,
  rules: {
    rules: [
      {
        name: "lease",
        match: { errorClass: ["CheckpointError"] },
        decision: "retry",
        maxAttempts: 3,
        backoff: { initialMs: 1000, factor: 2, maxMs: 60_000, jitter: 0.2 },
        validForMs: 900_000,
        reason: "A lease is renewed by itself.",
        restsOn: undefined,
      },
    ],
    validForMs: 900_000,
    widespreadFrom: 10,
    retryWindowMs: 3_600_000,
  },
  annotate: ANNOTATION_DEFAULTS,
  appendToDescription: false,
};
