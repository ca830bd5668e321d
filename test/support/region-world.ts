import type { TestContext } from "vitest";
import type { Alert } from "../../src/alert/alert.ts";
import { createRegions } from "../../src/grafana/create-regions.ts";
import { createGrafanaClient } from "../../src/grafana/grafana-client.ts";
import { createRegionTicker } from "../../src/schedule/region-ticker.ts";
import type { SqlStore, SqlStoreOptions } from "../../src/store/sql-store.ts";
import type { Enrichment } from "../../src/enrich/enrichment.ts";
import { buildAlert } from "./build-alert.ts";
import type { AlertWishes } from "./build-alert.ts";
import { buildEnrichment } from "./build-enrichment.ts";
import type { provideStores, StoreKind } from "./each-store.ts";
import { startFakeGrafana } from "./fake-grafana.ts";
import type { FakeGrafana } from "./fake-grafana.ts";
import { createManualClock } from "./manual-clock.ts";
import type { ManualClock } from "./manual-clock.ts";
import { createRecordingCounters } from "./recording-counters.ts";
import type { RecordingCounters } from "./recording-counters.ts";
import { createRecordingLogger } from "./recording-logger.ts";
import type { RecordingLogger } from "./recording-logger.ts";

/** When the world begins. */
export const WORLD_MS = Date.parse("2026-03-14T09:31:00Z");

/** What may be different. */
export interface RegionWishes extends Partial<SqlStoreOptions> {
  readonly perMinute?: number;
  /** Tokens by organisation; 0 is what alerts get that name none. */
  readonly tokens?: Readonly<Record<number, string>>;
  readonly firstId?: bigint;
}

/** Episodes in a store that are marked in a fake Grafana, on a clock that is moved by hand. */
export interface RegionWorld {
  readonly grafana: FakeGrafana;
  readonly clock: ManualClock;
  readonly logger: RecordingLogger;
  readonly counters: RecordingCounters;
  /** Where the store is, for a second replica. */
  readonly url: string;
  readonly wishes: RegionWishes;
  readonly store: () => SqlStore;
  /** An alert fires with a match; gives the episode's id. */
  readonly fire: (alert?: AlertWishes, found?: Partial<Enrichment>) => Promise<string>;
  /** What was found later of an episode. */
  readonly find: (episodeId: string, found?: Partial<Enrichment>) => Promise<void>;
  /** A post of an alert that may have fired before. */
  readonly post: (alert: AlertWishes, sourceName?: string) => Promise<string>;
  /** Brings Grafana up to date, once. */
  readonly tick: () => Promise<void>;
  /** Moves the clock on, and brings Grafana up to date every so often. */
  readonly pass: (durationMs: number, everyMs?: number) => Promise<void>;
  /** The process is killed and comes again. */
  readonly restart: () => Promise<void>;
}

/** Creates one. */
export async function createRegionWorld(
  { urlFor, open }: ReturnType<typeof provideStores>,
  { context, kind }: { readonly context: TestContext; readonly kind: StoreKind },
  wishes: RegionWishes = {},
): Promise<RegionWorld> {
  const grafana = await startFakeGrafana(wishes.firstId);
  const clock = createManualClock(WORLD_MS);
  const logger = createRecordingLogger();
  const counters = createRecordingCounters();
  const url = await urlFor(context, kind);
  let store = await open(context, url, wishes);
  const parts = { grafana, clock, logger, counters, wishes };
  let ticker = createTestTicker(store, parts);
  const post = async (alert: AlertWishes, sourceName = "alertmanager") => {
    const source = { name: sourceName, tenant: "" };
    const alerts: readonly Alert[] = [buildAlert(alert)];
    const [sighting] = await store.observe(source, alerts, clock.nowMs());
    if (sighting === undefined) throw new Error("the alert belongs to no episode");
    return sighting.id;
  };
  const find = async (episodeId: string, found: Partial<Enrichment> = {}) => {
    const enrichment = buildEnrichment({ ...found, episodeId });
    const kept = { enrichment, isCountable: false, follow: () => [], nowMs: clock.nowMs() };
    await store.saveLate(kept);
  };
  const tick = () => ticker();
  return {
    ...parts,
    url,
    store: () => store,
    post,
    find,
    tick,
    async fire(alert = {}, found = {}) {
      const id = await post(alert);
      await find(id, found);
      return id;
    },
    async pass(durationMs, everyMs = 5000) {
      for (let passedMs = 0; passedMs < durationMs; passedMs += everyMs) {
        clock.advance(everyMs);
        await tick();
      }
    },
    async restart() {
      await store.close();
      store = await open(context, url, wishes);
      ticker = createTestTicker(store, parts);
    },
  };
}

/** The ticker of one replica. */
export function createTestTicker(
  store: SqlStore,
  parts: Pick<RegionWorld, "grafana" | "clock" | "logger" | "counters" | "wishes">,
): () => Promise<void> {
  const { grafana, clock, logger, counters, wishes } = parts;
  const tokens = wishes.tokens ?? { 0: "glsa_editor", 1: "glsa_editor" };
  const bases = { pagesUrl: "https://lore.test", grafanaUrl: "https://grafana.test" };
  const regions = new Map(
    Object.entries(tokens).map(([orgId, token]) => {
      const client = createGrafanaClient({
        url: grafana.url,
        authorization: `Bearer ${token}`,
        orgId: undefined,
        userAgent: "Alertlore/test",
        timeoutMs: 5000,
      });
      return [Number(orgId), createRegions({ client, bases, clock, logger })];
    }),
  );
  return createRegionTicker({
    book: store.regions,
    regionsOf: (orgId) => regions.get(orgId),
    roles: store,
    perMinute: wishes.perMinute ?? 30,
    leaseMs: 45_000,
    prefix: "error_",
    ...{ clock, counters, logger },
  });
}
