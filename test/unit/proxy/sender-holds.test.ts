import { describe, expect, test } from "vitest";
import { SenderHolds } from "../../../src/proxy/sender-holds.ts";
import { createManualClock } from "../../support/manual-clock.ts";

function start() {
  const clock = createManualClock();
  return { clock, holds: new SenderHolds(clock) };
}

describe("holds of a sender's posts", () => {
  test("while one post is held no other of the same sender is, those of others are", () => {
    const { holds } = start();
    expect(holds.begin("prometheus-0")).toBeDefined();
    expect(holds.begin("prometheus-0")).toBeUndefined();
    expect(holds.begin("prometheus-1")).toBeDefined();
  });

  test.each([
    ["done", 40, 39, false],
    ["done", 40, 40, true],
    ["expired", 300, 2999, false],
    ["expired", 300, 3000, true],
    ["done", 0, 0, true],
  ] as const)(
    "after a hold that ended %s in %i ms the sender may be held again %i ms later: %s",
    (result, heldMs, laterMs, may) => {
      const { clock, holds } = start();
      const end = holds.begin("prometheus");
      clock.advance(heldMs);
      end?.(result);
      clock.advance(laterMs);
      expect(holds.begin("prometheus") !== undefined).toBe(may);
    },
  );

  test("a thousand batches, none explained in time, are slowed by a tenth at most", () => {
    const { clock, holds } = start();
    let heldMs = 0;
    for (let batch = 0; batch < 1000; batch += 1) {
      const end = holds.begin("prometheus");
      if (end !== undefined) {
        clock.advance(300);
        heldMs += 300;
        end("expired");
      }
      clock.advance(20);
    }
    expect(heldMs).toBeGreaterThan(0);
    expect(heldMs / (1000 * 20)).toBeLessThanOrEqual(0.12);
  });

  test("of very many senders only some are remembered, and the rest is not held", () => {
    const { clock, holds } = start();
    const ends = Array.from({ length: 10_000 }, (_, number) => holds.begin(`sender-${number}`));
    expect(ends.every((end) => end !== undefined)).toBe(true);
    expect(holds.begin("one more")).toBeUndefined();
    ends[0]?.("done");
    clock.advance(1);
    expect(holds.begin("one more")).toBeDefined();
  });
});
