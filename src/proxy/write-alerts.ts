import type { Alert, Annotations } from "../alert/alert.ts";
import type { PostedAlert } from "./read-alerts.ts";

/** A body for the Alertmanagers, and what of it is ours. */
export interface WrittenAlerts {
  readonly body: Uint8Array;
  /** Fingerprints of the alerts that carry annotations of ours. */
  readonly annotated: ReadonlySet<string>;
}

/**
 * Writes posted alerts with their annotations: order, number, labels and every other field as they came.
 * Where nothing changes, the original bytes go on.
 * `annotationsOf` gives all annotations an alert is to have; `undefined`: those that were read.
 */
export function writeAlerts(
  original: Uint8Array,
  posted: readonly PostedAlert[],
  annotationsOf: (alert: Alert) => Annotations | undefined,
): WrittenAlerts {
  const annotated = new Set<string>();
  const alerts = posted.map(({ raw, alert }) => {
    if (alert === undefined || !isObject(raw)) return raw;
    const added = annotationsOf(alert);
    if (added !== undefined) annotated.add(alert.fingerprint);
    else if (!hasChanged(raw, alert)) return raw;
    return { ...raw, annotations: added ?? alert.annotations };
  });
  const isChanged = alerts.some((alert, index) => alert !== posted[index]?.raw);
  const body = isChanged ? Buffer.from(JSON.stringify(alerts)) : original;
  return { body, annotated };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Whether what was read is not what was posted: annotations under our own prefix, or masked ones. */
function hasChanged(raw: object, { annotations }: Alert): boolean {
  const posted: unknown = "annotations" in raw ? raw.annotations : undefined;
  if (!isObject(posted)) return false;
  // What was read has no prototype, so a name that was not read is `undefined`.
  return Object.entries(posted).some(([name, text]) => annotations[name] !== text);
}
