import { expect, it } from "vitest";
import { MinuteBudget } from "../../../src/retrieve/minute-budget.ts";

it("allows so many uses in any 60 seconds, across the turn of a minute too", () => {
  const budget = new MinuteBudget(3);
  const times = [50_000, 59_000, 59_999, 61_000, 109_999, 110_000, 118_999, 119_000];
  expect(times.map((nowMs) => budget.take(nowMs))).toEqual([
    true,
    true,
    true,
    false,
    false,
    true,
    false,
    true,
  ]);
});
