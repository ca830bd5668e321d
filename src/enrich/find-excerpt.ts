import type { Alert } from "../alert/alert.ts";
import type { Excerpt } from "../log/excerpt.ts";
import { selectExcerpt } from "../select/select-excerpt.ts";
import type { SelectOptions } from "../select/select-excerpt.ts";
import { findLogs } from "./find-logs.ts";
import type { FoundLogs, LogKit, LogSituation } from "./find-logs.ts";

/** The text to explain an alert by, and what became of the look for its logs. */
export interface FoundExcerpt {
  /** `undefined` when there is nothing to read. */
  readonly excerpt: Excerpt | undefined;
  readonly logs: FoundLogs;
}

/**
 * Finds the text to explain an alert by: log lines that it carries, else log lines asked for, else its
 * prose. `kit` is `undefined` when there is nobody to ask.
 */
export async function findExcerpt(
  alert: Alert,
  kit: LogKit | undefined,
  { situation, select }: { readonly situation: LogSituation; readonly select: SelectOptions },
): Promise<FoundExcerpt> {
  const own = selectExcerpt(alert, select);
  if (own?.provenance === "excerpt" || kit === undefined) {
    return { excerpt: own, logs: { result: "not_asked" } };
  }
  const logs = await findLogs(kit, alert, situation);
  return { excerpt: logs.result === "found" ? logs.excerpt : own, logs };
}
