import type { TimestampNs } from "./alert.ts";

/**
 * Go's zero time, `0001-01-01T00:00:00Z`: what Alertmanager sends as `endsAt` of a firing alert.
 */
export const ZERO_TIME_NS: TimestampNs = -62_135_596_800_000_000_000n;

const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/u;

/**
 * Reads an RFC 3339 time, exact to the nanosecond: any offset, 0 to 9 fraction digits, years 0001 to
 * 9999. A leap second (`:60`) is refused, as Go does.
 *
 * @returns `undefined` when the text is no such time, or names a day or hour that does not exist.
 */
export function parseTimestamp(text: string): TimestampNs | undefined {
  const groups = RFC_3339.exec(text);
  if (groups === null) return undefined;
  const [year, month, day, hour, minute, second] = groups.slice(1, 7).map(Number) as Six;
  const offsetHours = Number(groups[9] ?? 0);
  const offsetMinutes = Number(groups[10] ?? 0);
  if (!isDay(year, month, day) || !isClock(hour, minute, second)) return undefined;
  if (offsetHours > 23 || offsetMinutes > 59) return undefined;
  const sign = groups[8] === "-" ? -1 : 1;
  const offsetSeconds = sign * (offsetHours * 3600 + offsetMinutes * 60);
  // setUTCFullYear, for Date.UTC takes the years 0 to 99 for 1900 to 1999.
  const dayMs = new Date(0).setUTCFullYear(year, month - 1, day);
  const seconds = dayMs / 1000 + hour * 3600 + minute * 60 + second - offsetSeconds;
  return BigInt(seconds) * 1_000_000_000n + BigInt((groups[7] ?? "").padEnd(9, "0"));
}

type Six = [number, number, number, number, number, number];

function isDay(year: number, month: number, day: number): boolean {
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  return day <= daysOfMonth(year, month);
}

function daysOfMonth(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

function isClock(hour: number, minute: number, second: number): boolean {
  return hour <= 23 && minute <= 59 && second <= 59;
}

/**
 * Writes a time in UTC with as many fraction digits as it needs, none or up to nine, as Go does.
 *
 * @throws {RangeError} Outside the years 0001 to 9999: a programmer's error.
 */
export function renderTimestamp(timestampNs: TimestampNs): string {
  const fractionNs = ((timestampNs % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  const seconds = Number((timestampNs - fractionNs) / 1_000_000_000n);
  const date = new Date(seconds * 1000);
  const year = date.getUTCFullYear();
  if (!(year >= 1 && year <= 9999)) throw new RangeError("time outside the years 0001 to 9999");
  const whole = date.toISOString().slice(0, 19);
  const fraction = fractionNs.toString().padStart(9, "0").replace(/0+$/u, "");
  return fraction === "" ? `${whole}Z` : `${whole}.${fraction}Z`;
}
