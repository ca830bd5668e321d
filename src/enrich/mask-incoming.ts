import type { AlertGroup, Annotations } from "../alert/alert.ts";
import type { RedactOptions } from "../redact/redact-options.ts";
import { redactText } from "../redact/redact-text.ts";

/** Masks secrets and personal data in what a sender wrote to describe an alert. */
export function maskAnnotations(annotations: Annotations, redact: RedactOptions): Annotations {
  // Without prototype, so that an annotation named `__proto__` is one like any other.
  const masked = Object.create(null) as Record<string, string>;
  for (const [name, text] of Object.entries(annotations)) masked[name] = redactText(text, redact);
  return masked;
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
