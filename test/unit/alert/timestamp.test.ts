import { describe, expect, it } from "vitest";
import { parseTimestamp, renderTimestamp, ZERO_TIME_NS } from "../../../src/alert/timestamp.ts";

describe("parseTimestamp", () => {
  it.each([
    ["1970-01-01T00:00:00Z", 0n],
    ["1970-01-01T00:00:00.000000001Z", 1n],
    ["1969-12-31T23:59:59.999999999Z", -1n],
    ["1970-01-01T00:00:00.5Z", 500_000_000n],
    ["1970-01-01T00:00:00.120Z", 120_000_000n],
    ["2026-03-14T09:26:53.589793238+09:00", 1_773_447_999_000_000_000n + 14_589_793_238n],
    ["1970-01-01T01:30:00+01:30", 0n],
    ["1969-12-31T18:30:00-05:30", 0n],
    ["1970-01-01T00:00:00-00:00", 0n],
    ["1970-01-01t00:00:00z", 0n],
    ["0001-01-01T00:00:00Z", ZERO_TIME_NS],
    ["0099-12-31T00:00:00Z", -59_011_545_600_000_000_000n],
    ["2024-02-29T00:00:00Z", 1_709_164_800_000_000_000n],
    ["2000-02-29T00:00:00Z", 951_782_400_000_000_000n],
    ["9999-12-31T23:59:59.999999999Z", 253_402_300_799_999_999_999n],
  ])("reads %s to the nanosecond", (text, timestampNs) => {
    expect(parseTimestamp(text)).toBe(timestampNs);
  });

  it.each([
    ["", "nothing"],
    ["2026-03-14", "a day without a time"],
    ["2026-03-14T09:26:53", "no offset"],
    ["2026-03-14 09:26:53Z", "a blank for the T"],
    ["2026-03-14T09:26Z", "no seconds"],
    ["2026-3-14T09:26:53Z", "a month of one digit"],
    ["2026-03-14T09:26:53.Z", "a point without digits"],
    ["2026-03-14T09:26:53.1234567890Z", "ten fraction digits"],
    ["2026-03-14T09:26:53,5Z", "a comma for the point"],
    ["2026-03-14T24:00:00Z", "hour 24"],
    ["2026-03-14T09:60:00Z", "minute 60"],
    ["2026-06-30T23:59:60Z", "a leap second, as Go refuses it"],
    ["2026-02-29T00:00:00Z", "29 February of a common year"],
    ["1900-02-29T00:00:00Z", "29 February of 1900"],
    ["2026-04-31T00:00:00Z", "31 April"],
    ["2026-13-01T00:00:00Z", "month 13"],
    ["2026-00-01T00:00:00Z", "month 0"],
    ["2026-01-00T00:00:00Z", "day 0"],
    ["0000-01-01T00:00:00Z", "year 0"],
    ["12026-01-01T00:00:00Z", "a year of five digits"],
    ["2026-03-14T09:26:53+24:00", "an offset of a day"],
    ["2026-03-14T09:26:53+0900", "an offset without a colon"],
    ["2026-03-14T09:26:53Z\n", "a line feed behind it"],
    ["٢٠٢٦-03-14T09:26:53Z", "digits of another script"],
  ])("refuses %j: %s", (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });
});

describe("renderTimestamp", () => {
  it.each([
    [0n, "1970-01-01T00:00:00Z"],
    [-1n, "1969-12-31T23:59:59.999999999Z"],
    [120_000_000n, "1970-01-01T00:00:00.12Z"],
    [1n, "1970-01-01T00:00:00.000000001Z"],
    [ZERO_TIME_NS, "0001-01-01T00:00:00Z"],
    [253_402_300_799_999_999_999n, "9999-12-31T23:59:59.999999999Z"],
  ])("writes %d as %s", (timestampNs, text) => {
    expect(renderTimestamp(timestampNs)).toBe(text);
  });

  it.each([ZERO_TIME_NS - 1n, 253_402_300_800_000_000_000n, 10n ** 30n])(
    "throws on %d, which has no four-digit year",
    (timestampNs) => {
      expect(() => renderTimestamp(timestampNs)).toThrow(RangeError);
    },
  );
});
