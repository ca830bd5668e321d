import { describe, expect, it } from "vitest";
import type { TestContext } from "vitest";
import type { AlertGroup } from "../../../src/alert/alert.ts";
import type { DeliveryClaim, NewDelivery } from "../../../src/enrich/delivery-ports.ts";
import type { SqlStore } from "../../../src/store/sql-store.ts";
import { buildAlert, buildGroup } from "../../support/build-alert.ts";
import { buildEnrichment } from "../../support/build-enrichment.ts";
import { STORE_KINDS, provideStores } from "../../support/each-store.ts";

const { urlFor, open } = provideStores();
const source = { name: "alertmanager", tenant: "" };
const NOW = Date.parse("2026-03-14T12:00:00Z");
/** Finds that come close together are told at once. */
const GATHERED = 2000;

const alertOf = (pod: string, isOver = false) =>
  buildAlert({
    labels: { alertname: "A", pod },
    ...(isOver && { endsAt: "2026-03-14T11:00:00Z" }),
  });

const planOf =
  (nowMs: number) =>
  (group: AlertGroup): NewDelivery[] => {
    const ofStatus = (status: string) =>
      group.alerts.filter((alert) => alert.status === status).map((alert) => alert.fingerprint);
    return [
      {
        destination: "d",
        firing: ofStatus("firing"),
        resolved: ofStatus("resolved"),
        expiresMs: nowMs + 3_600_000,
        copyWindowMs: 45_000,
        every: false,
      },
    ];
  };

/** Takes a group whose firing episodes all wait for an explanation. */
async function take(store: SqlStore, group: AlertGroup, nowMs: number, isAwaited = true) {
  const { job } = await store.accept({
    ...{ source, group, receivedMs: nowMs, leaseMs: 30_000 },
    observes: () => true,
  });
  const episodes = job.sightings.map((sighting) => sighting?.id ?? "");
  const awaited = isAwaited ? episodes : [];
  const news = { enrichments: [], countable: [], awaited, deliveries: planOf(nowMs)(group) };
  await store.finish({ job, ...news, nowMs });
  return episodes;
}

const find = (store: SqlStore, episodeId: string, nowMs: number) =>
  store.saveLate({
    enrichment: buildEnrichment({ episodeId }),
    isCountable: true,
    follow: planOf(nowMs),
    nowMs,
  });

const claim = (store: SqlStore, nowMs: number) =>
  store.claim({ destination: "d", max: 9, nowMs, leaseMs: 30_000 });

async function claimOne(store: SqlStore, nowMs: number): Promise<DeliveryClaim> {
  const [first, ...others] = await claim(store, nowMs);
  expect(others).toEqual([]);
  if (first === undefined) throw new Error("nothing is due");
  return first;
}

describe.each(STORE_KINDS)("what is found later, in %s", (kind) => {
  const openNew = async (context: TestContext) => open(context, await urlFor(context, kind));

  it("is told once, with all that was found for the group meanwhile", async (context) => {
    const store = await openNew(context);
    const [a = "", b = ""] = await take(store, buildGroup([alertOf("a"), alertOf("b")]), NOW);
    await store.succeed(await claimOne(store, NOW), NOW);
    expect(await find(store, a, NOW + 15_000)).toBe(true);
    expect(await find(store, b, NOW + 16_000)).toBe(true);
    expect(await claim(store, NOW + 15_000)).toEqual([]);
    const followUp = await claimOne(store, NOW + 15_000 + GATHERED);
    expect(followUp.late).toBe("follow_up");
    const stored = await store.load(followUp);
    expect(stored?.enrichments.map((each) => each?.outcome)).toEqual(["matched", "matched"]);
    expect(await store.succeed(followUp, NOW + 18_000)).toBe("done");
    expect(await claim(store, NOW + 60_000)).toEqual([]);
    // Its body rested for the follow-up alone.
    expect(await store.load(followUp)).toBeUndefined();
  });

  it("does not move the window of copies", async (context) => {
    const store = await openNew(context);
    const group = buildGroup([alertOf("a")]);
    const [a = ""] = await take(store, group, NOW);
    await store.succeed(await claimOne(store, NOW), NOW);
    await find(store, a, NOW + 15_000);
    await store.succeed(await claimOne(store, NOW + 20_000), NOW + 20_000);
    await take(store, group, NOW + 45_000, false);
    expect((await claimOne(store, NOW + 45_000)).late).toBe("no");
  });

  it("goes out with a body that waits, and in a second one when the first was under way", async (context) => {
    const store = await openNew(context);
    const [a = ""] = await take(store, buildGroup([alertOf("a")]), NOW);
    const underWay = await claimOne(store, NOW);
    await find(store, a, NOW + 1);
    expect(await store.succeed(underWay, NOW + 2)).toBe("newer");
    const second = await claimOne(store, NOW + 2);
    expect(second.late).toBe("follow_up");
    expect(await store.succeed(second, NOW + 3)).toBe("done");

    const [b = ""] = await take(store, buildGroup([alertOf("b")], { groupKey: "k" }), NOW + 10);
    await find(store, b, NOW + 11);
    const whole = await claimOne(store, NOW + 12);
    expect(whole.late).toBe("news");
    expect(await store.succeed(whole, NOW + 13)).toBe("done");
    expect(await claim(store, NOW + 60_000)).toEqual([]);
  });

  it("is in the body when it came before the second commit", async (context) => {
    const store = await openNew(context);
    const group = buildGroup([alertOf("a")]);
    const { job } = await store.accept({
      ...{ source, group, receivedMs: NOW, leaseMs: 30_000 },
      observes: () => true,
    });
    const episode = job.sightings[0]?.id ?? "";
    await find(store, episode, NOW + 1);
    const deliveries = planOf(NOW + 2)(group);
    const news = { enrichments: [], countable: [], awaited: [episode], deliveries };
    await store.finish({ job, ...news, nowMs: NOW + 2 });
    const only = await claimOne(store, NOW + 2);
    expect(only.late).toBe("news");
    expect((await store.load(only))?.enrichments[0]?.outcome).toBe("matched");
    await store.succeed(only, NOW + 3);
    expect(await claim(store, NOW + 60_000)).toEqual([]);
  });

  it("is told of the latest body of the group, and gives way to a resolve", async (context) => {
    const store = await openNew(context);
    const [a = ""] = await take(store, buildGroup([alertOf("a")]), NOW);
    await store.succeed(await claimOne(store, NOW), NOW);
    await take(store, buildGroup([alertOf("a"), alertOf("b")]), NOW + 5000);
    await store.succeed(await claimOne(store, NOW + 5000), NOW + 5000);
    await find(store, a, NOW + 15_000);
    await take(store, buildGroup([alertOf("a", true), alertOf("b")]), NOW + 16_000, false);
    const next = await claimOne(store, NOW + 20_000);
    expect(next.resolved).toHaveLength(1);
    expect(next.firing).toHaveLength(1);
    await store.succeed(next, NOW + 20_000);
    expect(await claim(store, NOW + 60_000)).toEqual([]);
  });

  it("is told to nobody who took nothing of the group, and not after the wait is over", async (context) => {
    const store = await openNew(context);
    const [a = ""] = await take(store, buildGroup([alertOf("a")]), NOW);
    const refused = await claimOne(store, NOW);
    const why = { reason: "no", retryAtMs: undefined, plain: true, maybeTaken: false };
    await store.fail(refused, { ...why, fallback: undefined, nowMs: NOW });
    await find(store, a, NOW + 15_000);
    expect(await claim(store, NOW + 60_000)).toEqual([]);

    const [b = ""] = await take(store, buildGroup([alertOf("b")], { groupKey: "k" }), NOW);
    await store.succeed(await claimOne(store, NOW), NOW);
    await store.sweep(NOW + 421_000);
    await find(store, b, NOW + 421_000);
    expect(await claim(store, NOW + 500_000)).toEqual([]);
  });
});

