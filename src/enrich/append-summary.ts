import type { Alert } from "../alert/alert.ts";
import type { Enrichment } from "./enrichment.ts";

/**
 * Appends the summary to the alert's `description`, for receivers that show nothing else. An alert
 * without description gets none: its templates would not show it.
 */
export function appendSummary(
  alert: Alert,
  enrichment: Pick<Enrichment, "annotations"> | undefined,
  prefix: string,
): Alert {
  const summary = enrichment?.annotations.compact[`${prefix}summary`];
  const { description } = alert.annotations;
  if (summary === undefined || description === undefined || description.includes(summary)) {
    return alert;
  }
  const annotations = { ...alert.annotations, description: `${description}\n\n${summary}` };
  return { ...alert, annotations };
}
