import { z } from "zod";
import { textMapOf } from "../alert/text-map.ts";

/**
 * An object of strings, as labels and annotations are on the wire.
 *
 * The result has no prototype, so that a label named `constructor` is only there when it was sent and
 * one named `__proto__` is kept like any other.
 */
export const textMap = z.unknown().transform((value, context): Record<string, string> => {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    const entries = Object.entries(value);
    if (entries.every(isText)) return textMapOf(entries);
  }
  context.addIssue({ code: "custom", message: "must be an object of strings" });
  return z.NEVER;
});

function isText(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === "string";
}
