import type { Labels } from "../alert/alert.ts";
import { matchesAny } from "../alert/label-matcher.ts";
import type { EnrichSettings } from "./settings.ts";

/** Whether the operator wants alerts with these labels explained. */
export function isChosen(
  labels: Labels,
  { mode, match, skip }: Pick<EnrichSettings, "mode" | "match" | "skip">,
): boolean {
  if (mode === "off" || matchesAny(skip, labels)) return false;
  return match.length === 0 || matchesAny(match, labels);
}
