import { describe, expect, it } from "vitest";
import type { TestContext } from "vitest";
import type { Labels } from "../../../src/alert/alert.ts";
import type { Enrichment } from "../../../src/enrich/enrichment.ts";
import type { EpisodeFilter } from "../../../src/enrich/reading-ports.ts";
import { openDatabase } from "../../../src/store/open-database.ts";
import type { SqlStore } from "../../../src/store/sql-store.ts";
import { buildAlert } from "../../support/build-alert.ts";
import { buildEnrichment } from "../../support/build-enrichment.ts";
import { STORE_KINDS, provideStores } from "../../support/each-store.ts";

const NOW = Date.parse("2026-03-14T12:00:00Z");
const HOUR_MS = 3_600_000;
const source = { name: "alertmanager", tenant: "" };

function save(store: SqlStore, wishes: Partial<Enrichment>, nowMs: number) {
  const enrichment = buildEnrichment(wishes);
  return store.saveLate({ enrichment, isCountable: false, follow: () => [], nowMs });
}

/** Opens one episode; episodes are told apart by their number. */
async function firing(
  store: SqlStore,
  number: number,
  labels: Labels,
  enrichment?: Partial<Enrichment>,
) {
  const alert = buildAlert({ fingerprint: number.toString(16).padStart(16, "0"), labels });
  const openedMs = NOW + number * 1000;
  const [sighting] = await store.observe(source, [alert], openedMs);
  const id = sighting?.id ?? "";
  if (enrichment !== undefined) {
    await save(store, { ...enrichment, episodeId: id }, openedMs);
  }
  return id;
}

const unmatched = (shape: string, sample: string): Partial<Enrichment> => ({
  outcome: "no_match",
  matches: [],
  errorClass: undefined,
  unmatched: { shape, sample },
});

