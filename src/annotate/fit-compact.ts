import type { Annotations } from "../alert/alert.ts";
import { cutToBytes, utf8Bytes } from "./cut-text.ts";

/** A summary of fewer bytes says nothing. */
const SUMMARY_BYTES_MIN = 48;

/**
 * Makes annotations fit a size: `spare` are left out one by one, the first first; then the summary is
 * cut, and where too little would be left of it everything else goes. The size is that of all keys and
 * values together.
 */
export function fitCompact(
  annotations: Annotations,
  keys: { readonly summary: string; readonly spare: readonly string[] },
  bytesMax: number,
): Annotations {
  let kept = Object.entries(annotations);
  for (const spare of keys.spare) {
    if (bytesOf(kept) <= bytesMax) return Object.fromEntries(kept);
    kept = kept.filter(([key]) => key !== spare);
  }
  const over = bytesOf(kept) - bytesMax;
  if (over <= 0) return Object.fromEntries(kept);
  const summary = annotations[keys.summary] ?? "";
  const room = utf8Bytes(summary) - over;
  if (room < SUMMARY_BYTES_MIN) {
    const alone = cutToBytes(summary, Math.max(0, bytesMax - utf8Bytes(keys.summary)));
    return alone === "" ? {} : { [keys.summary]: alone };
  }
  return Object.fromEntries(
    kept.map(([key, value]) => [key, key === keys.summary ? cutToBytes(summary, room) : value]),
  );
}

function bytesOf(entries: readonly (readonly [string, string])[]): number {
  return entries.reduce((sum, [key, value]) => sum + utf8Bytes(key) + utf8Bytes(value), 0);
}
