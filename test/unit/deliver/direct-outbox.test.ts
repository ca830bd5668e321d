import { describe, expect, it } from "vitest";
import type { Destination } from "../../../src/deliver/destination.ts";
import { createDirectOutbox } from "../../../src/deliver/direct-outbox.ts";
import { UpstreamError } from "../../../src/enrich/outcome.ts";
import type { EnrichedGroup } from "../../../src/enrich/ports.ts";
import { buildAlert, buildGroup } from "../../support/build-alert.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { createRecordingCounters } from "../../support/recording-counters.ts";
import { createRecordingLogger } from "../../support/recording-logger.ts";

interface FakeDestination extends Destination {
  readonly sent: string[];
  /** Set to let the next sends fail. */
  failure: Error | undefined;
}

function createFake(name: string): FakeDestination {
  return {
    name,
    sent: [],
    failure: undefined,
    concurrency: 1,
    timeoutMs: 1000,
    expireAfterMs: 1000,
    fallback: undefined,
    every: false,
    followsUp: false,
    endsGroups: false,
    accepts: (labels) => labels["not"] !== name,
    deliver({ enriched: { group } }) {
      if (this.failure !== undefined) return Promise.reject(this.failure);
      this.sent.push(group.groupKey);
      return Promise.resolve();
    },
  };
}

function createSet() {
  const pager = createFake("pager");
  const chat = createFake("chat");
  const clock = createManualClock();
  const counters = createRecordingCounters();
  const destinations = [pager, chat];
  const outbox = createDirectOutbox({
    destinations: () => destinations,
    clock,
    counters,
    logger: createRecordingLogger(),
  });
  return { pager, chat, counters, outbox };
}

const enriched = (groupKey: string): EnrichedGroup => ({
  group: buildGroup([buildAlert({ labels: { not: groupKey.slice("not ".length) } })], { groupKey }),
  enrichments: [undefined],
});
const failure = new UpstreamError("server", "destination chat answered 500");

describe("direct outbox", () => {
  it("hands a group to every destination", async () => {
    const { outbox, pager, chat, counters } = createSet();
    await outbox.put(enriched("g"), "s");
    await outbox.put(enriched("g"), "s");
    expect([pager.sent, chat.sent]).toEqual([
      ["g", "g"],
      ["g", "g"],
    ]);
    expect(counters.tally).toEqual({
      "delivered pager success": 2,
      "delivered chat success": 2,
    });
  });

  it("tells the sender to come again when one fails, and serves the others", async () => {
    const { outbox, pager, chat, counters } = createSet();
    chat.failure = failure;
    await expect(outbox.put(enriched("g"), "s")).rejects.toMatchObject({
      reason: "server",
      message: "1 of 2 destinations failed: destination chat answered 500",
    });
    expect(pager.sent).toEqual(["g"]);
    expect(counters.tally).toMatchObject({ "delivered chat failure": 1 });
  });

  it("skips a destination that takes none of the alerts", async () => {
    const { outbox, pager, chat } = createSet();
    await outbox.put(enriched("not chat"), "s");
    expect([pager.sent, chat.sent]).toEqual([["not chat"], []]);
  });

  it("treats a fault of our own like a failing destination", async () => {
    const { outbox, pager, chat } = createSet();
    chat.failure = new TypeError("x is not a function");
    await expect(outbox.put(enriched("g"), "s")).rejects.toBeInstanceOf(UpstreamError);
    expect(pager.sent).toEqual(["g"]);
  });

  it("is done at once without destinations", async () => {
    const clock = createManualClock();
    const counters = createRecordingCounters();
    const logger = createRecordingLogger();
    const outbox = createDirectOutbox({ destinations: () => [], clock, counters, logger });
    await outbox.put(enriched("g"), "s");
    expect(counters.tally).toEqual({});
  });
});
