import { LokiRefusal } from "./fake-loki-query.ts";
import type { FakeRange } from "./fake-loki-store.ts";

const HOUR_NS = 3_600_000_000_000n;
const RANGE_NS_MAX = 721n * HOUR_NS;
const ENTRIES_MAX = 5000;

/**
 * Reads limit, direction and times of a `query_range` request with Loki's defaults and messages.
 *
 * @throws {LokiRefusal} 400 as Loki answers it.
 */
export function readFakeRange(parameters: URLSearchParams): FakeRange {
  const endNs = readTime(parameters, "end") ?? BigInt(Date.now()) * 1_000_000n;
  const startNs = readTime(parameters, "start") ?? endNs - HOUR_NS;
  const limit = readLimit(parameters.get("limit") ?? "");
  const direction = (parameters.get("direction") ?? "").toLowerCase() || "backward";
  if (direction !== "forward" && direction !== "backward") {
    throw new LokiRefusal(400, `invalid direction '${direction}'`);
  }
  if (endNs < startNs) {
    throw new LokiRefusal(400, "end timestamp must not be before or equal to start time");
  }
  if (endNs - startNs > RANGE_NS_MAX) {
    const length = spellHours(endNs - startNs);
    const sentence = `the query time range exceeds the limit (query length: ${length}, limit: 30d1h)`;
    throw new LokiRefusal(400, sentence);
  }
  return { startNs, endNs, limit, direction };
}

function readLimit(text: string): number {
  if (text === "") return 100;
  if (!/^[+-]?\d+$/u.test(text)) {
    throw new LokiRefusal(400, `strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
  }
  const limit = Number(text);
  if (limit <= 0) throw new LokiRefusal(400, "limit must be a positive value");
  if (limit > ENTRIES_MAX) {
    const sentence = `max entries limit per query exceeded, limit > max_entries_limit (${limit} > ${ENTRIES_MAX})`;
    throw new LokiRefusal(400, sentence);
  }
  return limit;
}

/** Ten digits or fewer are seconds, more are nanoseconds, and a dot makes seconds to the millisecond. */
function readTime(parameters: URLSearchParams, name: string): bigint | undefined {
  const text = parameters.get(name) ?? "";
  if (text === "") return undefined;
  if (/^\d{1,10}$/u.test(text)) return BigInt(text) * 1_000_000_000n;
  if (/^\d+$/u.test(text)) return BigInt(text);
  const isDotted = /^\d+\.\d+$/u.test(text);
  const ms = isDotted ? Math.round(Number(text) * 1000) : Date.parse(text);
  if (!Number.isNaN(ms)) return BigInt(ms) * 1_000_000n;
  const fault = `could not parse '${name}' parameter: strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`;
  throw new LokiRefusal(400, fault);
}

function spellHours(durationNs: bigint): string {
  const seconds = durationNs / 1_000_000_000n;
  return `${seconds / 3600n}h${(seconds / 60n) % 60n}m${seconds % 60n}s`;
}
