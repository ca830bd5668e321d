import { describe, expect, it } from "vitest";
import type { TestContext } from "vitest";
import type { Alert } from "../../../src/alert/alert.ts";
import type { Source } from "../../../src/alert/episode.ts";
import type { Enrichment } from "../../../src/enrich/enrichment.ts";
import type { EpisodeSighting } from "../../../src/enrich/ports.ts";
import type { Decision } from "../../../src/record/recommendation.ts";
import type { SqlStore } from "../../../src/store/sql-store.ts";
import { buildAlert } from "../../support/build-alert.ts";
import { buildEnrichment } from "../../support/build-enrichment.ts";
import { buildMatch } from "../../support/build-match.ts";
import { STORE_KINDS, provideStores } from "../../support/each-store.ts";

const source: Source = { name: "alertmanager", tenant: "" };
const HOUR_MS = 3_600_000;
const NOW = Date.parse("2026-03-14T12:00:00Z");
const at = (time: string) => `2026-03-14T${time}Z`;

interface Post {
  readonly startsAt: string;
  readonly endsAt?: string;
  /** Name of the episode the post must belong to; `none` when it must belong to none. */
  readonly episode: string;
  readonly repeat?: boolean;
}

const firings: readonly { readonly name: string; readonly posts: readonly Post[] }[] = [
  {
    name: "takes a second post with equal start for a repeat",
    posts: [
      { startsAt: at("09:00:00"), episode: "a", repeat: false },
      { startsAt: at("09:00:00"), episode: "a", repeat: true },
    ],
  },
  {
    name: "takes another start of an HA peer for the same open firing",
    posts: [
      { startsAt: at("09:00:05"), episode: "a", repeat: false },
      { startsAt: at("09:00:00"), episode: "a", repeat: true },
      { startsAt: at("09:07:00"), episode: "a", repeat: true },
    ],
  },
  {
    name: "takes a resolve for news and its copy for a repeat",
    posts: [
      { startsAt: at("09:00:00"), episode: "a" },
      { startsAt: at("09:00:00"), endsAt: at("09:30:00"), episode: "a", repeat: false },
      { startsAt: at("09:00:02"), endsAt: at("09:30:04"), episode: "a", repeat: true },
    ],
  },
  {
    name: "begins a new firing at the very end of the last",
    posts: [
      { startsAt: at("09:00:00"), episode: "a" },
      { startsAt: at("09:00:00"), endsAt: at("09:30:00"), episode: "a" },
      { startsAt: at("09:30:00"), episode: "b", repeat: false },
    ],
  },
  {
    name: "opens the firing again for a post that began before its end",
    posts: [
      { startsAt: at("09:00:00"), episode: "a" },
      { startsAt: at("09:00:00"), endsAt: at("09:30:00"), episode: "a" },
      { startsAt: at("09:29:59"), episode: "a", repeat: false },
    ],
  },
  {
    name: "gives a late copy of an old resolve to the old firing",
    posts: [
      { startsAt: at("09:00:00"), episode: "a" },
      { startsAt: at("09:00:00"), endsAt: at("09:30:00"), episode: "a" },
      { startsAt: at("10:00:00"), episode: "b" },
      { startsAt: at("09:00:01"), endsAt: at("09:30:00"), episode: "a", repeat: true },
      { startsAt: at("10:00:00"), episode: "b", repeat: true },
    ],
  },
  {
    name: "knows no episode for a resolve of a firing it never saw",
    posts: [
      { startsAt: at("09:00:00"), endsAt: at("09:30:00"), episode: "none" },
      { startsAt: at("10:00:00"), episode: "a", repeat: false },
    ],
  },
];

const { urlFor, open } = provideStores();