describe.each(STORE_KINDS)("what pages read of %s", (kind) => {
  const stores = provideStores();
  const opened = async (context: TestContext) =>
    stores.open(context, await stores.urlFor(context, kind));

  it("lists episodes by filter, the latest first", async (context) => {
    const store = await opened(context);
    const a = await firing(store, 1, { alertname: "A", pod: 'x"1' }, {});
    const b = await firing(store, 2, { alertname: "B", pod: "x" }, { errorClass: "Other" });
    const c = await firing(store, 3, { alertname: "A" });
    const ids = async (filter: EpisodeFilter) =>
      (await store.listEpisodes(filter, { max: 10 })).episodes.map(({ id }) => id);
    expect(await ids({})).toEqual([c, b, a]);
    const label = (name: string, value: string, isEqual = true) => ({
      labels: [{ name, value, isEqual }],
    });
    expect(await ids(label("alertname", "A"))).toEqual([c, a]);
    expect(await ids(label("alertname", "A", false))).toEqual([b]);
    expect(await ids(label("pod", 'x"1'))).toEqual([a]);
    expect(await ids(label("pod", ""))).toEqual([c]);
    expect(await ids(label("pod", "", false))).toEqual([b, a]);
    expect(await ids(label("alert%", "A"))).toEqual([]);
    expect(await ids({ errorClass: "Other" })).toEqual([b]);
    expect(await ids({ outcome: "matched" })).toEqual([b, a]);
    expect(await ids({ status: "resolved" })).toEqual([]);
    expect(await ids({ fromMs: NOW + 2000, untilMs: NOW + 3000 })).toEqual([b]);
  });

  it("gives every episode on exactly one page", async (context) => {
    const store = await opened(context);
    const ids: string[] = [];
    for (let number = 0; number < 7; number += 1) {
      ids.unshift(await firing(store, number, { alertname: "A" }));
    }
    const seen: string[] = [];
    let page = await store.listEpisodes({}, { max: 3 });
    for (;;) {
      seen.push(...page.episodes.map(({ id }) => id));
      if (page.next === undefined) break;
      page = await store.listEpisodes({}, { max: 3, after: page.next });
    }
    expect(seen).toEqual(ids);
  });

  it("keeps the lines of an excerpt as long as their episode", async (context) => {
    const url = await stores.urlFor(context, kind);
    const kept = {
      provenance: "pinned" as const,
      linesTotal: 9,
      cut: true,
      lines: [{ line: 3, column: 0, timeMs: 5, text: "<b>\u2028" }],
    };
    const store = await stores.open(context, url, { retentionMs: HOUR_MS, staleAfterMs: HOUR_MS });
    const id = await firing(store, 1, { alertname: "A" }, { kept });
    const detail = await store.readEpisode(id);
    expect(detail?.excerpt).toEqual(kept);
    expect(detail?.enrichment?.kept).toBeUndefined();
    expect(detail?.enrichedMs).toBe(NOW + 1000);
    await store.sweep(NOW + 9 * HOUR_MS);
    expect(await store.readEpisode(id)).toBeUndefined();
    await store.close();
    const db = await openDatabase(url);
    const excerpts = await db.kysely.selectFrom("excerpts").selectAll().execute();
    await db.close();
    expect(excerpts).toEqual([]);
  });

  it("counts what fires by error and by hour", async (context) => {
    const store = await opened(context);
    await firing(store, 1, { pod: "a" }, {});
    const last = await firing(store, 2, { pod: "b" }, {});
    const bare = await firing(store, 3600, { pod: "c" });
    const found = await store.listFiring(5);
    expect(found).toMatchObject([
      { errorClass: "CheckpointError", episodes: 2, firstMs: NOW + 1000, lastEpisodeId: last },
      { recordId: undefined, outcome: undefined, episodes: 1, lastEpisodeId: bare },
    ]);
    expect(await store.countFiringClasses()).toEqual([
      { errorClass: "CheckpointError", episodes: 2 },
    ]);
    const hour = NOW / HOUR_MS;
    const hours = await store.countByHour(NOW);
    expect(hours).toHaveLength(2);
    expect(hours).toContainEqual({ errorClass: "CheckpointError", hour, episodes: 2 });
    expect(hours).toContainEqual({ errorClass: undefined, hour: hour + 1, episodes: 1 });
  });

  it("counts a text without a match once for each episode, and forgets old ones", async (context) => {
    const store = await stores.open(context, await stores.urlFor(context, kind), {
      retentionMs: HOUR_MS,
    });
    for (const sample of ["a 1", "a 2"]) {
      const number = Number(sample.slice(2));
      const id = await firing(store, number, { pod: sample }, unmatched("a {}", sample));
      await save(store, { ...unmatched("a {}", sample), episodeId: id }, NOW + 9000);
    }
    await firing(store, 3, { pod: "b" }, unmatched("b", "b"));
    const clusters = await store.listUnmatched({ max: 10, offset: 0 });
    expect(clusters).toMatchObject([
      { shape: "a {}", episodes: 2, firstMs: NOW + 1000, lastMs: NOW + 2000, samples: ["a 1"] },
      { shape: "b", episodes: 1 },
    ]);
    const [first] = clusters;
    expect(await store.findUnmatched(first?.id ?? "")).toEqual(first);
    expect(await store.listUnmatched({ max: 1, offset: 1 })).toMatchObject([{ shape: "b" }]);
    await store.sweep(NOW + 2 * HOUR_MS);
    expect(await store.listUnmatched({ max: 10, offset: 0 })).toEqual([]);
  });

  it("keeps a bounded number of shapes, the latest", async (context) => {
    const store = await opened(context);
    const alerts = Array.from({ length: 2100 }, (_, number) =>
      buildAlert({
        fingerprint: number.toString(16).padStart(16, "0"),
        labels: { n: `${number}` },
      }),
    );
    for (let from = 0; from < alerts.length; from += 300) {
      const nowMs = NOW + from;
      const sightings = await store.observe(source, alerts.slice(from, from + 300), nowMs);
      const enrichments = sightings.map((sighting, index) => ({
        ...unmatched(`shape ${from + index}`, "x"),
        episodeId: sighting?.id ?? "",
      }));
      await Promise.all(enrichments.map((enrichment) => save(store, enrichment, nowMs)));
    }
    const clusters = await store.listUnmatched({ max: 5000, offset: 0 });
    expect(clusters.length).toBeLessThanOrEqual(2000);
    expect(clusters.map(({ shape }) => shape)).toContain("shape 2099");
    const earliest = clusters.filter(({ firstMs }) => firstMs === NOW);
    expect(earliest.length).toBeLessThan(300);
  });
});
