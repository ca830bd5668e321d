import type { VNode } from "preact";
import type { RecordOrigin, Severity } from "../../record/known-error.ts";

/** Where a record comes from. */
export const ORIGIN_WORDS: Readonly<Record<RecordOrigin, string>> = {
  dataset: "dataset, written by a model",
  starter: "shipped, curated",
  operator: "your own, curated",
};

const SIGNS: Readonly<Record<Severity, string>> = {
  critical: "▲",
  error: "●",
  warning: "◆",
  info: "○",
};

/** How bad a record says its error is. */
export function SeverityBadge({ severity }: { severity: Severity }): VNode {
  return (
    <span class={`badge severity-${severity}`}>
      <span aria-hidden="true">{SIGNS[severity]}</span> {severity}
    </span>
  );
}
