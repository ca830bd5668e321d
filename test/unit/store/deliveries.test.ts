import { describe, expect, it } from "vitest";
import type { TestContext } from "vitest";
import type { Alert, AlertGroup } from "../../../src/alert/alert.ts";
import type { Source } from "../../../src/alert/episode.ts";
import type { DeliveryClaim, FinishReceipt } from "../../../src/enrich/delivery-ports.ts";
import type { SqlStore } from "../../../src/store/sql-store.ts";
import { buildAlert, buildGroup } from "../../support/build-alert.ts";
import { STORE_KINDS, provideStores } from "../../support/each-store.ts";
import { STORIES } from "./delivery-stories.ts";
import type { Step } from "./delivery-stories.ts";

const source: Source = { name: "alertmanager", tenant: "" };
const NOW = Date.parse("2026-03-14T12:00:00Z");
const LEASE = { leaseMs: 30_000 };

const { urlFor, open } = provideStores();

describe.each(STORE_KINDS)("deliveries in %s", (kind) => {
  const openNew = async (context: TestContext) => open(context, await urlFor(context, kind));

  it.for(STORIES)("$name", async ({ steps }, context) => {
    const store = await openNew(context);
    for (const step of steps) {
      const nowMs = NOW + step.atS * 1000;
      if (step.post !== undefined) {
        const receipt = await take(store, groupOf(step.post), { nowMs });
        if (step.becomes !== undefined) expect(receipt?.enqueued).toEqual([step.becomes]);
      }
      await expectSent(store, step, nowMs);
    }
  });

  it("sends a body that came while an older one was under way, when it says more", async (context) => {
    const store = await openNew(context);
    await take(store, groupOf("A"), { nowMs: NOW });
    const claim = await claimOne(store, NOW);
    await take(store, groupOf("AB"), { nowMs: NOW + 1 });
    expect(await store.claim({ destination: "d", max: 9, nowMs: NOW + 1, ...LEASE })).toEqual([]);
    expect(await store.succeed(claim, NOW + 2)).toBe("newer");
    expect(await sentText(store, await claimOne(store, NOW + 2))).toBe("AB");
  });

  it("does not send a body that came while an equal one was under way", async (context) => {
    const store = await openNew(context);
    await take(store, groupOf("A"), { nowMs: NOW });
    const claim = await claimOne(store, NOW);
    const receipt = await take(store, groupOf("A"), { nowMs: NOW + 1 });
    expect(receipt?.enqueued).toEqual(["copy"]);
    expect(await store.succeed(claim, NOW + 2)).toBe("done");
    expect(await store.claim({ destination: "d", max: 9, nowMs: NOW + 2, ...LEASE })).toEqual([]);
  });

  it("resolves a firing that succeeds while its resolve waits", async (context) => {
    const store = await openNew(context);
    await take(store, groupOf("A"), { nowMs: NOW });
    const claim = await claimOne(store, NOW);
    const receipt = await take(store, groupOf("a"), { nowMs: NOW + 1 });
    expect(receipt?.enqueued).toEqual(["replaced"]);
    expect(await store.succeed(claim, NOW + 2)).toBe("newer");
    expect(await sentText(store, await claimOne(store, NOW + 2))).toBe("a");
  });

  it("gives a delivery to one process at a time, and to another when the lease is over", async (context) => {
    const store = await openNew(context);
    await take(store, groupOf("A"), { nowMs: NOW });
    const wish = { destination: "d", max: 9, ...LEASE };
    const claims = await Promise.all([1, 2, 3].map(() => store.claim({ ...wish, nowMs: NOW })));
    expect(claims.flat()).toHaveLength(1);
    const [first] = claims.flat();
    const later = await store.claim({ ...wish, nowMs: NOW + 30_000 });
    expect(later).toMatchObject([{ id: first?.id, attempts: 2 }]);
  });

  it("keeps a dead delivery until it is sent again, and hands it to the fallback", async (context) => {
    const store = await openNew(context);
    await take(store, groupOf("A"), { nowMs: NOW });
    const claim = await claimOne(store, NOW);
    const failure = { ...REFUSED, retryAtMs: undefined, fallback: "other", nowMs: NOW };
    expect(await store.fail(claim, failure)).toBe("dead");
    expect(await store.deadLetters(9)).toMatchObject([
      { id: claim.id, destination: "d", receiver: "enricher", reason: "no", attempts: 1 },
    ]);
    const [elsewhere] = await store.claim({ destination: "other", max: 9, nowMs: NOW, ...LEASE });
    expect(elsewhere && (await sentText(store, elsewhere))).toBe("A");
    await store.sweep(NOW);
    expect(await store.resend(claim.id, NOW + 1, NOW + 1000)).toBe(true);
    expect(await store.resend(claim.id, NOW + 1, NOW + 1000)).toBe(false);
    expect(await sentText(store, await claimOne(store, NOW + 1))).toBe("A");
  });

  it("does not send a dead delivery again beside a newer one of its group", async (context) => {
    const store = await openNew(context);
    await take(store, groupOf("A"), { nowMs: NOW });
    const claim = await claimOne(store, NOW);
    await store.fail(claim, { ...REFUSED, retryAtMs: undefined });
    await take(store, groupOf("AB"), { nowMs: NOW + 1 });
    expect(await store.resend(claim.id, NOW + 2, NOW + 1000)).toBe(false);
  });

  it("sends every body where that is wanted", async (context) => {
    const store = await openNew(context);
    for (const text of ["A", "a", "A"])
      await take(store, groupOf(text), { nowMs: NOW, every: true });
    const claims = await store.claim({ destination: "d", max: 9, nowMs: NOW, ...LEASE });
    expect(await Promise.all(claims.map((claim) => sentText(store, claim)))).toHaveLength(3);
  });

  it("keeps no body that was delivered everywhere", async (context) => {
    const store = await openNew(context);
    await take(store, groupOf("A"), { nowMs: NOW });
    const claim = await claimOne(store, NOW);
    expect(await store.load(claim)).toBeDefined();
    await store.succeed(claim, NOW);
    expect(await store.load(claim)).toBeUndefined();
  });
});