describe.each(STORE_KINDS)("what else fires of a group, in %s", (kind) => {
  const openNew = async (context: TestContext) => open(context, await urlFor(context, kind));
  const podsOf = async (store: SqlStore, nowMs: number) =>
    (await store.stillFiring(await claimOne(store, nowMs), nowMs)).map(({ pod }) => pod);

  it("is known from the bodies of another peer", async (context) => {
    const store = await openNew(context);
    await take(store, buildGroup([alertOf("a"), alertOf("b")]), NOW);
    await store.succeed(await claimOne(store, NOW), NOW);
    await take(store, buildGroup([alertOf("a", true)]), NOW + 1000);
    expect(await podsOf(store, NOW + 1000)).toEqual(["b"]);
  });

  it("is nothing once every member has resolved, in whatever body or group", async (context) => {
    const store = await openNew(context);
    await take(store, buildGroup([alertOf("a"), alertOf("b")]), NOW);
    await store.succeed(await claimOne(store, NOW), NOW);
    await store.observe(source, [alertOf("b", true)], NOW + 500);
    await take(store, buildGroup([alertOf("a", true)]), NOW + 1000);
    expect(await podsOf(store, NOW + 1000)).toEqual([]);
  });

  it("is known of alerts without an episode until they are stale", async (context) => {
    const store = await openNew(context);
    const group = buildGroup([alertOf("a"), alertOf("b")]);
    const { job } = await store.accept({
      ...{ source, group, receivedMs: NOW, leaseMs: 30_000 },
      observes: () => false,
    });
    const news = { enrichments: [], countable: [], awaited: [], deliveries: [] };
    await store.finish({ job, ...news, nowMs: NOW });
    await take(store, buildGroup([alertOf("a", true)]), NOW + 1000);
    const body = await claimOne(store, NOW + 1000);
    expect(await store.stillFiring(body, NOW + 1000)).toMatchObject([{ pod: "b" }]);
    expect(await store.stillFiring(body, NOW + 6 * 3_600_000)).toEqual([]);
  });
});

describe.each(STORE_KINDS)("threads of messages in %s", (kind) => {
  it("are kept over a restart until they are forgotten, or not used for days", async (context) => {
    const url = await urlFor(context, kind);
    const first = await open(context, url);
    const at = { destination: "chat", stream: "s" };
    await first.threads.keep(at, "1.1", NOW);
    await first.threads.keep(at, "1.2", NOW);
    await first.threads.keep({ ...at, destination: "other" }, "9.9", NOW);
    await first.close();
    const second = await open(context, url);
    expect(await second.threads.find("chat", "s")).toBe("1.2");
    await second.threads.keep(at, undefined, NOW);
    expect(await second.threads.find("chat", "s")).toBeUndefined();
    await second.sweep(NOW + 6 * 86_400_000);
    expect(await second.threads.find("other", "s")).toBeUndefined();
  });
});
