import { beforeEach, describe, expect, it } from "vitest";
import { CircuitBreaker } from "../../../src/retrieve/circuit-breaker.ts";

let states: string[] = [];
let breaker: CircuitBreaker;

beforeEach(() => {
  states = [];
  breaker = new CircuitBreaker({
    failures: 3,
    openMs: 1000,
    openMsMax: 5000,
    onChange: (state) => states.push(state),
  });
});

function open(): void {
  for (let count = 0; count < 3; count += 1) breaker.fail(0, undefined);
}

describe("circuit breaker", () => {
  it("opens after failures in a row, not after failures between successes", () => {
    breaker.fail(0, undefined);
    breaker.fail(0, undefined);
    breaker.succeed();
    breaker.fail(0, undefined);
    expect(breaker.allows(0)).toBe(true);
    open();
    expect([breaker.allows(999), breaker.allows(1000)]).toEqual([false, true]);
  });

  it("lets one question through when its time is over", () => {
    open();
    expect([breaker.enter(1000), breaker.enter(1000)]).toEqual([true, false]);
    breaker.succeed();
    expect(breaker.enter(1000)).toBe(true);
    expect(states).toEqual(["open", "half_open", "closed"]);
  });

  it("stays open twice as long each time the question fails, up to the limit", () => {
    open();
    const waits: number[] = [];
    let nowMs = 1000;
    for (let round = 0; round < 4; round += 1) {
      breaker.enter(nowMs);
      breaker.fail(nowMs, undefined);
      const failedMs = nowMs;
      while (!breaker.allows(nowMs)) nowMs += 100;
      waits.push(nowMs - failedMs);
    }
    expect(waits).toEqual([2000, 4000, 5000, 5000]);
  });

  it("opens at once for as long as the other side asks, up to the limit", () => {
    breaker.fail(0, 3000);
    expect([breaker.allows(2999), breaker.allows(3000)]).toEqual([false, true]);
    breaker.enter(3000);
    breaker.fail(3000, 999_999);
    expect(breaker.allows(8000)).toBe(true);
  });

  it("lets the next one try when the question was given up", () => {
    open();
    breaker.enter(1000);
    breaker.giveUp(1000);
    expect(breaker.enter(1000)).toBe(true);
  });
});