describe.each(STORE_KINDS)("jobs in %s", (kind) => {
  it("are taken up by another process when the lease is over, in the order of their stream", async (context) => {
    const url = await urlFor(context, kind);
    const first = await open(context, url);
    const { job, isNext } = await first.accept(incoming(groupOf("A"), NOW));
    const later = await first.accept(incoming(groupOf("AB"), NOW + 1));
    expect([isNext, later.isNext]).toEqual([true, false]);
    expect(await first.claimJobs({ max: 9, nowMs: NOW + 2, ...LEASE })).toEqual([]);
    const nowMs = NOW + 30_001;
    const second = kind === "postgres" ? await open(context, url) : first;
    const taken = await second.claimJobs({ max: 9, nowMs, ...LEASE });
    expect(taken).toMatchObject([
      { id: job.id, attempts: 2, group: { groupKey: job.group.groupKey } },
    ]);
    expect(taken[0]?.sightings[0]).toMatchObject({ id: job.sightings[0]?.id });
    if (kind === "postgres") expect(await finish(first, job, nowMs)).toBeUndefined();
    expect(await finish(second, job, nowMs)).toMatchObject({ hasNext: true });
    expect(await second.claimJobs({ max: 9, nowMs, ...LEASE })).toMatchObject([
      { id: later.job.id },
    ]);
  });

  it("give back a group as it came", async (context) => {
    const store = await open(context, await urlFor(context, kind));
    const alert = buildAlert({
      labels: { alertname: "\u0000 \ud83d'\"", constructor: "x" },
      startsAt: "2026-03-14T09:26:53.589793238+09:00",
      unknownFields: { extra: [1, null] },
    });
    const group = buildGroup([alert], { unknownFields: { routeLabels: { a: "b" } } });
    await store.accept(incoming(group, NOW));
    const [job] = await store.claimJobs({ max: 1, nowMs: NOW + 60_000, ...LEASE });
    expect(Reflect.has(job?.group.alerts[0]?.labels ?? {}, "toString")).toBe(false);
    expect({ ...job?.group.alerts[0]?.labels }).toEqual(alert.labels);
    expect(job?.group.alerts).toEqual([{ ...alert, labels: expect.anything() as unknown }]);
    expect(job?.group.unknownFields).toEqual(group.unknownFields);
  });
});