describe.each(STORE_KINDS)("episodes in %s", (kind) => {
  const openNew = async (context: TestContext) => open(context, await urlFor(context, kind));

  it.for(firings)("$name", async ({ posts }, context) => {
    const store = await openNew(context);
    const ids = new Map<string, string>();
    for (const { startsAt, endsAt, episode, repeat } of posts) {
      const alert = buildAlert({ startsAt, ...(endsAt !== undefined && { endsAt }) });
      const sighting = await observeOne(store, alert);
      const known = ids.get(episode);
      if (known === undefined) expect([...ids.values()]).not.toContain(sighting?.id);
      else expect(sighting?.id).toBe(known);
      expect(sighting === undefined).toBe(episode === "none");
      if (sighting !== undefined) ids.set(episode, sighting.id);
      if (repeat !== undefined) expect(sighting?.repeat).toBe(repeat);
    }
  });

  it("takes a resolve without an end for one that ends now", async (context) => {
    const store = await openNew(context);
    const alert = buildAlert();
    const opened = await observeOne(store, alert);
    const closed = await observeOne(store, { ...alert, status: "resolved" });
    expect(closed).toMatchObject({ id: opened?.id, status: "resolved", repeat: false });
    const later = buildAlert({ startsAt: "2026-03-14T12:00:00Z" });
    expect((await observeOne(store, later))?.id).not.toBe(opened?.id);
  });

  it("keeps equal alerts of two sources apart", async (context) => {
    const store = await openNew(context);
    const first = await observeOne(store, buildAlert());
    const [second] = await store.observe({ ...source, tenant: "b" }, [buildAlert()], NOW);
    expect(first?.id).not.toBe(second?.id);
  });

  it("takes an alert that stands twice in a group for one episode", async (context) => {
    const store = await openNew(context);
    const [first, second] = await store.observe(source, [buildAlert(), buildAlert()], NOW);
    expect(second).toMatchObject({ id: first?.id, repeat: true });
  });

  it("gives the same ids after a restart and others in another store", async (context) => {
    const url = await urlFor(context, kind);
    const store = await open(context, url);
    const first = await observeOne(store, buildAlert());
    await store.close();
    const again = await observeOne(await open(context, url), buildAlert());
    const elsewhere = await observeOne(await openNew(context), buildAlert());
    expect(first?.id).toMatch(/^[0-9a-f]{64}$/u);
    expect(again).toMatchObject({ id: first?.id, repeat: true });
    expect(elsewhere?.id).not.toBe(first?.id);
  });

  it("closes what was not seen for longer than the limit as stale", async (context) => {
    const store = await openNew(context);
    const { id = "" } = (await observeOne(store, buildAlert())) ?? {};
    await store.sweep(NOW + 5 * HOUR_MS);
    expect((await store.find([id]))[0]?.status).toBe("open");
    await store.sweep(NOW + 5 * HOUR_MS + 1);
    expect((await store.find([id]))[0]?.status).toBe("stale");
  });

  it("begins a new episode when a stale one fires again with a later start", async (context) => {
    const store = await openNew(context);
    const opened = await observeOne(store, buildAlert({ startsAt: at("09:00:00") }));
    const later = buildAlert({ startsAt: "2026-03-14T18:00:00Z" });
    const [again] = await store.observe(source, [later], NOW + 6 * HOUR_MS);
    expect(again?.id).not.toBe(opened?.id);
  });

  it("removes closed episodes after the retention, and the oldest beyond the limit", async (context) => {
    const store = await open(context, await urlFor(context, kind), { episodesMax: 2 });
    const [old, second, third] = await store.observe(source, [other(1), other(2), other(3)], NOW);
    const resolve = async (number: number, nowMs: number) =>
      store.observe(source, [{ ...other(number), status: "resolved" }], nowMs);
    await resolve(1, NOW);
    await resolve(2, NOW + 1);
    await store.sweep(NOW + 2);
    const ids = [old, second, third].map((sighting) => sighting?.id ?? "");
    const left = async () => (await store.find(ids)).map((episode) => episode.id).sort();
    expect(await left()).toEqual(ids.slice(1).sort());
    const later = NOW + 16 * 24 * HOUR_MS;
    await store.observe(source, [other(3)], later);
    await store.sweep(later);
    expect(await left()).toEqual([ids[2]]);
  });

  it("lets an episode be counted once, however often it is seen and whoever asks", async (context) => {
    const store = await openNew(context);
    const { id = "" } = (await observeOne(store, buildAlert())) ?? {};
    const claims = await Promise.all(
      [id, id, id, "0".repeat(64)].map((episodeId) => {
        const enrichment = { ...buildEnrichment(), episodeId };
        return store.saveLate({ enrichment, isCountable: true, follow: () => [], nowMs: NOW });
      }),
    );
    expect(claims.filter(Boolean)).toHaveLength(1);
  });

  it("counts the open episodes of a record", async (context) => {
    const store = await openNew(context);
    await matched(store, other(1), "investigate");
    await matched(store, other(2), "investigate");
    await observeOne(store, { ...other(2), status: "resolved" });
    const count = (recordId: string, errorClass?: string) =>
      store.openEpisodes({ recordId, errorClass, isKept: true, upTo: 1000 });
    const errorClass = buildEnrichment().errorClass;
    expect(await count("r1", errorClass)).toEqual({ ofRecord: 1, ofClass: 1 });
    expect(await count("r2", errorClass)).toEqual({ ofRecord: 0, ofClass: 1 });
    expect(await count("r2")).toEqual({ ofRecord: 0, ofClass: 0 });
  });

  it("answers each of many questions asked at once as if it were asked alone", async (context) => {
    const store = await openNew(context);
    await matched(store, buildAlert(), "investigate");
    await matched(store, other(2), "retry");
    const ask = (recordId: string, upTo: number) =>
      store.openEpisodes({ recordId, errorClass: undefined, isKept: true, upTo });
    const open = await Promise.all([ask("r1", 3000), ask("r2", 2), ask("r1", 5)]);
    expect(open.map(({ ofRecord }) => ofRecord)).toEqual([2, 0, 2]);
    const labels = other(2).labels;
    const retries = await Promise.all([
      store.retriesOf("r1", labels, 0),
      store.retriesOf("r1", buildAlert().labels, 0),
      store.retriesOf("r2", labels, 0),
      store.retriesOf("r1", labels, NOW + 1),
    ]);
    expect(retries).toEqual([1, 0, 0, 0]);
  });

  it("counts open episodes as far as the question asks and no further", async (context) => {
    const store = await openNew(context);
    for (const pod of [1, 2, 3]) await matched(store, other(pod), "investigate");
    const count = async (upTo: number) =>
      (await store.openEpisodes({ recordId: "r1", errorClass: undefined, isKept: true, upTo }))
        .ofRecord;
    expect(await count(2)).toBe(2);
    expect(await count(4)).toBe(3);
  });

  it("counts earlier firings on equal labels that were told to retry", async (context) => {
    const store = await openNew(context);
    const labels = { alertname: "A", pod: "p" };
    await matched(store, buildAlert({ labels }), "retry");
    await matched(store, buildAlert({ labels: { ...labels, pod: "q" } }), "retry");
    await matched(store, other(3), "do_not_retry");
    const swapped = { pod: "p", alertname: "A" };
    expect(await store.retriesOf("r1", swapped, NOW)).toBe(1);
    expect(await store.retriesOf("r1", swapped, NOW + 1)).toBe(0);
  });

  it("keeps the first match of an episode, without its excerpt", async (context) => {
    const store = await openNew(context);
    const id = await matched(store, buildAlert(), "retry");
    await matched(store, buildAlert(), "do_not_retry");
    const [state] = await store.find([id]);
    expect(state?.enrichment?.recommendation?.decision).toBe("retry");
    expect(state?.enrichment?.excerpt).toBeUndefined();
  });

  it("keeps labels with any character", async (context) => {
    const store = await openNew(context);
    const labels = { alertname: "A\u0000\ud800'\"\\", __proto_: "ü" };
    const { id = "" } = (await observeOne(store, buildAlert({ labels }))) ?? {};
    expect((await store.find([id]))[0]?.labels).toEqual(labels);
  });
});

async function observeOne(store: SqlStore, alert: Alert): Promise<EpisodeSighting | undefined> {
  const [sighting] = await store.observe(source, [alert], NOW);
  return sighting;
}

function other(number: number) {
  return buildAlert({ labels: { alertname: "A", pod: `p${number}` } });
}

async function matched(store: SqlStore, alert: Alert, decision: Decision): Promise<string> {
  const { id = "" } = (await observeOne(store, alert)) ?? {};
  const enrichment: Enrichment = {
    episodeId: id,
    outcome: "matched",
    excerpt: { entries: [], provenance: "excerpt", cut: false },
    matches: [buildMatch({ recordId: "r1" })],
    errorClass: "CheckpointError",
    recommendation: {
      decision,
      maxAttempts: undefined,
      backoff: undefined,
      steps: [],
      reason: "as the test says",
      validUntilMs: NOW + HOUR_MS,
      basedOn: { recordId: "r1", rule: "test", curated: true },
    },
    annotations: { compact: {}, full: {} },
  };
  await store.saveLate({ enrichment, isCountable: false, follow: () => [], nowMs: NOW });
  return id;
}
