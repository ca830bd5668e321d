import { describe, expect, it } from "vitest";
import type { Source } from "../../../src/alert/episode.ts";
import type { Enrichment } from "../../../src/enrich/enrichment.ts";
import type { Decision } from "../../../src/record/recommendation.ts";
import { MemoryEpisodeStore } from "../../../src/store/memory-episode-store.ts";
import { buildAlert } from "../../support/build-alert.ts";
import type { AlertWishes } from "../../support/build-alert.ts";
import { buildMatch } from "../../support/build-match.ts";

const source: Source = { name: "alertmanager", tenant: "" };
const HOUR_MS = 3_600_000;
const NOW = Date.parse("2026-03-14T12:00:00Z");
const at = (time: string) => `2026-03-14T${time}Z`;

function createStore(episodesMax = 100): MemoryEpisodeStore {
  return new MemoryEpisodeStore({ episodesMax, staleAfterMs: 5 * HOUR_MS });
}

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

describe("episodes", () => {
  it.each(firings)("$name", async ({ posts }) => {
    const store = createStore();
    const ids = new Map<string, string>();
    for (const { startsAt, endsAt, episode, repeat } of posts) {
      const alert = buildAlert({ startsAt, ...(endsAt !== undefined && { endsAt }) });
      const sighting = await store.observe(source, alert, NOW);
      const known = ids.get(episode);
      if (known === undefined) expect([...ids.values()]).not.toContain(sighting?.id);
      else expect(sighting?.id).toBe(known);
      expect(sighting === undefined).toBe(episode === "none");
      if (sighting !== undefined) ids.set(episode, sighting.id);
      if (repeat !== undefined) expect(sighting?.repeat).toBe(repeat);
    }
  });

  it("takes a resolve without an end for one that ends now", async () => {
    const store = createStore();
    const alert = buildAlert();
    const opened = await store.observe(source, alert, NOW);
    const closed = await store.observe(source, { ...alert, status: "resolved" }, NOW);
    expect(closed).toMatchObject({ id: opened?.id, status: "resolved", repeat: false });
    const later = buildAlert({ startsAt: "2026-03-14T12:00:00Z" });
    expect((await store.observe(source, later, NOW))?.id).not.toBe(opened?.id);
  });

  it("keeps equal alerts of two sources apart", async () => {
    const store = createStore();
    const first = await store.observe(source, buildAlert(), NOW);
    const second = await store.observe({ ...source, tenant: "b" }, buildAlert(), NOW);
    expect(first?.id).not.toBe(second?.id);
  });

  it("gives ids that another instance does not give", async () => {
    const first = await createStore().observe(source, buildAlert(), NOW);
    const second = await createStore().observe(source, buildAlert(), NOW);
    expect(first?.id).toMatch(/^[0-9a-f]{64}$/u);
    expect(first?.id).not.toBe(second?.id);
  });

  it("closes what was not seen for longer than the limit as stale", async () => {
    const store = createStore();
    const opened = await store.observe(source, buildAlert(), NOW);
    await store.observe(source, other(1), NOW + 5 * HOUR_MS);
    expect((await store.find(opened?.id ?? ""))?.status).toBe("open");
    await store.observe(source, other(2), NOW + 5 * HOUR_MS + 1);
    expect((await store.find(opened?.id ?? ""))?.status).toBe("stale");
  });

  it("forgets the episode seen longest ago when it is full", async () => {
    const store = createStore(2);
    const first = await store.observe(source, other(1), NOW);
    const second = await store.observe(source, other(2), NOW);
    await store.observe(source, other(1), NOW);
    await store.observe(source, other(3), NOW);
    expect(await store.find(first?.id ?? "")).toBeDefined();
    expect(await store.find(second?.id ?? "")).toBeUndefined();
  });
});

describe("counting", () => {
  it("lets an episode be claimed once, however often it is seen", async () => {
    const store = createStore();
    const { id = "" } = (await store.observe(source, buildAlert(), NOW)) ?? {};
    expect(await store.claimCount(id)).toBe(true);
    await store.observe(source, buildAlert(), NOW);
    expect(await store.claimCount(id)).toBe(false);
  });

  it("lets nothing be claimed for an episode it does not know", async () => {
    expect(await createStore().claimCount("0".repeat(64))).toBe(false);
  });
});

describe("history", () => {
  it("counts the open episodes of a record", async () => {
    const store = createStore();
    await matched(store, other(1), "investigate");
    await matched(store, other(2), "investigate");
    await store.observe(source, { ...other(2), status: "resolved" }, NOW);
    expect(await store.openEpisodesOf("r1")).toBe(1);
    expect(await store.openEpisodesOf("r2")).toBe(0);
  });

  it("counts earlier firings on equal labels that were told to retry", async () => {
    const store = createStore();
    const labels = { alertname: "A", pod: "p" };
    await matched(store, buildAlert({ labels }), "retry");
    await matched(store, buildAlert({ labels: { ...labels, pod: "q" } }), "retry");
    await matched(store, other(3), "do_not_retry");
    const swapped = { pod: "p", alertname: "A" };
    expect(await store.retriesOf("r1", swapped, NOW)).toBe(1);
    expect(await store.retriesOf("r1", swapped, NOW + 1)).toBe(0);
  });

  it("keeps an enrichment without its excerpt", async () => {
    const store = createStore();
    const id = await matched(store, buildAlert(), "retry");
    const state = await store.find(id);
    expect(state?.enrichment?.matches).toHaveLength(1);
    expect(state?.enrichment?.excerpt).toBeUndefined();
  });
});

function other(number: number, wishes: AlertWishes = {}) {
  return buildAlert({ labels: { alertname: "A", pod: `p${number}` }, ...wishes });
}

async function matched(
  store: MemoryEpisodeStore,
  alert: ReturnType<typeof buildAlert>,
  decision: Decision,
): Promise<string> {
  const { id = "" } = (await store.observe(source, alert, NOW)) ?? {};
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
  await store.saveEnrichment(enrichment, NOW);
  return id;
}
