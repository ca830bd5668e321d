import { renderExploreLink } from "../annotate/render-explore-link.ts";
import { redactText } from "../redact/redact-text.ts";
import type { RedactOptions } from "../redact/redact-options.ts";
import type { LogTrace } from "./enrichment.ts";
import type { AskedLogs, FoundLogs } from "./find-logs.ts";
import type { EnrichSettings } from "./settings.ts";

const NS_PER_MS = 1_000_000n;

/** What is kept of a look for logs; `undefined` when nobody was asked. */
export function traceOf(logs: FoundLogs, redact: RedactOptions): LogTrace | undefined {
  if (logs.result === "not_asked") return undefined;
  const reason = logs.result === "failed" ? { reason: logs.reason } : {};
  return {
    result: logs.result,
    ...reason,
    ...(logs.asked ? shownOf(logs.asked, redact) : NOTHING_ASKED),
  };
}

const NOTHING_ASKED = { queries: [], startMs: 0, endMs: 0, clamped: false };

function shownOf(
  { queries, startNs, endNs, clamped }: AskedLogs,
  redact: RedactOptions,
): Omit<LogTrace, "result"> {
  return {
    // A label value, and so a query, may hold what a log line may.
    queries: queries.map((query) => redactText(query, redact)),
    startMs: Number(startNs / NS_PER_MS),
    endMs: Number(endNs / NS_PER_MS),
    clamped,
  };
}

/** The Explore link to lines that were found; none where the query holds something to mask. */
export function linkToLogs(
  logs: FoundLogs,
  { explore, redact }: Pick<EnrichSettings, "explore" | "redact">,
): string | undefined {
  if (logs.result !== "found" || explore === undefined) return undefined;
  const { queries } = logs.asked;
  if (queries.some((query) => redactText(query, redact) !== query)) return undefined;
  return renderExploreLink(explore, logs.asked);
}
