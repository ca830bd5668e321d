import { beforeEach, describe, expect, it } from "vitest";
import type { TestContext } from "vitest";
import { LATE_DELAYS_MS, timeLook } from "../../../src/enrich/late-logs.ts";
import type { LateLooks } from "../../../src/enrich/ports.ts";
import { createLateLooksTicker } from "../../../src/schedule/late-looks.ts";
import { buildAlert } from "../../support/build-alert.ts";
import { STORE_KINDS, provideStores } from "../../support/each-store.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { createRecordingCounters } from "../../support/recording-counters.ts";
import { createRecordingLogger } from "../../support/recording-logger.ts";

const { urlFor, open } = provideStores();
const clock = createManualClock(0);
let looked: string[] = [];
let available = true;

beforeEach(() => {
  looked = [];
  available = true;
});

const lookOf = (episodeId: string, attempt = 0, firstMs = clock.nowMs()) => ({
  ...{ episodeId, attempt, firstMs, tenant: "t", alert: buildAlert() },
});

async function planLook(looks: LateLooks, wish: ReturnType<typeof lookOf>, random = 0) {
  const look = timeLook(wish, () => random);
  if (look === undefined) throw new Error("there is no such look");
  await looks.plan(look);
  return look;
}

function createTicker(looks: LateLooks, looksPerMinute = 60) {
  const counters = createRecordingCounters();
  const tick = createLateLooksTicker({
    looks,
    look: async (look) => {
      looked.push(look.episodeId);
      await looks.endLook(look, undefined);
      return "empty";
    },
    isAvailable: () => available,
    looksPerMinute,
    clock,
    counters,
    logger: createRecordingLogger(),
  });
  return { tick, tally: () => counters.tally };
}

describe("later looks", () => {
  it("come 15 s, 60 s and 5 min after the first, up to a fifth later, and then no more", () => {
    const dueMs = [0, 1, 2, 3].map((attempt) => timeLook(lookOf("a", attempt, 1000), () => 0.5));
    expect(dueMs.map((look) => look?.dueMs)).toEqual([
      ...LATE_DELAYS_MS.map((delayMs) => 1000 + delayMs * 1.1),
      undefined,
    ]);
  });
});

describe.each(STORE_KINDS)("later looks in %s", (kind) => {
  const openNew = async (context: TestContext) => open(context, await urlFor(context, kind));

  it("are handed out when they are due, as they were planned", async (context) => {
    const looks = await openNew(context);
    const look = await planLook(looks, lookOf("a"));
    expect(await looks.claimDue(look.dueMs - 1, 9)).toEqual([]);
    expect(await looks.claimDue(look.dueMs, 9)).toEqual([
      { ...look, alert: { ...look.alert, labels: expect.anything() as unknown } },
    ]);
  });

  it("are one for each episode and claimed once", async (context) => {
    const looks = await openNew(context);
    await planLook(looks, lookOf("a"));
    await planLook(looks, lookOf("a"));
    const { tick, tally } = createTicker(looks);
    clock.advance(15_000);
    await Promise.all([tick(), tick()]);
    expect(looked).toEqual(["a"]);
    expect(tally()).toEqual({ "lateLogs empty": 1 });
  });

  it("are taken up by another process when the one that had them is gone", async (context) => {
    const url = await urlFor(context, kind);
    const first = await open(context, url);
    const { dueMs } = await planLook(first, lookOf("a"));
    expect(await first.claimDue(dueMs, 9)).toHaveLength(1);
    expect(await first.claimDue(dueMs + 59_999, 9)).toEqual([]);
    if (kind === "sqlite") await first.close();
    const second = await open(context, url);
    // Whoever owns the file alone need not wait for the lease.
    const laterMs = kind === "sqlite" ? dueMs : dueMs + 60_000;
    const [look] = await second.claimDue(laterMs, 9);
    expect(look).toMatchObject({ episodeId: "a", tenant: "t", attempt: 0 });
  });

  it("give way to the next one, and end for good", async (context) => {
    const looks = await openNew(context);
    const look = await planLook(looks, lookOf("a"));
    await looks.claimDue(look.dueMs, 9);
    const next = { ...look, attempt: 1, dueMs: look.dueMs + 1000 };
    await looks.endLook(look, next);
    // A process that comes back from a pause ends what another has ended before it.
    await looks.endLook(look, undefined);
    const [second, ...others] = await looks.claimDue(next.dueMs, 9);
    expect(others).toEqual([]);
    expect(second).toMatchObject({ attempt: 1, firstMs: look.firstMs });
    await looks.endLook(next, undefined);
    expect(await looks.claimDue(next.dueMs + 3_600_000, 9)).toEqual([]);
  });

  it("stay within their budget, the most urgent first, and wait while the source is down", async (context) => {
    const looks = await openNew(context);
    for (const name of ["a", "b", "c", "d", "e", "f", "g"]) {
      await planLook(looks, lookOf(name));
      clock.advance(1);
    }
    const { tick } = createTicker(looks, 5);
    clock.advance(15_000);
    available = false;
    await tick();
    expect(looked).toEqual([]);
    available = true;
    await tick();
    expect(looked).toEqual(["a", "b", "c", "d", "e"]);
    clock.advance(60_000);
    await tick();
    expect(looked).toHaveLength(7);
  });
});