const REFUSED = {
  reason: "no",
  retryAtMs: NOW,
  plain: false,
  maybeTaken: false,
  fallback: undefined,
  nowMs: NOW,
} as const;

const fingerprintOf = (letter: string) =>
  letter.toUpperCase().charCodeAt(0).toString(16).padStart(16, "0");

function groupOf(text: string): AlertGroup {
  const alerts = Array.from(text.replace("+", ""), (letter): Alert => {
    const isFiring = letter === letter.toUpperCase();
    return buildAlert({
      labels: { alertname: letter.toUpperCase() },
      fingerprint: fingerprintOf(letter),
      ...(!isFiring && { endsAt: "2026-03-14T11:00:00Z" }),
    });
  });
  return buildGroup(alerts, { truncatedAlerts: text.endsWith("+") ? 1 : 0 });
}

function incoming(group: AlertGroup, receivedMs: number) {
  return { source, group, receivedMs, ...LEASE, observes: () => true };
}

async function take(
  store: SqlStore,
  group: AlertGroup,
  { nowMs, every = false }: { nowMs: number; every?: boolean },
): Promise<FinishReceipt | undefined> {
  const { job } = await store.accept(incoming(group, nowMs));
  return finish(store, job, nowMs, every);
}

function finish(
  store: SqlStore,
  job: Awaited<ReturnType<SqlStore["accept"]>>["job"],
  nowMs: number,
  every = false,
): Promise<FinishReceipt | undefined> {
  const ofStatus = (status: string) =>
    job.group.alerts.filter((alert) => alert.status === status).map((alert) => alert.fingerprint);
  const delivery = {
    destination: "d",
    firing: ofStatus("firing"),
    resolved: ofStatus("resolved"),
    expiresMs: nowMs + 3_600_000,
    copyWindowMs: 45_000,
    every,
  };
  const news = { enrichments: [], countable: [], awaited: [] };
  return store.finish({ job, ...news, deliveries: [delivery], nowMs });
}

async function claimOne(store: SqlStore, nowMs: number): Promise<DeliveryClaim> {
  const [claim, ...others] = await store.claim({ destination: "d", max: 9, nowMs, ...LEASE });
  expect(others).toEqual([]);
  if (claim === undefined) throw new Error("nothing is due");
  return claim;
}

async function sentText(store: SqlStore, claim: DeliveryClaim): Promise<string> {
  const stored = await store.load(claim);
  const letters = stored?.group.alerts.map(({ labels, status }) => {
    const letter = labels["alertname"] ?? "";
    return status === "firing" ? letter : letter.toLowerCase();
  });
  const text = (letters ?? []).join("");
  const ofCase = (isCase: (letter: string) => boolean) =>
    Array.from(text).filter(isCase).map(fingerprintOf).sort();
  expect([...claim.firing].sort()).toEqual(ofCase((letter) => letter === letter.toUpperCase()));
  expect([...claim.resolved].sort()).toEqual(ofCase((letter) => letter !== letter.toUpperCase()));
  return text;
}

async function expectSent(store: SqlStore, step: Step, nowMs: number): Promise<void> {
  const text = step.send ?? step.refuse ?? step.lose;
  if (text === undefined) return;
  const claims = await store.claim({ destination: "d", max: 9, nowMs, ...LEASE });
  const sent = await Promise.all(claims.map((claim) => sentText(store, claim)));
  expect(sent.join("|")).toBe(text);
  for (const claim of claims) {
    if (step.send !== undefined) await store.succeed(claim, nowMs);
    else
      await store.fail(claim, {
        ...REFUSED,
        nowMs,
        retryAtMs: nowMs,
        maybeTaken: step.lose !== undefined,
      });
  }
}
