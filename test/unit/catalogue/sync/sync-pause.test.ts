import { expect, test } from "vitest";
import { syncPauseMs } from "../../../../src/catalogue/sync/sync-pause.ts";

test.each([
  ["the interval after a success", 0, 300_000],
  ["5 s after the first failure", 1, 5_000],
  ["twice as long after the next", 2, 10_000],
  ["an hour after many", 30, 3_600_000],
  ["an hour after very many", 5_000, 3_600_000],
])("waits %s, give or take a fifth", (_what, failures, base) => {
  expect(syncPauseMs(failures, 300_000, 0)).toBe(base * 0.8);
  expect(syncPauseMs(failures, 300_000, 0.5)).toBe(base);
  expect(syncPauseMs(failures, 300_000, 0.999_999)).toBeLessThanOrEqual(base * 1.2);
});
