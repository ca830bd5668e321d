/** Unit names with their length in milliseconds, longest first: the order they must be written in. */
const UNITS: readonly (readonly [name: string, ms: number])[] = [
  ["y", 31_536_000_000],
  ["w", 604_800_000],
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
  ["ms", 1],
];

const DURATION = new RegExp(`^${UNITS.map(([name]) => `(?:(\\d{1,15})${name})?`).join("")}$`, "u");

/**
 * Reads a duration as Prometheus writes it: `5s`, `1h30m`, `300ms`, or `0`. Units stand once each,
 * longest first; a year has 365 days.
 *
 * @returns Milliseconds, or `undefined` when the text is no duration or exceeds a safe integer.
 * @see https://prometheus.io/docs/prometheus/latest/configuration/configuration/
 */
export function parseDuration(text: string): number | undefined {
  if (text === "0") return 0;
  const groups = DURATION.exec(text);
  if (groups === null || text === "") return undefined;
  let totalMs = 0;
  for (const [index, [, unitMs]] of UNITS.entries()) {
    totalMs += Number(groups[index + 1] ?? 0) * unitMs;
  }
  return Number.isSafeInteger(totalMs) ? totalMs : undefined;
}

/** Writes whole milliseconds, 0 or more, so that `parseDuration` reads the same number back. */
export function renderDuration(durationMs: number): string {
  if (durationMs === 0) return "0s";
  let rest = durationMs;
  let text = "";
  for (const [name, unitMs] of UNITS) {
    const count = Math.floor(rest / unitMs);
    rest -= count * unitMs;
    if (count > 0) text += `${String(count)}${name}`;
  }
  return text;
}
