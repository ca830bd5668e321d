import { describe, expect, it } from "vitest";
import type { TestContext } from "vitest";
import type { Alert, AlertGroup } from "../../../src/alert/alert.ts";
import type { Source } from "../../../src/alert/episode.ts";
import type { DeliveryClaim, Enqueued, FinishReceipt } from "../../../src/enrich/delivery-ports.ts";
import type { SqlStore } from "../../../src/store/sql-store.ts";
import { buildAlert, buildGroup } from "../../support/build-alert.ts";
import { STORE_KINDS, provideStores } from "../../support/each-store.ts";

const source: Source = { name: "alertmanager", tenant: "" };
const NOW = Date.parse("2026-03-14T12:00:00Z");
const LEASE = { leaseMs: 30_000 };

/**
 * One step of a story. `post`: a body whose capital letters fire and small ones are resolved, with
 * `+` where members were cut off; `send`: what the destination then gets, `refuse` and `lose`: it gets
 * it and says no, or nothing at all; nothing is due where the text is empty.
 */
interface Step {
  readonly atS: number;
  readonly post?: string;
  readonly becomes?: Enqueued;
  readonly send?: string;
  readonly refuse?: string;
  readonly lose?: string;
}

const stories: readonly { readonly name: string; readonly steps: readonly Step[] }[] = [
  {
    name: "sends the whole body when one member newly resolves",
    steps: [
      { atS: 0, post: "AB", becomes: "queued", send: "AB" },
      { atS: 10, post: "aB", becomes: "queued", send: "aB" },
    ],
  },
  {
    name: "sends the whole body when one member newly fires",
    steps: [
      { atS: 0, post: "A", send: "A" },
      { atS: 10, post: "AB", becomes: "queued", send: "AB" },
    ],
  },
  {
    name: "takes the same body within the window for a copy and later for a repeat",
    steps: [
      { atS: 0, post: "A", send: "A" },
      { atS: 15, post: "A", becomes: "copy", send: "" },
      { atS: 44, post: "A", becomes: "copy", send: "" },
      { atS: 45, post: "A", becomes: "queued", send: "A" },
    ],
  },
  {
    name: "lets repeats every 30 s pass, for copies do not move the window",
    steps: [
      { atS: 0, post: "A", send: "A" },
      { atS: 30, post: "A", becomes: "copy", send: "" },
      { atS: 60, post: "A", becomes: "queued", send: "A" },
      { atS: 90, post: "A", becomes: "copy", send: "" },
      { atS: 120, post: "A", becomes: "queued", send: "A" },
    ],
  },
  {
    name: "tells what the second of two peers knows more, and nothing when it knows less",
    steps: [
      { atS: 0, post: "A", send: "A" },
      { atS: 15, post: "AB", becomes: "queued", send: "AB" },
      { atS: 16, post: "A", becomes: "copy", send: "" },
    ],
  },
  {
    name: "tells a resolve of a firing that never came here, once",
    steps: [
      { atS: 0, post: "a", becomes: "queued", send: "a" },
      { atS: 15, post: "a", becomes: "copy", send: "" },
    ],
  },
  {
    name: "replaces what was not sent by what is newer",
    steps: [
      { atS: 0, post: "A", becomes: "queued" },
      { atS: 5, post: "AB", becomes: "replaced", send: "AB" },
      { atS: 6, post: "AB", becomes: "copy", send: "" },
    ],
  },
  {
    name: "drops what fired and resolved while nothing was sent, and its copy",
    steps: [
      { atS: 0, post: "A", becomes: "queued" },
      { atS: 5, post: "a", becomes: "dropped", send: "" },
      { atS: 20, post: "a", becomes: "copy", send: "" },
      { atS: 30, post: "A", becomes: "queued", send: "A" },
    ],
  },
  {
    name: "drops nothing of a body with members cut off: one of them may fire",
    steps: [
      { atS: 0, post: "A+", becomes: "queued" },
      { atS: 5, post: "a+", becomes: "replaced", send: "a" },
    ],
  },
  {
    name: "tells the resolve when the firing was refused, in a body with others",
    steps: [
      { atS: 0, post: "AB", refuse: "AB" },
      { atS: 5, post: "aB", becomes: "replaced", send: "aB" },
    ],
  },
  {
    name: "drops the resolve of a firing that was surely refused",
    steps: [
      { atS: 0, post: "A", refuse: "A" },
      { atS: 5, post: "a", becomes: "dropped", send: "" },
    ],
  },
  {
    name: "tells the resolve of a firing that may have been taken",
    steps: [
      { atS: 0, post: "A", lose: "A" },
      { atS: 5, post: "a", becomes: "replaced", send: "a" },
    ],
  },
  {
    name: "carries on a resolve that the next body does not have any more",
    steps: [
      { atS: 0, post: "AB", send: "AB" },
      { atS: 10, post: "aB", becomes: "queued" },
      { atS: 20, post: "BC", becomes: "replaced", send: "BCa" },
      { atS: 30, post: "BC", becomes: "copy", send: "" },
    ],
  },
  {
    name: "carries on a member that only the first of two peers knew",
    steps: [
      { atS: 0, post: "AB", becomes: "queued" },
      { atS: 15, post: "A", becomes: "replaced", send: "AB" },
    ],
  },
  {
    name: "carries on through several bodies, with the newest state of each member",
    steps: [
      { atS: 0, post: "ABC", send: "ABC" },
      { atS: 10, post: "aBC", becomes: "queued" },
      { atS: 20, post: "bC", becomes: "replaced" },
      { atS: 30, post: "C", becomes: "replaced", send: "Cab" },
    ],
  },
];

const { urlFor, open } = provideStores();

describe.each(STORE_KINDS)("deliveries in %s", (kind) => {
  const openNew = async (context: TestContext) => open(context, await urlFor(context, kind));

  it.for(stories)("$name", async ({ steps }, context) => {
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
    await take(store, groupOf("A"), { nowMs: NOW + 1 });
    expect(await store.succeed(claim, NOW + 2)).toBe("copy");
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
    expect(job?.group.alerts[0]?.labels["toString"]).toBeUndefined();
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
  const alerts = [...text.replace("+", "")].map((letter): Alert => {
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
  return store.finish({ job, enrichments: [], countable: [], deliveries: [delivery], nowMs });
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
    [...text].filter(isCase).map(fingerprintOf).sort();
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
