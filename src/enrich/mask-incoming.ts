import type { AlertGroup, Annotations } from "../alert/alert.ts";
import { textMapOf } from "../alert/text-map.ts";
import type { RedactOptions } from "../redact/redact-options.ts";
import { redactText } from "../redact/redact-text.ts";

/** Masks secrets and personal data in what a sender wrote to describe an alert. */
export function maskAnnotations(annotations: Annotations, redact: RedactOptions): Annotations {
  const masked = Object.entries(annotations).map(
    ([name, text]) => [name, redactText(text, redact)] as const,
  );
  return textMapOf(masked);
}

/** The same for all annotations of a group; labels stay, for they are the alert's identity. */
export function maskGroup(group: AlertGroup, redact: RedactOptions): AlertGroup {
  return {
    ...group,
    commonAnnotations: maskAnnotations(group.commonAnnotations, redact),
    alerts: group.alerts.map((alert) => ({
      ...alert,
      annotations: maskAnnotations(alert.annotations, redact),
    })),
  };
}
