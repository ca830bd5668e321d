import { describe, expect, it } from "vitest";
import { selectRange } from "../../../src/select/select-range.ts";

const SECOND = 1_000_000_000n;
const NOW = 1_773_480_000n * SECOND;
const options = { forMs: 60_000, lookbackMs: 120_000, lagMs: 10_000, rangeMsMax: 3_600_000 };
const first = { nowNs: NOW, isRepeat: false, ruleRangeMs: 0, offsetMs: 0 };

/** Seconds before (negative) or after now. */
const relative = ({ startNs, endNs, clamped }: ReturnType<typeof selectRange>) => [
  Number((startNs - NOW) / SECOND),
  Number((endNs - NOW) / SECOND),
  clamped,
];

describe("range", () => {
  it.each<
    [what: string, startsAt: number, endsAt: number | undefined, extra: object, range: unknown[]]
  >([
    ["from before startsAt to a little after now", -30, undefined, {}, [-210, 10, false]],
    ["also by the rule's range", -30, undefined, { ruleRangeMs: 300_000 }, [-510, 10, false]],
    ["moved by the rule's offset", -30, undefined, { offsetMs: 60_000 }, [-270, -50, false]],
    ["to endsAt when it is past", -600, -300, {}, [-780, -290, false]],
    ["to now when endsAt is to come", -30, 240, {}, [-210, 10, false]],
    ["to the latest activity of a repeat", -3000, undefined, { isRepeat: true }, [-180, 10, false]],
    ["clamped to its start", -10_000, undefined, {}, [-10_180, -6580, true]],
    [
      "a repeat clamped to its end",
      -30,
      undefined,
      { isRepeat: true, ruleRangeMs: 7_200_000 },
      [-3590, 10, true],
    ],
    ["around now when startsAt is in the future", 500, undefined, {}, [-180, 10, false]],
    ["around now when endsAt is before startsAt", -30, -60, {}, [-240, -50, false]],
  ])("reaches %s", (...[, startsAt, endsAt, extra, range]) => {
    const startsAtNs = NOW + BigInt(startsAt) * SECOND;
    const endsAtNs = endsAt === undefined ? undefined : NOW + BigInt(endsAt) * SECOND;
    expect(
      relative(selectRange({ startsAtNs, endsAtNs }, { ...first, ...extra }, options)),
    ).toEqual(range);
  });

  it("keeps the nanoseconds of startsAt", () => {
    const alert = { startsAtNs: NOW - 123_456_789n, endsAtNs: undefined };
    expect(selectRange(alert, first, options).startNs).toBe(NOW - 123_456_789n - 180n * SECOND);
  });

  it.each([0n, -62_135_596_800_000_000_000n, 253_402_300_799_000_000_000n])(
    "is never zero, inverted or before the epoch for startsAt %s",
    (startsAtNs) => {
      for (const nowNs of [1n, NOW]) {
        const { startNs, endNs } = selectRange(
          { startsAtNs, endsAtNs: undefined },
          { ...first, nowNs, offsetMs: 999_999_999 },
          { ...options, lagMs: 0 },
        );
        expect(startNs).toBeGreaterThanOrEqual(0n);
        expect(endNs).toBeGreaterThan(startNs);
      }
    },
  );
});
