import fc from "fast-check";
import { expect, test } from "vitest";
import { parseTimestamp, renderTimestamp } from "../../src/alert/timestamp.ts";

const FIRST_NS = -62_135_596_800_000_000_000n;
const LAST_NS = 253_402_300_799_999_999_999n;
const anyTimestamp = fc.bigInt({ min: FIRST_NS, max: LAST_NS });

test("a rendered time is read back to the nanosecond", () => {
  fc.assert(
    fc.property(anyTimestamp, (timestampNs) => {
      expect(parseTimestamp(renderTimestamp(timestampNs))).toBe(timestampNs);
    }),
  );
});

test("whole milliseconds are the same instant as Date reads them, whatever the offset", () => {
  const offsets = fc.record({
    sign: fc.constantFrom("+", "-"),
    hours: fc.integer({ min: 0, max: 23 }),
    minutes: fc.integer({ min: 0, max: 59 }),
  });
  const moments = fc.date({
    min: new Date("0002-01-01T00:00:00Z"),
    max: new Date("9998-12-31T00:00:00Z"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(moments, offsets, (moment, { sign, hours, minutes }) => {
      const two = (value: number) => String(value).padStart(2, "0");
      const text = `${moment.toISOString().slice(0, -1)}${sign}${two(hours)}:${two(minutes)}`;
      expect(parseTimestamp(text)).toBe(BigInt(Date.parse(text)) * 1_000_000n);
    }),
  );
});

test("any text is read or refused, never thrown at", () => {
  const digits = fc.string({
    unit: fc.constantFrom(...Array.from("0123456789-:.TZ+")),
    maxLength: 40,
  });
  fc.assert(
    fc.property(fc.oneof(fc.string(), digits), (text) => {
      expect(["bigint", "undefined"]).toContain(typeof parseTimestamp(text));
    }),
  );
});
