const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A duration in one unit or two, e.g. `45 s`, `12 min`, `3 h 5 min`, `2 d 4 h`. */
export function durationWords(ms: number): string {
  const whole = Math.max(0, ms);
  if (whole < SECOND_MS) return `${Math.round(whole)} ms`;
  if (whole < MINUTE_MS) return `${trimmed(whole / SECOND_MS)} s`;
  if (whole < HOUR_MS) return twoUnits(whole, [MINUTE_MS, "min"], [SECOND_MS, "s"]);
  if (whole < DAY_MS) return twoUnits(whole, [HOUR_MS, "h"], [MINUTE_MS, "min"]);
  return twoUnits(whole, [DAY_MS, "d"], [HOUR_MS, "h"]);
}

type Unit = readonly [ms: number, name: string];

function twoUnits(ms: number, [large, largeName]: Unit, [small, smallName]: Unit): string {
  const first = Math.floor(ms / large);
  const second = Math.floor((ms % large) / small);
  return second === 0 ? `${first} ${largeName}` : `${first} ${largeName} ${second} ${smallName}`;
}

function trimmed(count: number): string {
  return count.toFixed(1).replace(/\.0$/u, "");
}

/** A time as seen from now, in one unit: `just now`, `12 min ago`, `in 3 h`. */
export function relativeWords(ms: number, nowMs: number): string {
  const distance = Math.abs(nowMs - ms);
  if (distance < 10 * SECOND_MS) return "just now";
  const words = oneUnit(distance);
  return ms <= nowMs ? `${words} ago` : `in ${words}`;
}

function oneUnit(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.floor(ms / SECOND_MS)} s`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`;
  if (ms < 2 * DAY_MS) return `${Math.floor(ms / HOUR_MS)} h`;
  return `${Math.floor(ms / DAY_MS)} d`;
}

/** What a Date can hold. */
const DATE_MS_MAX = 8.64e15;

/** `2026-12-01 12:03:11 UTC`; empty for what is no time. */
export function absoluteWords(ms: number): string {
  const iso = isoTime(ms);
  return iso === "" ? "" : `${iso.slice(0, -5).replace("T", " ")} UTC`;
}

/** The time in ISO 8601; empty for what is no time. */
export function isoTime(ms: number): string {
  return Number.isFinite(ms) && Math.abs(ms) <= DATE_MS_MAX ? new Date(ms).toISOString() : "";
}
