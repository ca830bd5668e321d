import { beforeEach, describe, expect, it } from "vitest";
import { LATE_DELAYS_MS, planLook } from "../../../src/enrich/late-logs.ts";
import { createLateLooksTicker } from "../../../src/schedule/late-looks.ts";
import { MemoryLateLooks } from "../../../src/store/memory-late-looks.ts";
import { buildAlert } from "../../support/build-alert.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { createRecordingCounters } from "../../support/recording-counters.ts";
import { createRecordingLogger } from "../../support/recording-logger.ts";

const clock = createManualClock(0);
let looks: MemoryLateLooks;
let looked: string[] = [];
let available = true;

beforeEach(() => {
  looks = new MemoryLateLooks(100);
  looked = [];
  available = true;
});

const lookOf = (episodeId: string, attempt = 0, firstMs = clock.nowMs()) => ({
  ...{ episodeId, attempt, firstMs, tenant: "", alert: buildAlert() },
});

function createTicker(looksPerMinute = 60): { tick: () => Promise<void>; tally: () => object } {
  const counters = createRecordingCounters();
  const tick = createLateLooksTicker({
    looks,
    look: ({ episodeId }) => {
      looked.push(episodeId);
      return Promise.resolve("empty");
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
  it("come 15 s, 60 s and 5 min after the first, up to a fifth later, and then no more", async () => {
    for (const [attempt, delayMs] of LATE_DELAYS_MS.entries()) {
      await planLook(looks, lookOf("a", attempt, 1000), () => 0.5);
      const dueMs = 1000 + delayMs * 1.1;
      expect(await looks.claimDue(dueMs - 1, 9)).toEqual([]);
      expect(await looks.claimDue(dueMs, 9)).toHaveLength(1);
    }
    await planLook(looks, lookOf("a", 3), () => 0);
    expect(await looks.claimDue(Infinity, 9)).toEqual([]);
  });

  it("are one for each episode and claimed once", async () => {
    await planLook(looks, lookOf("a"), () => 0);
    await planLook(looks, lookOf("a"), () => 0);
    const { tick, tally } = createTicker();
    clock.advance(15_000);
    await Promise.all([tick(), tick()]);
    expect(looked).toEqual(["a"]);
    expect(tally()).toEqual({ "lateLogs empty": 1 });
  });

  it("stay within their budget, the most urgent first, and wait while the source is down", async () => {
    for (const name of ["a", "b", "c", "d", "e", "f", "g"]) {
      await planLook(looks, lookOf(name), () => 0);
      clock.advance(1);
    }
    const { tick } = createTicker(5);
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
